package citation

import (
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/wire"
)

// TestHTML checks a citation as a part of a page, whose texts must not become
// markup.
func TestHTML(t *testing.T) {
	c := exports.Citation{Publisher: "Harbor & Ledger", CanonicalURL: "https://harbor-ledger.example/a?b&c", Source: exports.CitedSource{Title: "Tide\u202e <b>\"tables\"", Byline: []string{"Ada Tern", "B. Gull Jr."}}}
	Spell(&c)
	const want = `Ada Tern, B. Gull Jr. <cite>Tide &lt;b&gt;&#34;tables&#34;</cite>. Harbor &amp; Ledger. <a href="https://harbor-ledger.example/a?b&amp;c">harbor-ledger.example</a>`
	if c.HTML != want {
		t.Errorf("got  %s\nwant %s", c.HTML, want)
	}
}

// TestFormsAgreeOnDates renders a citation in every form: either all of them
// have the day of publication or none does.
func TestFormsAgreeOnDates(t *testing.T) {
	for _, c := range []struct {
		published, modified     string
		plain, bibtex, ris, csl string
	}{
		{"2026-01-02T08:00:00Z", "2026-03-04T08:00:00Z", ", 2 January 2026 (updated 4 March 2026). ", "year = {2026},\n  month = {1},", "DA  - 2026/01/02", `"date-parts":[[2026,1,2]]`},
		{"2026-01-02T08:00:00Z", "2026-01-02T23:00:00Z", ", 2 January 2026. ", "year = {2026},\n  month = {1},", "DA  - 2026/01/02", `"date-parts":[[2026,1,2]]`},
		{"", "2026-03-04T08:00:00Z", "Ledger (updated 4 March 2026). ", "", "", ""},
		{"2026-13-02T08:00:00Z", "", "Ledger. ", "", "", ""},
		{"2026-01-32T08:00:00Z", "", "Ledger. ", "", "", ""},
		{"last January", "last March", "Ledger. ", "", "", ""},
	} {
		x := exports.Citation{EntryID: "ent_1", Publisher: "Harbor Ledger", CanonicalURL: "https://harbor-ledger.example/", Source: exports.CitedSource{Title: "Tide tables", PublishedAt: c.published, ModifiedAt: c.modified}}
		Spell(&x)
		for _, f := range []struct{ name, got, want, word string }{
			{"plain text", x.Plain, c.plain, ""}, {"HTML", x.HTML, c.plain, ""}, {"BibTeX", x.BibTeX, c.bibtex, "year"},
			{"RIS", RIS(&x), c.ris, "PY"}, {"CSL", string(wire.Append(nil, &exports.CSL{C: &x})), c.csl, "issued"},
		} {
			if !strings.Contains(f.got, f.want) || f.want == "" && strings.Contains(f.got, f.word) {
				t.Errorf("published %q, modified %q: %s is %q, want %q in it", c.published, c.modified, f.name, f.got, f.want)
			}
		}
	}
}
