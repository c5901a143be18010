package templates

import (
	"bytes"
	"strings"
	"testing"

	"colophon/exports"
)

func TestStyles(t *testing.T) {
	c := exports.Citation{CanonicalURL: "https://harbor-ledger.example/tides", Publisher: "Harbor Ledger", SiteID: "harbor-ledger",
		Source: exports.CitedSource{Title: "Tide tables 2026", Byline: []string{"M. Mast", "Ann Keel", "小林 波"}, PublishedAt: "2026-01-02T08:00:00Z"}}
	bare := c
	bare.Source = exports.CitedSource{Title: "Is it high water?"}
	one := c
	one.Source.Byline = []string{"M. Mast Jr."}
	one.Source.PublishedAt = "2026-09-30T08:00:00Z"
	for _, x := range []struct {
		name string
		form func(exports.Citation) string
		c    exports.Citation
		want string
	}{
		{"apa", apa, c, "M. Mast, Ann Keel & 小林 波 (2026, January 2). Tide tables 2026. Harbor Ledger. https://harbor-ledger.example/tides"},
		{"apa, no author or date", apa, bare, "Is it high water? (n.d.). Harbor Ledger. https://harbor-ledger.example/tides"},
		{"mla", mla, c, "M. Mast, Ann Keel, and 小林 波. “Tide tables 2026.” Harbor Ledger, 2 Jan. 2026, https://harbor-ledger.example/tides."},
		{"mla, one author", mla, one, "M. Mast Jr. “Tide tables 2026.” Harbor Ledger, 30 Sept. 2026, https://harbor-ledger.example/tides."},
		{"mla, no author or date", mla, bare, "“Is it high water?” Harbor Ledger, https://harbor-ledger.example/tides."},
		{"chicago", chicago, c, "M. Mast, Ann Keel, and 小林 波. “Tide tables 2026.” Harbor Ledger. January 2, 2026. https://harbor-ledger.example/tides."},
		{"chicago, no author or date", chicago, bare, "“Is it high water?” Harbor Ledger. https://harbor-ledger.example/tides."},
	} {
		if got := x.form(x.c); got != x.want {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, got, x.want)
		}
	}
}

// TestCitationWithoutARecord: a page without a record links none, offers no
// verification and says why.
func TestCitationWithoutARecord(t *testing.T) {
	n := sampleNames[0]
	c := sampleCitation(n)
	c.Portable, c.Registry = "", ""
	page := string(render(t, Citation(CitationPage{Site: sampleSite, Citation: c})))
	for _, not := range []string{exports.RecordPath(c.EntryID), "Verify this record", "Ledger index", "/request/", `content="noindex`} {
		if strings.Contains(page, not) {
			t.Errorf("%q is on the page of an entry without a record", not)
		}
	}
	for _, want := range []string{"No record is signed for this page", "registered the address without a text", "How to ask for a licence"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page of an entry without a record", want)
		}
	}
	c.Portable = strings.Repeat("ab", 32)
	if page := render(t, Citation(CitationPage{Site: sampleSite, Citation: c})); !bytes.Contains(page, []byte("no build has signed it yet")) {
		t.Error("a fingerprint that nobody signed is not told of")
	}
}

func TestCitationFillsTheRequest(t *testing.T) {
	c := sampleCitation(sampleNames[0])
	c.CanonicalURL = "https://x.example/a?b=c&d=e"
	page := string(render(t, Citation(CitationPage{Site: sampleSite, Citation: c, Asks: true})))
	if want := `/request/?resource=https%3A%2F%2Fx.example%2Fa%3Fb%3Dc%26d%3De"`; !strings.Contains(page, want) {
		t.Errorf("no link with %s", want)
	}
	c.Status = "withdrawn"
	page = string(render(t, Citation(CitationPage{Site: sampleSite, Citation: c, Asks: true})))
	if strings.Contains(page, "/request/") || !strings.Contains(page, `content="noindex`) {
		t.Error("a withdrawn page is asked about, or may be found by search engines")
	}
}

func TestCitationTellsReferenceManagers(t *testing.T) {
	c := sampleCitation(sampleNames[0])
	c.Source.Byline, c.Source.PublishedAt, c.Source.Language = []string{"A. Keel", "B. \"Mast\""}, "2026-01-02T08:00:00Z", "en"
	page := string(render(t, Citation(CitationPage{Site: sampleSite, Citation: c, Terms: []string{"tides"}})))
	for _, want := range []string{
		`<meta name="citation_author" content="A. Keel">`, `<meta name="citation_author" content="B. &#34;Mast&#34;">`, `<meta name="citation_publication_date" content="2026/01/02">`,
		`<meta name="citation_public_url" content="` + c.CanonicalURL + `">`, `<meta name="DC.date" content="2026-01-02">`, `<meta name="DC.creator" content="A. Keel">`, `<meta name="citation_keywords" content="tides">`,
		`<meta name="citation_title" content="`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
}
