package rights

// outcome is the verdict for one person.
type outcome struct {
	verdict, reason string
	licences        []string
	obligations     []string
	basis           []string
}

// verdict decides for every person the question may be about and takes the
// least favourable outcome, noting what it depends on.
func (j *judge) verdict() UseVerdict {
	types, places := people(j.q, j.audiences())
	grid := make([]outcome, 0, len(types)*len(places))
	for _, t := range types {
		for _, p := range places {
			grid = append(grid, j.decide(person{t, p}))
		}
	}
	least := 0
	for i := range grid {
		if rank(grid[i].verdict) < rank(grid[least].verdict) {
			least = i
		}
	}
	o := &grid[least]
	v := UseVerdict{
		Use: j.use, Verdict: o.verdict, Reason: o.reason, SignalsAgree: !j.disagree(),
		LicenseIDs: uniqueWords(o.licences), Obligations: orderObligations(o.obligations), Basis: uniqueInOrder(o.basis),
		DependsOn: j.dependsOn(grid, len(types), len(places)), ValidUntil: j.until,
	}
	if o.verdict == "withdrawn" {
		v.SignalsAgree, v.DependsOn = true, nil
	}
	return v
}

func (j *judge) audiences() []*Audience {
	var out []*Audience
	for i := range j.signals {
		for k := range j.signals[i].options {
			out = append(out, &j.signals[i].options[k].Audience)
		}
	}
	for _, o := range j.offers {
		out = append(out, o.audience())
	}
	return out
}

func (o *Licence) audience() *Audience {
	return &Audience{UserTypes: o.UserTypes, Territories: o.Territories, NotTerritories: o.NotIn}
}

func (j *judge) dependsOn(grid []outcome, types, places int) []string {
	byType, byPlace := false, false
	for i := range grid {
		t, p := i/places, i%places
		byType = byType || grid[i].verdict != grid[p].verdict
		byPlace = byPlace || grid[i].verdict != grid[t*places].verdict
	}
	if j.q.AnyAudience {
		for _, a := range j.audiences() {
			byType = byType || a.limitsUsers()
			byPlace = byPlace || a.limitsPlaces()
		}
	}
	var out []string
	if j.byAgent {
		out = append(out, "agent")
	}
	if byPlace {
		out = append(out, "territory")
	}
	if byType {
		out = append(out, "user_type")
	}
	return out
}

// decide applies the order of verdicts: withdrawn, declined, license_required,
// signal_allow, unknown.
func (j *judge) decide(p person) outcome {
	switch j.c.State {
	case EntryWithdrawn, PublisherInactive:
		return outcome{verdict: "withdrawn", reason: string(j.c.State)}
	case LegalHold:
		return outcome{verdict: "declined", reason: string(LegalHold)}
	}
	r := j.routes(p)
	if j.inquiry == "not_offered" {
		return outcome{verdict: "declined", reason: "use_not_offered", basis: j.stated()}
	}
	if r.refused != "" && len(r.offers)+len(r.prices) == 0 && !(r.named && len(r.allows) > 0) {
		return outcome{verdict: "declined", reason: r.refused, basis: j.limitedBy()}
	}
	o := j.weigh(&r)
	if j.c.EmbargoUntil > j.q.At && (o.verdict == "license_required" || o.verdict == "signal_allow") {
		j.limit(j.c.EmbargoUntil)
		return outcome{verdict: "declined", reason: "embargo", basis: o.basis}
	}
	return o
}

// weigh decides among what is open to a person.
func (j *judge) weigh(r *routes) outcome {
	switch {
	case len(r.offers) > 0:
		o := outcome{verdict: "license_required", reason: "offer_exists", basis: j.basis(r.disallows, r.prices)}
		for _, offer := range r.offers {
			o.licences = append(o.licences, offer.LicenseID)
			o.basis = append(o.basis, offer.Evidence)
			o.obligations = append(o.obligations, offer.duties()...)
		}
		o.obligations = append(append(o.obligations, j.conditions...), r.obligations...)
		return o
	case len(r.prices) > 0:
		o := outcome{verdict: "license_required", reason: "payment_required", basis: j.basis(r.disallows, r.prices)}
		if len(r.allows) > 0 {
			o.reason = "conflict_most_restrictive"
		}
		o.obligations = append(append([]string{"payment"}, j.conditions...), r.obligations...)
		return o
	case len(r.disallows) > 0:
		o := outcome{verdict: "declined", reason: j.why(r), basis: j.basis(r.disallows)}
		if j.inquiry == "welcome" || j.inquiry == "conditional" {
			o.verdict, o.obligations = "license_required", j.conditions
			o.basis = append(o.basis, j.stated()...)
		} else if j.paused {
			o.reason = "offer_paused"
		}
		return o
	case len(r.allows) > 0:
		return outcome{
			verdict: "signal_allow", reason: "signal_allows", basis: j.basis(r.allows),
			obligations: append(append([]string(nil), j.conditions...), r.obligations...),
		}
	}
	o := outcome{verdict: "unknown", reason: "no_statement"}
	if j.stale {
		o.reason = "stale_evidence"
	}
	if j.paused {
		o.reason = "offer_paused"
	}
	return o
}

// why names the reason of a disallow.
func (j *judge) why(r *routes) string {
	if len(r.allows) > 0 {
		return "conflict_most_restrictive"
	}
	for _, s := range r.disallows {
		if s.fresh {
			return "signal_disallows"
		}
	}
	return "stale_evidence"
}

// basis lists evidence ids and lets their ends bound the answer.
func (j *judge) basis(groups ...[]*signal) []string {
	var out []string
	for _, g := range groups {
		for _, s := range g {
			out = append(out, s.id)
			j.limit(s.end)
		}
	}
	return out
}

func (j *judge) stated() []string {
	for i := range j.c.Preferences {
		if p := &j.c.Preferences[i]; p.Use == string(j.use) && p.Inquiry == j.inquiry {
			return []string{p.Evidence}
		}
	}
	return nil
}

// limitedBy cites what left a person out: signals and offers with limits.
func (j *judge) limitedBy() []string {
	var out []string
	for i := range j.signals {
		s := &j.signals[i]
		for k := range s.options {
			if a := &s.options[k].Audience; a.limitsUsers() || a.limitsPlaces() {
				out = append(out, s.id)
				j.limit(s.end)
				break
			}
		}
	}
	for _, o := range j.offers {
		if a := o.audience(); a.limitsUsers() || a.limitsPlaces() {
			out = append(out, o.Evidence)
		}
	}
	return out
}

// duties are the obligations that an offer names, in the words of conditions.
func (o *Licence) duties() []string {
	var out []string
	switch o.Payment.Model {
	case "", "free":
	case "attribution", "contribution":
		out = append(out, o.Payment.Model)
	default:
		out = append(out, "payment")
	}
	if o.Obligations.Attribution != "" {
		out = append(out, "attribution")
	}
	if o.Obligations.Attribution == "link" {
		out = append(out, "link_back")
	}
	if o.Obligations.DisplayLimitChars > 0 {
		out = append(out, "no_full_text")
	}
	if o.Obligations.ReportingProfile != "" {
		out = append(out, "reporting")
	}
	if o.Obligations.DeleteOnRevocationHours > 0 {
		out = append(out, "deletion_on_request")
	}
	return out
}
