package channel

import (
	"strings"
	"time"

	"colophon/internal/channel/statements"
)

// noarchiveAgents are the crawlers for which "noarchive" is documented as an
// opt-out of training: Bing's and Amazon's guides for webmasters, read in
// November 2026.
var noarchiveAgents = []string{"amazonbot", "bingbot"}

// metaRobots reads the directives of a robots meta tag or X-Robots-Tag that
// concern a use, addressed to an agent or to everybody ("" or "*"). noimageai
// is about pictures only, so it is reported and does not become a statement
// about the page.
func metaRobots(r *Result, value, locator, agent string) []statements.Statement {
	var out []statements.Statement
	for rest := value; rest != ""; {
		var d string
		d, rest = nextDirective(rest)
		name, argument, _ := strings.Cut(strings.ToLower(strings.TrimSpace(d)), ":")
		name, argument = strings.TrimSpace(name), strings.TrimSpace(argument)
		word := ""
		switch name {
		case "noai", "noml": // noml: a token of Mojeek's, which other tools follow
			word = name
		case "noarchive":
			out = append(out, noarchiveStatements(d, locator, agent)...)
		case "noindex", "none":
			word = "noindex"
		case "nosnippet":
			word = "nosnippet"
		case "max-snippet":
			if argument == "0" {
				word = "nosnippet" // no text may be shown at all
			}
		case "unavailable_after":
			if r.unavailableAfter(d) {
				word = "noindex"
			}
		case "noimageai":
			r.addWarning("statement_about_images_only", locator, d)
		}
		if word != "" {
			out = append(out, statements.Statement{Channel: statements.HTMLMeta, Agent: agent, Word: word, Effect: statements.Disallow, Locator: locator, Text: strings.TrimSpace(d)})
		}
	}
	for _, s := range out {
		r.addAgent(s.Agent)
	}
	return out
}

// noarchiveStatements restricts training for those addressed agents that interpret
// noarchive in this way.
func noarchiveStatements(directive, locator, agent string) []statements.Statement {
	var out []statements.Statement
	for _, known := range noarchiveAgents {
		if agent == "" || agent == "*" || strings.EqualFold(agent, known) {
			out = append(out, statements.Statement{Channel: statements.HTMLMeta, Agent: known, Word: "noarchive", Effect: statements.Disallow, Locator: locator, Text: strings.TrimSpace(directive)})
		}
	}
	return out
}

// nextDirective cuts at commas. The date of unavailable_after may contain
// commas itself, so it extends to the next known directive.
func nextDirective(value string) (directive, rest string) {
	directive, rest, _ = strings.Cut(value, ",")
	if !strings.HasPrefix(strings.ToLower(strings.TrimSpace(directive)), "unavailable_after") {
		return directive, rest
	}
	for rest != "" {
		more, after, _ := strings.Cut(rest, ",")
		if !strings.ContainsAny(more, "0123456789") || strings.HasPrefix(strings.ToLower(strings.TrimSpace(more)), "max-") {
			break
		}
		directive, rest = directive+","+more, after
	}
	return directive, rest
}

// dateLayouts are the forms of dates that crawlers' guides name for
// unavailable_after: RFC 822, RFC 850 and ISO 8601.
var dateLayouts = []string{
	time.RFC3339, "2006-01-02", "2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC1123, time.RFC1123Z, time.RFC850, time.RFC822, time.RFC822Z,
	"02 Jan 2006 15:04:05 MST", "02-Jan-2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST", "02-Jan-06 15:04:05 MST", "2 Jan 2006",
}

// unavailableAfter reports whether the date of unavailable_after has passed
// when the document was found. A later one ends the document's
// validity, so that no permission outlives it; one that cannot be read counts
// as passed.
func (r *Result) unavailableAfter(directive string) bool {
	_, date, _ := strings.Cut(directive, ":")
	date = strings.TrimSpace(date)
	for _, layout := range dateLayouts {
		at, err := time.Parse(layout, date)
		if err != nil {
			continue
		}
		if r.CheckedAt == 0 || at.Unix() <= r.CheckedAt {
			return true
		}
		if r.ValidUntil == 0 || at.Unix() < r.ValidUntil {
			r.ValidUntil = at.Unix()
		}
		return false
	}
	r.addWarning("unavailable_after_date", "", date)
	return true
}

// tdmPair is a tdm-reservation with its tdm-policy, from a header or a page.
type tdmPair struct {
	reservation, policy string
	seen                bool
}

// setValue sets the value. Among several that differ, a reservation takes
// precedence over one that cannot be read, and that one over "0".
func (t *tdmPair) setValue(value string) {
	if value = strings.TrimSpace(value); !t.seen || value == "1" || t.reservation == "0" {
		t.reservation, t.seen = value, true
	}
}

func (t tdmPair) addTo(r *Result, base string, layer statements.Layer, locator string) {
	if t.policy != "" {
		r.addLink(base, statements.Link{Rel: "tdm-policy", URL: t.policy, Locator: locator})
	}
	if !t.seen {
		if t.policy != "" {
			r.addWarning("tdm_policy_without_reservation", locator, t.policy)
		}
		return
	}
	s := statements.Statement{Channel: statements.TDMRep, Layer: layer, Word: "reservation", Locator: locator}
	switch t.reservation {
	case "1":
		s.Effect, s.Text = statements.Disallow, "reserved"
	case "0":
		s.Effect, s.Text = statements.Allow, "not reserved"
	default:
		r.gapIn(statements.Gap{Code: "tdm_reservation_value_ignored", Locator: locator, Channel: statements.TDMRep}, t.reservation)
		return
	}
	if abs, ok := ResolveAbsolute(base, t.policy); ok && t.policy != "" && s.Effect == statements.Disallow {
		s.Terms.Custom = abs
	}
	r.addStatement(s)
}
