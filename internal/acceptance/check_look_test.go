package acceptance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/worker"
	"colophon/worker/edge"
)

// lookWith lets the check page read a real server on this machine.
func (w *rightsWorld) lookWith(server string, asked *[]string) {
	w.deps.ReadUnregistered = func(ctx context.Context, page string) ([]origin.Evidence, bool) {
		*asked = append(*asked, page)
		found, err := enrol.ReadUnregistered(ctx, intake.Options{Contact: "desk@registry.example", ConnectTo: map[string]string{"nobody.example:80": server}, Retries: -1, Now: w.deps.Now}, page)
		return found, err == nil && enrol.Reached(found)
	}
	w.handle = worker.New(w.deps)
}

// press submits the button that reads an unregistered site.
func (w *rightsWorld) press(fields url.Values) *edge.Response {
	fields.Set("look", "1")
	form := edge.Header{{Name: "content-type", Value: "application/x-www-form-urlencoded"}, {Name: "accept", Value: "text/html"}}
	return w.handle(context.Background(), &edge.Request{Method: "POST", Path: exports.PathCheckPage, Header: form, Body: []byte(fields.Encode()), ID: "rid_x", Remote: "203.0.113.9"})
}

// TestLookAtWhatNobodyRegistered checks that a site is read only when the
// button is pressed, that it is judged as after an import, and that nothing is
// stored.
func TestLookAtWhatNobodyRegistered(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			rw.Write([]byte("User-agent: *\nAllow: /\nContent-Signal: search=yes, ai-train=no\n")) //nolint:errcheck
		case "/page":
			rw.Header().Set("Content-Type", "text/html")
			rw.Write([]byte(`<html><head><title>Tides</title></head><body>Text.</body></html>`)) //nolint:errcheck
		default:
			http.NotFound(rw, r)
		}
	}))
	defer site.Close()
	const page = "http://nobody.example/page"
	w := newRightsWorld(t)

	assert.Lacks(t, "a look is offered that the operator does not allow", w.checked(exports.PathCheckPage+"?q="+url.QueryEscape(page), 200), `name="look"`)
	if r := w.press(url.Values{"q": {page}}); r.Status != 303 {
		t.Errorf("a look that the operator does not allow: %d", r.Status)
	}

	var asked []string
	w.lookWith(site.Listener.Addr().String(), &asked)
	offer := w.checked(exports.PathCheckPage+"?q="+url.QueryEscape(page), 200)
	wants(t, offer, `name="look" value="1"`, "Check what the site says now")
	if len(asked) != 0 {
		t.Fatal("a link made this service reach out")
	}
	r := w.press(url.Values{"q": {page}, "territory": {"DE"}})
	if r.Status != 200 || r.Header.Get("cache-control") != "no-store" {
		t.Fatalf("%d %v", r.Status, r.Header)
	}
	text := results(t, string(r.Body))
	wants(t, text, "This address is not registered", "Declined: Training", "Signals allow: Search indexing", "neither verified nor stored", "What this rests on: ", "is not a permission")
	wants(t, string(r.Body), `data-use="training" data-verdict="declined"`, `<option value="DE" selected>`)
	assert.Lacks(t, "a request to nobody is offered", text, "Ask for a licence")

	// A registered page is never read: the registry answers for it.
	asked = nil
	if r := w.press(url.Values{"q": {pageURL}}); r.Status != 303 || len(asked) != 0 {
		t.Errorf("a registered page: %d, %q", r.Status, asked)
	}
	site.Close()
	wants(t, results(t, string(w.press(url.Values{"q": {page}}).Body)), "cannot be checked now", "says nothing about rights")
	if r := w.press(url.Values{"q": {"file:///etc/passwd"}}); r.Status == 200 {
		t.Errorf("a file: %d %s", r.Status, r.Body)
	}
}
