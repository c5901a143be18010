package rights

// outcome is the verdict for one person.
type outcome struct {
	verdict, reason string
	licences        []string
	obligations     []string
	retained        []retained // what offers say
	basis           []string
	mayAsk          bool // an offer that may cover the resource can be asked for
}

// decideFor returns the first verdict that applies to one person, in the order
// withdrawn, declined, license_required, signal_allow, unknown.
func (v *evaluation) decideFor(p person) outcome {
	switch v.c.State {
	case EntryWithdrawn, PublisherInactive:
		return outcome{verdict: "withdrawn", reason: string(v.c.State)}
	case NoStatementYet:
		return outcome{verdict: "unknown", reason: string(NoStatementYet)}
	}
	if v.inquiry == "not_offered" {
		return outcome{verdict: "declined", reason: "use_not_offered", basis: v.statedBasis()}
	}
	o := v.decideOpen(p, true)
	if !v.hasPossibleOffer() {
		return o
	}
	without := v.decideOpen(p, false)
	if verdictRank(without.verdict) < verdictRank(o.verdict) {
		without.mayAsk = o.verdict == "license_required"
		return without
	}
	return o
}

func (v *evaluation) hasPossibleOffer() bool {
	for i := range v.offers {
		if v.offers[i].possible {
			return true
		}
	}
	return false
}

// decideOpen decides for one person, with or without the offers that are not
// known to cover the resource.
func (v *evaluation) decideOpen(p person, possible bool) outcome {
	r := v.collectRoutes(p, possible)
	if r.isShut() {
		return outcome{verdict: "declined", reason: r.refused, basis: v.limitedBy()}
	}
	return v.resolveConflict(&r)
}

// isShut reports whether audience limits leave a person nothing: no offer, no
// price, and no permission written for this person.
func (r *routes) isShut() bool {
	if r.refused == "" || len(r.offers)+len(r.prices) > 0 {
		return false
	}
	return !r.named || len(r.allows) == 0
}

// resolveConflict decides among the routes open to a person.
func (v *evaluation) resolveConflict(r *routes) outcome {
	switch {
	case len(r.offers) > 0:
		return v.soldOutcome(r)
	case len(r.prices) > 0:
		return v.pricedOutcome(r)
	case len(r.disallows) > 0:
		return v.disallowedOutcome(r)
	case len(r.allows) > 0 && !r.offerEnded:
		return v.allowedOutcome(r)
	}
	o := outcome{verdict: "unknown", reason: "no_statement"}
	switch {
	case v.paused:
		o.reason = "offer_paused"
	case r.offerEnded:
		o.reason = "offer_ended"
	case v.faded:
		o.reason = "stale_evidence"
	}
	return o
}

func (v *evaluation) soldOutcome(r *routes) outcome {
	o := outcome{verdict: "license_required", reason: "offer_exists", basis: v.evidenceBasis(r.disallows, r.prices)}
	for _, offer := range r.offers {
		o.licences = append(o.licences, offer.LicenseID)
		o.basis = append(o.basis, offer.Evidence)
		o.obligations = append(o.obligations, offer.listDuties()...)
		o.retained = append(o.retained, retained{offer.Evidence, offer.Obligations.Keeps()})
	}
	o.obligations = append(o.obligations, v.conditions...)
	o.obligations = append(o.obligations, r.obligations...)
	return o
}

func (v *evaluation) pricedOutcome(r *routes) outcome {
	o := outcome{verdict: "license_required", reason: "payment_required", basis: v.evidenceBasis(r.disallows, r.prices)}
	if len(r.allows) > 0 {
		o.reason = "conflict_most_restrictive"
	}
	o.obligations = append([]string{"payment"}, v.conditions...)
	o.obligations = append(o.obligations, r.obligations...)
	return o
}

func (v *evaluation) disallowedOutcome(r *routes) outcome {
	o := outcome{verdict: "declined", reason: disallowReason(r), basis: v.evidenceBasis(r.disallows)}
	switch {
	case v.inquiry == "welcome", v.inquiry == "conditional":
		o.verdict = "license_required"
		o.obligations = v.conditions
		o.basis = append(o.basis, v.statedBasis()...)
	case v.paused:
		o.reason = "offer_paused"
	}
	return o
}

func (v *evaluation) allowedOutcome(r *routes) outcome {
	o := outcome{verdict: "signal_allow", reason: "signal_allows", basis: v.evidenceBasis(r.allows)}
	o.obligations = append(o.obligations, v.conditions...)
	o.obligations = append(o.obligations, r.obligations...)
	return o
}

// disallowReason names the reason of a disallow.
func disallowReason(r *routes) string {
	if len(r.allows) > 0 {
		return "conflict_most_restrictive"
	}
	for _, s := range r.disallows {
		if !s.stale {
			return "signal_disallows"
		}
	}
	return "stale_evidence"
}

// evidenceBasis returns the ids of evidence and limits the answer's validity to
// theirs.
func (v *evaluation) evidenceBasis(groups ...[]*signal) []string {
	var out []string
	for _, g := range groups {
		for _, s := range g {
			out = append(out, s.id)
			v.limitValidity(s.end)
		}
	}
	return out
}

func (v *evaluation) statedBasis() []string {
	for i := range v.c.Preferences {
		if p := &v.c.Preferences[i]; p.Use == string(v.use) && p.Inquiry == v.inquiry {
			return []string{p.Evidence}
		}
	}
	return nil
}

// limitedBy returns the ids of what excluded a person: signals and offers with
// limits.
func (v *evaluation) limitedBy() []string {
	var out []string
	for i := range v.signals {
		s := &v.signals[i]
		for k := range s.options {
			if a := &s.options[k].Audience; a.limitsUsers() || a.limitsPlaces() {
				out = append(out, s.id)
				v.limitValidity(s.end)
				break
			}
		}
	}
	for _, o := range v.offers {
		if a := o.audienceOf(); a.limitsUsers() || a.limitsPlaces() {
			out = append(out, o.Evidence)
		}
	}
	return out
}

// listDuties returns the obligations that an offer names, in the words of
// conditions.
func (o *Licence) listDuties() []string {
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
