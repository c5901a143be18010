package channel

import "strings"

// metaRobots reads the directives of a robots meta tag or X-Robots-Tag that
// speak of a use. noimageai is about pictures only, so it is reported and not
// turned into a statement about the page.
func metaRobots(r *Result, value, locator string) []Statement {
	var out []Statement
	for d := range strings.SplitSeq(value, ",") {
		d = strings.ToLower(strings.TrimSpace(d))
		word := d
		switch d {
		case "noai":
		case "noindex", "none":
			word = "noindex"
		case "noimageai":
			r.warn("statement_about_images_only", locator, d)
			continue
		default:
			continue
		}
		out = append(out, Statement{Channel: HTMLMeta, Word: word, Effect: Disallow, Locator: locator, Text: d})
	}
	return out
}

// tdmPair is a tdm-reservation with its tdm-policy, from a header or a page.
type tdmPair struct {
	reservation, policy string
	seen                bool
}

// set takes a value; of several that differ, a reservation counts.
func (t *tdmPair) set(value string) {
	if !t.seen || t.reservation != "1" {
		t.reservation, t.seen = value, true
	}
}

func (t tdmPair) say(r *Result, base string, layer Layer, locator string) {
	if t.policy != "" {
		r.link(base, Link{Rel: "tdm-policy", URL: t.policy, Locator: locator})
	}
	if !t.seen {
		if t.policy != "" {
			r.warn("tdm_policy_without_reservation", locator, t.policy)
		}
		return
	}
	s := Statement{Channel: TDMRep, Layer: layer, Word: "reservation", Locator: locator}
	switch strings.TrimSpace(t.reservation) {
	case "1":
		s.Effect, s.Text = Disallow, "reserved"
	case "0":
		s.Effect, s.Text = Allow, "not reserved"
	default:
		r.warn("tdm_reservation_value_ignored", locator, t.reservation)
		return
	}
	if abs, ok := absolute(base, t.policy); ok && t.policy != "" && s.Effect == Disallow {
		s.Terms.Custom = abs
	}
	r.say(s)
}
