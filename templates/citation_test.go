package templates

import (
	"bytes"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
)

// TestCitationWithoutARecord checks that the page of an entry without a record
// links no record, offers no verification and says why.
func TestCitationWithoutARecord(t *testing.T) {
	n := sampleNames[0]
	c := sampleCitation(n)
	c.Portable, c.Registry = "", ""
	page := string(render(t, Citation(CitationPage{Site: sampleSite, Citation: c})))
	assert.Lacks(t, "an entry without a record", page, exports.RecordPath(c.EntryID), "Verify this record", "Ledger index", "/request/", `content="noindex`)
	assert.Contains(t, "an entry without a record", page, "There is no signed record for this page", "registered without a text of at least 64 characters", "How to ask for a licence")
	c.Portable = strings.Repeat("ab", 32)
	if page := render(t, Citation(CitationPage{Site: sampleSite, Citation: c})); !bytes.Contains(page, []byte("The next build signs its fingerprint")) {
		t.Error("the page does not say that its fingerprint is unsigned")
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
		t.Error("the page of a withdrawn entry offers a request, or lets search engines index it")
	}
}

func TestCitationTellsReferenceManagers(t *testing.T) {
	c := sampleCitation(sampleNames[0])
	c.Source.Byline, c.Source.PublishedAt, c.Source.Language = []string{"A. Keel", "B. \"Mast\""}, "2026-01-02T08:00:00Z", "en"
	page := string(render(t, Citation(CitationPage{Site: sampleSite, Citation: c, Terms: []string{"tides"}})))
	assert.Contains(t, "the page", page,
		`<meta name="citation_author" content="A. Keel">`, `<meta name="citation_author" content="B. &#34;Mast&#34;">`, `<meta name="citation_publication_date" content="2026/01/02">`,
		`<meta name="citation_public_url" content="`+c.CanonicalURL+`">`, `<meta name="DC.date" content="2026-01-02">`, `<meta name="DC.creator" content="A. Keel">`, `<meta name="citation_keywords" content="tides">`,
		`<meta name="citation_title" content="`,
	)
}
