package rights

// routes are the ways open to one person.
type routes struct {
	disallows, prices, allows []*signal
	offers                    []*Licence
	obligations               []string // of the statements that allow or price the use
	refused                   string   // why a way was not open
	named                     bool     // a free permission was written for this person
	offerEnded                bool     // an offer to this person has ended
}

// collectRoutes returns the ways open to a person. An offer that is not known
// to cover the resource opens one only if possible is set.
func (v *evaluation) collectRoutes(p person, possible bool) routes {
	var r routes
	for i := range v.signals {
		s := &v.signals[i]
		if s.effect == Disallow {
			r.disallows = append(r.disallows, s)
			continue
		}
		r.addPermission(s, p)
	}
	for _, o := range v.offers {
		switch why := o.audienceOf().refusalFor(p); {
		case why != "":
			r.addRefusal(why)
		case o.ended:
			r.offerEnded = true
		case o.possible && !possible:
		default:
			r.offers = append(r.offers, o.Licence)
		}
	}
	return r
}

// addPermission records a permission under the best option that this person
// has: a free one if there is any. A stale one permits nothing, but its price
// and limits remain.
func (r *routes) addPermission(s *signal, p person) {
	var free, priced []string
	isFree := false
	isPriced := false
	named := false
	why := ""
	for i := range s.options {
		o := &s.options[i]
		if w := o.Audience.refusalFor(p); w != "" {
			why = stricterRefusal(why, w)
			continue
		}
		if o.Effect == Allow {
			isFree = true
			free = append(free, o.Obligations...)
			named = named || o.Audience.namesPerson(p)
		} else {
			isPriced = true
			priced = append(priced, o.Obligations...)
		}
	}
	switch {
	case isFree:
		r.obligations = append(r.obligations, free...)
		if !s.stale {
			r.allows = append(r.allows, s)
			r.named = r.named || named
		}
	case isPriced:
		r.prices = append(r.prices, s)
		r.obligations = append(r.obligations, priced...)
	default:
		r.addRefusal(why)
	}
}

func (r *routes) addRefusal(why string) { r.refused = stricterRefusal(r.refused, why) }

// stricterRefusal returns the stricter of two refusals, so that the reason does not depend
// on the order of evidence. user_type_excluded is the strictest.
func stricterRefusal(a, b string) string {
	if a == "user_type_excluded" || b == "" {
		return a
	}
	return b
}
