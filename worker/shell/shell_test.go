package shell

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/files"
	"colophon/worker/problem"
	"colophon/worker/request"
)

type published map[string]string

func (p published) Read(_ context.Context, key string) ([]byte, error) {
	text, ok := p[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

const (
	head = `<!doctype html><title>List</title><header>main</header>` + exports.MainStart
	tail = `</main><footer>After.</footer>`
)

func testPages() *Pages {
	tree := published{
		"offers/index.html": head + "<h1>Old</h1>" + tail, "broken/index.html": "<h1>No content</h1>", "turned/index.html": tail + head, "404.html": head + "<h1>Nothing</h1>" + tail,
	}
	for siteID, open := range map[string]bool{"open": true, "closed": false} {
		p := exports.Publisher{PublisherSummary: exports.PublisherSummary{SiteID: siteID, AcceptsInquiries: open, RAGSuitability: "high", Readiness: "listed", UpdatedAt: "2026-01-01T00:00:00Z"}, DomainControl: "none"}
		tree[string(exports.KeyOf(exports.PublisherPath(siteID)))] = string(wire.Append(nil, &p))
	}
	return &Pages{BaseURL: "https://registry.example", Files: &files.Service{Assets: tree}}
}

// TestAnswer: an answer is the published page with other content, and nothing else
// of the page changes.
func TestAnswer(t *testing.T) {
	call := &request.Call{Request: &edge.Request{Method: "GET"}, Endpoint: &exports.Endpoint{Cache: "public, max-age=60"}}
	resp, err := testPages().Answer(t.Context(), call, 200, "/offers/", templ.Raw("<h1>New</h1></main>"))
	if err != nil || string(resp.Body) != head+"<h1>New</h1></main>"+tail || resp.Header.Get("cache-control") != "public, max-age=60" || resp.Header.Get("x-robots-tag") != "noindex" || resp.Header.Get("etag") == "" {
		t.Errorf("%v: %s, headers %v", err, resp.Body, resp.Header)
	}
	call.Header.Set("if-none-match", resp.Header.Get("etag"))
	if again, err := testPages().Answer(t.Context(), call, 200, "/offers/", templ.Raw("<h1>New</h1></main>")); err != nil || again.Status != 304 {
		t.Errorf("the same again is %d, %v", again.Status, err)
	}
	if wrong, err := testPages().Answer(t.Context(), call, 422, "/offers/", templ.Raw("<h1>New</h1></main>")); err != nil || wrong.Status != 422 || wrong.Header.Get("etag") != "" {
		t.Errorf("a refused form is %d, %v", wrong.Status, err)
	}
	for _, path := range []string{"/nowhere/", "/broken/", "/turned/"} {
		if _, err := testPages().Answer(t.Context(), call, 200, path, templ.Raw("x")); problem.Of(err) == nil || problem.Of(err).Code != "index_unavailable" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestFormAgain: a form that was refused comes back as its page, with the problem
// for programs; without a form, or without the page, the problem is a page.
func TestFormAgain(t *testing.T) {
	fault := &problem.Failure{Code: "validation_failed", Fields: []wire.FieldError{{Pointer: "/message", Code: "too_short", Detail: "</script>"}}}
	r := &edge.Request{Method: "POST", Path: "/offers/", ID: "rid"}
	resp := testPages().FormAgain(t.Context(), r, "/offers/", fault, templ.Raw("<form></form>"))
	body := string(resp.Body)
	if resp.Status != 422 || !strings.HasPrefix(body, head+`<form></form><script type="application/problem+json">{`) || !strings.HasSuffix(body, "</script>"+tail) || strings.Contains(body, `"</script>`) || resp.Header.Get("cache-control") != "private, no-store" {
		t.Errorf("%d %s", resp.Status, body)
	}
	for _, resp := range []*edge.Response{testPages().FormAgain(t.Context(), r, "/offers/", fault, nil), testPages().FormAgain(t.Context(), r, "/nowhere/", fault, templ.Raw("<form></form>"))} {
		if body := string(resp.Body); resp.Status != 422 || strings.Contains(body, "<form>") || !strings.Contains(body, "One field needs correcting.") || !strings.Contains(body, "Message to the publisher: &lt;/script&gt;") {
			t.Errorf("%d %s", resp.Status, body)
		}
	}
	for _, siteID := range []string{"nobody", "closed"} {
		if form := testPages().RequestForm(t.Context(), siteID, content.Filled{}); form != nil {
			t.Errorf("a form for %s, which takes no inquiries", siteID)
		}
	}
	if form := testPages().RequestForm(t.Context(), "open", content.Filled{}); form == nil {
		t.Error("no form for a publisher that takes inquiries")
	}
}

// TestBarePage: while no shell is published, a page is whole without it, and its
// title becomes no markup.
func TestBarePage(t *testing.T) {
	resp := testPages().Respond(t.Context(), 201, "A <b> & \"c\"", templ.Raw("<p>One.</p>"), templ.Raw("<p>Two.</p>"))
	const title = "A &lt;b&gt; &amp; &#34;c&#34;"
	const want = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>` + title +
		`</title></head><body><main><h1>` + title + `</h1><p>One.</p><p>Two.</p><p>Nothing on this site is a licence.</p></main></body></html>`
	if resp.Status != 201 || string(resp.Body) != want {
		t.Errorf("%d %s", resp.Status, resp.Body)
	}
}

// TestFault: an address at which there is nothing is answered with its page, and
// with the problem in it.
func TestFault(t *testing.T) {
	resp := testPages().Fault(t.Context(), &edge.Request{Method: "GET", Path: "/x", ID: "rid"}, &problem.Failure{Code: "not_found"})
	if body := string(resp.Body); resp.Status != 404 || !strings.HasPrefix(body, head+"<h1>Nothing</h1><script") || !strings.HasSuffix(body, "</script>"+tail) {
		t.Errorf("%d %s", resp.Status, body)
	}
}

// TestFilled: each error is said at its field, those of parts at the whole, those of
// an amount at the price.
func TestFilled(t *testing.T) {
	x := FailedForm{Form: request.Values{{"price", "x"}}, Fault: &problem.Failure{Code: "validation_failed", Fields: []wire.FieldError{
		{Pointer: "/uses/0", Detail: "One."}, {Pointer: "/uses/2", Detail: "Two."}, {Pointer: "/amount_cents", Detail: "Three."}, {Pointer: "/currency", Detail: "Four."},
	}}}
	f := x.Filled()
	if f.Wrong["uses"] != "One. Two." || f.Wrong["price"] != "Three. Four." || len(f.Wrong) != 2 || f.Text("price") != "x" || f.Fault == nil {
		t.Errorf("%+v", f)
	}
}
