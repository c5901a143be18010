package rights

// routes is what is open to one person.
type routes struct {
	disallows, prices, allows []*signal
	offers                    []*Licence
	obligations               []string // of what allows or prices
	refused                   string   // why something was not open
	named                     bool     // a free permission was written for this person
}

func (j *judge) routes(p person) routes {
	if j.q.AnyAudience {
		p = person{}
	}
	var r routes
	for i := range j.signals {
		s := &j.signals[i]
		if s.effect == Disallow {
			r.disallows = append(r.disallows, s)
			continue
		}
		r.open(s, p)
	}
	for _, o := range j.offers {
		a := o.audience()
		if why := a.refusal(p); why != "" {
			r.refuse(why)
			continue
		}
		r.offers = append(r.offers, o)
	}
	return r
}

// open sorts a permission by the best option that this person has: a free one
// if there is any.
func (r *routes) open(s *signal, p person) {
	free, priced, why := []string(nil), []string(nil), ""
	isFree, isPriced, named := false, false, false
	for i := range s.options {
		o := &s.options[i]
		if w := o.Audience.refusal(p); w != "" {
			why = stricterRefusal(why, w)
			continue
		}
		if o.Effect == Allow {
			isFree, free = true, append(free, o.Obligations...)
			named = named || o.Audience.names(p)
		} else {
			isPriced, priced = true, append(priced, o.Obligations...)
		}
	}
	switch {
	case isFree:
		r.allows, r.obligations = append(r.allows, s), append(r.obligations, free...)
		r.named = r.named || named
	case isPriced:
		r.prices, r.obligations = append(r.prices, s), append(r.obligations, priced...)
	default:
		r.refuse(why)
	}
}

func (r *routes) refuse(why string) { r.refused = stricterRefusal(r.refused, why) }

// stricterRefusal makes the reason independent of the order of evidence.
func stricterRefusal(a, b string) string {
	if a == "user_type_excluded" || b == "" {
		return a
	}
	return b
}
