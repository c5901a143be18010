package channelpack

import (
	"slices"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

var tdmWords = []string{"reservation"}

// writeTDMRep writes the reservation, most specific location first because the
// first that matches decides, and the ODRL policy that says how consent can
// be asked for.
func (w *packer) writeTDMRep() {
	speeches := make([]speech, len(w.regions))
	for i, r := range w.regions {
		speeches[i] = r.chooseWords(statements.TDMRep, false, tdmWords...)
	}
	speeches = resolveNested(w.regions, speeches)
	w.consents = make([]bool, len(w.regions))
	for i, r := range w.regions {
		if len(speeches[i]) == 0 && w.consents[w.ruleOf(i, speeches)] {
			// The wider policy invites requests for what is not on offer here.
			speeches[i] = speech{{"reservation", statements.Disallow}}
		}
		w.consents[i] = w.canConsent(r, speeches[i])
	}
	rules := wire.Array()
	for i, r := range slices.Backward(w.regions) {
		if rule, ok := w.tdmRule(r, speeches[i], w.consents[i]); ok {
			rules.Items = append(rules.Items, rule)
		}
	}
	w.addJSON(FileTDMRep, "application/json", rules)
	if slices.Contains(w.consents, true) {
		w.writeODRL()
	}
	inForce := effectiveSpeeches(w.regions, speeches)
	for i, r := range w.regions {
		w.noteLosses(FileTDMRep, statements.TDMRep, tdmWords, r, w.tdmEffects(inForce[i], w.consents[w.ruleOf(i, speeches)]))
	}
}

// ruleOf returns the region whose rule is in force in region i.
func (w *packer) ruleOf(i int, speeches []speech) int {
	for len(speeches[i]) == 0 && w.regions[i].parent != nil {
		i = slices.Index(w.regions, w.regions[i].parent)
	}
	return i
}

func (w *packer) tdmRule(r *region, s speech, consent bool) (wire.Value, bool) {
	value := int64(0)
	switch s.effectOf("reservation") {
	case statements.Unknown:
		return wire.Value{}, false
	case statements.Disallow:
		value = 1
	}
	rule := wire.Object(wire.M("location", wire.String(r.prefix)), wire.M("tdm-reservation", wire.Int(value)))
	if consent {
		rule.Members = append(rule.Members, wire.M("tdm-policy", wire.String(w.policyURL())))
	}
	return rule, true
}

// canConsent reports whether a reservation can point to the policy: every use
// that "mine" names must be one that can be asked for.
func (w *packer) canConsent(r *region, s speech) bool {
	if s.effectOf("reservation") != statements.Disallow {
		return false
	}
	for i, c := range statements.Covers(statements.TDMPolicy, "mine") {
		if c == statements.Exactly && r.want[i] != statements.Priced && !(r.want[i] == statements.Disallow && r.askable[i] && !r.uneven[i]) {
			return false
		}
	}
	return true
}

// tdmEffects reads reservation and policy together.
func (w *packer) tdmEffects(s speech, consent bool) [8]statements.Effect {
	out := s.readBack(statements.TDMRep)
	if !consent {
		return out
	}
	for i, c := range statements.Covers(statements.TDMPolicy, "mine") {
		if c == statements.Exactly {
			out[i] = statements.Priced
		}
	}
	return out
}

func (w *packer) writeODRL() {
	permission := wire.Object(
		wire.M("action", wire.String("tdm:mine")),
		wire.M("duty", wire.Array(wire.Object(wire.M("action", wire.String("obtainConsent"))))),
		wire.M("target", wire.String(w.p.ServiceURL+exports.PublisherPath(w.p.SiteID))),
	)
	w.addJSON(FileODRL, "application/ld+json", w.p.odrlPolicy(wire.Array(permission), w.policyURL()))
}
