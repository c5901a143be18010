package channel

import (
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"colophon/internal/channel/statements"
	"colophon/internal/wire"
)

// ParseODRL reads the ODRL policy that a tdm-policy points to. Every permission
// becomes statements of channel tdm_policy: priced if it has a duty or is not
// understood, otherwise allow. The words are "mine", "mine_research" and
// "mine_other" (non-research purposes), and the actions of the ODRL AI
// vocabulary.
func ParseODRL(in Input) Result {
	r := newResult(in, statements.TDMPolicy)
	if looksLikeHTML(in.Body) {
		r.addWarning("tdm_policy_for_people", "", "")
		return r
	}
	v, ok := parseJSON(&r, in.Body, "")
	if !ok {
		r.State = Invalid
		r.Gaps = append(r.Gaps, statements.Gap{Code: "json_invalid"})
		return r
	}
	if jsonText(v.Get("profile")) != "http://www.w3.org/ns/tdmrep" {
		r.addWarning("odrl_profile", "", jsonText(v.Get("profile")))
	}
	if t := jsonType(&v); t != "Offer" && t != "Set" {
		r.addWarning("odrl_type", "", t)
	}
	readAssigner(&r, in.URL, v.Get("assigner"))
	for i, p := range jsonList(v.Get("permission")) {
		odrlRule(&r, &p, "permission["+strconv.Itoa(i)+"]", true)
	}
	for i, p := range jsonList(v.Get("prohibition")) {
		r.addWarning("odrl_prohibition", "prohibition["+strconv.Itoa(i)+"]", "")
		odrlRule(&r, &p, "prohibition["+strconv.Itoa(i)+"]", false)
	}
	if len(r.Statements) == 0 {
		r.addWarning("odrl_without_permission", "", "")
	}
	return r
}

func jsonType(v *wire.Value) string {
	if t := jsonText(v.Get("@type")); t != "" {
		return t
	}
	return jsonText(v.Get("type"))
}

func readAssigner(r *Result, base string, v *wire.Value) {
	for _, a := range jsonList(v) {
		if u := jsonText(a.Get("vcard:hasURL")); u != "" {
			r.addLink(base, statements.Link{Rel: "acquire-license", URL: u, Locator: "assigner"})
		}
	}
}

func odrlRule(r *Result, p *wire.Value, at string, permit bool) {
	s := statements.Statement{Channel: statements.TDMPolicy, Effect: statements.Allow, Locator: at, Terms: statements.Terms{Custom: r.URL}}
	purpose := ""
	for _, c := range jsonList(p.Get("constraint")) {
		if !odrlConstraint(&s, &purpose, &c) {
			r.addWarning("odrl_constraint_unknown", at, jsonText(c.Get("leftOperand")))
			s.Effect = statements.Priced // a condition that is not understood must be asked about
		}
	}
	for _, d := range jsonList(p.Get("duty")) {
		s.Effect = statements.Priced
		s.Terms.Obligations = append(s.Terms.Obligations, odrlDuty(r, &d, at))
	}
	if !permit {
		s.Effect, s.Terms = statements.Disallow, statements.Terms{}
	}
	for _, a := range jsonList(p.Get("action")) {
		odrlAction(r, s, localName(jsonText(&a)), purpose, at)
	}
}

func odrlAction(r *Result, s statements.Statement, action, purpose, at string) {
	switch action {
	case "mine", "tdm", "data-mining":
		s.Word = "mine"
		switch purpose {
		case "":
		case "research", "non-research":
			if s.Word = "mine_research"; purpose == "non-research" {
				s.Word = "mine_other"
			}
		default:
			return
		}
	case "ai-training", "gen-ai", "ai-augment", "search", "index", "distribute":
		s.Word = action
	default:
		r.addWarning("odrl_action_unknown", at, action)
		return
	}
	s.Text = s.Effect.String() + " " + s.Word
	r.addStatement(s)
}

func odrlDuty(r *Result, d *wire.Value, at string) string {
	for _, a := range jsonList(d.Get("action")) {
		switch localName(jsonText(&a)) {
		case "compensate":
			return "payment"
		case "obtainConsent":
			return "consent"
		case "attribute":
			return "attribution"
		}
	}
	r.addWarning("odrl_duty_unknown", at, jsonText(d.Get("action")))
	return "consent"
}

// odrlConstraint understands purpose and spatial; anything else is not.
func odrlConstraint(s *statements.Statement, purpose *string, c *wire.Value) bool {
	operator := localName(jsonText(c.Get("operator")))
	right := c.Get("rightOperand")
	switch localName(jsonText(c.Get("leftOperand"))) {
	case "purpose":
		*purpose = localName(jsonText(right))
		return operator == "eq" && (*purpose == "research" || *purpose == "non-research")
	case "spatial":
		if operator != "isPartOf" && operator != "eq" && operator != "isAnyOf" {
			return false
		}
		for _, t := range jsonList(right) {
			s.Terms.Territories = append(s.Terms.Territories, parseTerritory(jsonText(&t)))
		}
		return len(s.Terms.Territories) > 0
	}
	return false
}

// localName cuts "tdm:mine" and "http://…#mine" to "mine".
func localName(s string) string {
	if i := strings.LastIndexAny(s, "#:/"); i >= 0 {
		return s[i+1:]
	}
	return s
}

// parseTerritory reads an ISO 3166-1 code, bare or as a urn. A three-letter code
// of no country is kept: it then matches no one, which is safe.
func parseTerritory(s string) string {
	code := strings.ToUpper(localName(s))
	if region, err := language.ParseRegion(code); err == nil && region.IsCountry() {
		return region.String()
	}
	return code
}
