package acceptance_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
)

// box submits the form of the check page as a browser does, and follows the
// redirect.
func (w *rightsWorld) box(fields url.Values) (address string, page string) {
	w.t.Helper()
	form := edge.Header{{Name: "content-type", Value: "application/x-www-form-urlencoded"}, {Name: "accept", Value: "text/html"}}
	r := w.handle(context.Background(), &edge.Request{Method: "POST", Path: exports.PathCheckPage, Header: form, Body: []byte(fields.Encode()), ID: "rid_x"})
	if r.Status != 303 {
		w.t.Fatalf("the form answers %d: %s", r.Status, r.Body)
	}
	address = r.Header.Get("location")
	return address, w.checked(address, 200)
}

// checked returns the text of the answer at an address of the check page.
func (w *rightsWorld) checked(address string, status int) string {
	w.t.Helper()
	path, query, _ := strings.Cut(address, "?")
	r := w.handle(context.Background(), &edge.Request{Method: "GET", Path: path, Query: query, ID: "rid_x"})
	if r.Status != status {
		w.t.Fatalf("%s: %d %s", address, r.Status, r.Body)
	}
	assert.Equal(w.t, r.Header.Get("cache-control"), "no-store", "%s may be kept", address)
	return string(r.Body)
}

// results returns the text of the answer without its markup.
func results(t *testing.T, page string) string {
	t.Helper()
	_, part, ok := strings.Cut(page, `<section id="results">`)
	if !ok {
		t.Fatalf("a page without results: %s", page)
	}
	part, _, _ = strings.Cut(part, "</main>")
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(part))
	for z.Next() != html.ErrorToken {
		if tok := z.Token(); tok.Type == html.TextToken {
			b.WriteString(tok.Data)
		}
	}
	return b.String()
}

func wants(t *testing.T, text string, words ...string) {
	t.Helper()
	assert.Contains(t, "the text", text, words...)
}

func TestBoxTakesAnAddress(t *testing.T) {
	w := newRightsWorld(t)
	address, page := w.box(url.Values{"q": {" " + pageURL + " "}, "territory": {"DE"}, "user_type": {"commercial"}})
	if want := "/check/?q=https%3A%2F%2Fharbor-ledger.example%2Fshipping%2Ftide-tables-2026&territory=DE&user_type=commercial"; address != want {
		t.Errorf("the answer is at %s", address)
	}
	text := results(t, page)
	wants(t, text, "found by its address", "Harbor Ledger", "Declined: Training", "Ask first: Retrieval (RAG)", "Price and terms", "stated since", "Answered at 20 November 2026")
	wants(t, page, `<option value="DE" selected>Germany`, `<option value="commercial" selected>`, `action="/publishers/harbor-ledger/request/"`,
		`name="resource" value="`+pageURL+`"`, `name="territory" value="DE"`, `name="user_type" value="commercial"`, `<option value="rag">`, `href="/v1/public/rights/check?url=`)
	assert.Lacks(t, "asking about a use that is declined is offered", page, `<option value="training">`)
	assert.Lacks(t, "a slot of the shell was left", page, "%%")
}

func TestBoxTakesATextWithoutPuttingItIntoAnAddress(t *testing.T) {
	w := newRightsWorld(t)
	text := strings.Repeat("Tide tables for every harbour. ", 4)
	canonical, err := canonicaltext.CanonicalText(text)
	must(t, err)
	address, page := w.box(url.Values{"q": {text}})
	if strings.Contains(address, "Tide") || !strings.Contains(address, canonicaltext.PortableDigest([]byte(canonical))) {
		t.Errorf("the answer is at %s", address)
	}
	wants(t, results(t, page), "No registered page has this text", "No match does not mean free to use")
	if _, page := w.box(url.Values{"q": {w.digest}}); !strings.Contains(results(t, page), "found by its fingerprint") {
		t.Error("a fingerprint finds no page")
	}
	if _, page := w.box(url.Values{"q": {"sha-256:" + strings.ToUpper(w.digest)}}); !strings.Contains(results(t, page), "found by its fingerprint") {
		t.Error("a fingerprint as records write it finds no page")
	}
}

func TestBoxTellsWhatIsNotRegistered(t *testing.T) {
	w := newRightsWorld(t)
	for _, x := range []struct {
		q, want, not string
	}{
		{"https://harbor-ledger.example/unknown", "not registered, but its site is", "Nobody"},
		{"harbor-ledger.example", "not registered, but its site is", "Nobody"},
		{pageURL + "?utm_source=x", "found as the same page under another address", "Nobody"},
		{"https://nobody.example/", "This address is not registered", "Ask for a licence"},
		{strings.Repeat("0", 64), "Nothing registered has this fingerprint", "Ask for a licence"},
		{"ISCC:KACT4EBWK27737D2", "This kind of ISCC is not indexed here", "Ask for a licence"},
		{"tide tables", "search the catalog for “tide tables”", "Ask for a licence"},
		{"no-such-site", "No publisher has this name here", "Ask for a licence"},
		{"tides", "Search the catalog for pages about it", "Ask for a licence"},
		{"harbor-ledger", "the whole site", "Nobody"},
		{w.entry, "found by its identifier", "Nobody"},
		{`<script>alert(1)</script>`, "search the catalog for “<script>", "Ask for a licence"},
	} {
		page := w.checked(exports.PathCheckPage+"?q="+url.QueryEscape(x.q), 200)
		text := results(t, page)
		wants(t, text, x.want)
		if strings.Contains(text, x.not) {
			t.Errorf("%s: %q is in: %s", x.q, x.not, text)
		}
		assert.Lacks(t, x.q+": the question is in the page as markup", page, "<script>alert")
	}
	w.checked(exports.PathCheckPage+"?q="+url.QueryEscape(pageURL)+"&territory=Germany", 400)
	w.checked(exports.PathCheckPage+"?q="+url.QueryEscape("http://[::1"), 400)
}

// TestBoxFollowsTheOrigin checks that a change in the origin shows in the next
// answer.
func TestBoxFollowsTheOrigin(t *testing.T) {
	w := newRightsWorld(t)
	ask := exports.PathCheckPage + "?q=" + url.QueryEscape(pageURL)
	wants(t, results(t, w.checked(ask, 200)), "Ask first: Retrieval (RAG)")
	w.prefer("rag", "not_offered", "disallow", "2026-11-01T00:00:00Z")
	w.offer("retired", nil)
	assert.Lacks(t, "still asked about", results(t, w.checked(ask, 200)), "Ask first: Retrieval (RAG)")
}

// TestBoxPicksNone checks that two pages with the same text give two answers.
func TestBoxPicksNone(t *testing.T) {
	w := newRightsWorld(t)
	ctx := context.Background()
	pages, err := w.store.PagesOf(ctx, "harbor-ledger", "", 10)
	must(t, err)
	var twin origin.Page
	for _, p := range pages {
		if p.EntryID != w.entry {
			twin = p
		}
	}
	twin.Portable = w.digest
	must(t, w.store.PutPage(ctx, twin, nil))
	text := results(t, w.checked(exports.PathCheckPage+"?q="+w.digest, 200))
	wants(t, text, "2 registered pages have this fingerprint", "All are listed below")
}

// TestBoxFindsLikeWording checks that a similarity code finds the same pages as
// in the API, and that a changed text finds them if the host computes codes.
func TestBoxFindsLikeWording(t *testing.T) {
	w := newRightsWorld(t)
	text := "High water at Pier 4 is at four in the morning, and the harbour master writes it down: " + pageURL
	code := iscc.Sum(text).String()
	page := w.checked(exports.PathCheckPage+"?q="+url.QueryEscape(code)+"&territory=DE", 200)
	wants(t, results(t, page), "1 registered page has wording like this", "about 100 % of the wording is the same", "proves neither copying nor ownership")
	wants(t, page, `href="/check/?q=`+w.entry+`&amp;territory=DE"`, `href="/v1/public/citations/similar?iscc=`)

	far := iscc.Sum(strings.Repeat("Nothing of this stands on any page of the harbour. ", 9)).String()
	wants(t, results(t, w.checked(exports.PathCheckPage+"?q="+far, 200)), "No registered page has similar wording", "No match does not mean free to use")

	changed := text + " and so on"
	if _, page := w.box(url.Values{"q": {changed}}); strings.Contains(page, "similar wording") {
		t.Error("a host without codes tells of similar wording")
	}
	w.deps.TextCode = func(s string) string { return iscc.Sum(s).String() }
	w.handle = worker.New(w.deps)
	address, page := w.box(url.Values{"q": {changed}})
	wants(t, address, "&text=1&iscc=ISCC%3AEAD")
	wants(t, results(t, page), "No registered page has this text", "Registered pages of similar wording", "another version of your text")
	wants(t, page, `href="/check/?q=`+w.entry+`"`)
}

// TestBoxDatesItsEvidence checks the dates of evidence: a publisher's statement
// here has a beginning, a document of its site was read at an instant, and a
// line by a CDN is not attributed to the publisher.
func TestBoxDatesItsEvidence(t *testing.T) {
	w := newRightsWorld(t)
	w.observe("robots", "/robots.txt", "# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n# END Cloudflare Managed Content\n")
	w.prefer("training", "not_offered", "disallow", "2025-02-03T00:00:00Z")
	must(t, snapshot.RefreshEvidence(context.Background(), w.store, "harbor-ledger"))
	text := results(t, w.checked(exports.PathCheckPage+"?q="+url.QueryEscape(pageURL), 200))
	wants(t, text, "stated since 3 February 2025", "last looked at 20 November 2026, today", "added by the site’s CDN")
	assert.Lacks(t, "a statement is shown as a look", text, "last looked at 3 February 2025")
}
