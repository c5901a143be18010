package rights_test

import (
	"reflect"
	"testing"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// TestOwnStatementsAreConfirmed compares a publisher's statement about training
// in the registry with one of its channels. The statement is never withdrawn;
// the doubt is reported beside it.
func TestOwnStatementsAreConfirmed(t *testing.T) {
	cut := channel.ParseTDMRep(at("/.well-known/tdmrep.json", `[{"location": "/", "tdm-res`))
	misspelt := licence(`<content url="/"><license><prohibitz type="usage">ai-train</prohibitz></license></content>`)
	yes, no := header("/", "Content-Usage: train-ai=y"), header("/", "Content-Usage: train-ai=n")

	for _, c := range []struct {
		name, declared string
		channel        channel.Result
		want, verdict  string
	}{
		{"the same", "allow", yes, "", "signal_allow"},
		{"about another use", "allow", header("/", "Content-Usage: search=n"), "", "signal_allow"},
		{"the opposite of an allow", "allow", no, exports.Contradicted, "declined"},
		{"the opposite of a reservation", "disallow", yes, exports.Contradicted, "declined"},
		{"a document that failed", "allow", cut, exports.Unconfirmed, "signal_allow"},
		{"a document read in part", "allow", misspelt, exports.Unconfirmed, "signal_allow"},
		{"a reservation and a document that failed", "disallow", cut, exports.Unconfirmed, "declined"},
		{"nothing stated", "unknown", cut, "", "unknown"},
		{"one agent is told the opposite", "allow", robots("User-agent: GPTBot", "Disallow: /"), exports.Contradicted, "declined"},
	} {
		f := pierNews(c.channel)
		f.Preferences = []origin.Preference{{SiteID: "pier-news", Use: "training", Inquiry: "unstated", Declared: c.declared, Since: since, Source: "publisher", ChangedAt: since}}
		must(t, f.Precompute("2026-11-21T00:00:00Z"))

		var inMap []exports.StatementDoubt
		if c.want != "" {
			inMap = []exports.StatementDoubt{{Use: "training", Confirmation: c.want}}
		}
		if record, _ := rights.Map(f, rights.NewTally()); !reflect.DeepEqual(record.Doubts, inMap) {
			t.Errorf("%s: the map says %v, want %q", c.name, record.Doubts, c.want)
		}

		doc, _, err := rights.RightsDocumentAt(f, "2026-11-21T00:00:00Z")
		must(t, err)
		now, _ := exports.ParseInstant("2026-11-21T00:00:00Z")
		about := rights.Resource{URL: home + "/"}
		j := doc.Evaluate(about, rights.Question{At: now.Unix()}, nil, false)
		if got := j.Uses[1].Verdict; got != c.verdict {
			t.Errorf("%s: %s, want %s", c.name, got, c.verdict)
		}
		for _, e := range j.ResourceRights(about, exports.UseWords(), true).Evidence {
			if want := map[bool]string{true: c.want}[e.Channel == "publisher_statement"]; e.Confirmation != want {
				t.Errorf("%s: evidence of %s is marked %q, want %q", c.name, e.Channel, e.Confirmation, want)
			}
		}
	}
}
