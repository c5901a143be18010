package intake

import (
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestLinked checks which documents a home page names by a relation: in Link
// fields and in link elements of its head, over HTTPS only, and only so many.
func TestLinked(t *testing.T) {
	status, field, page := http.StatusOK, "", ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if field != "" {
			w.Header().Set("Link", field)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, page)
	}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	const host = "example.com" // of httptest's certificate
	p, err := NewProver(Options{
		Contact: "desk@registry.example", Registry: "https://registry.example", Roots: roots, AllowPrivate: true, Retries: -1,
		ConnectTo: map[string]string{host + ":443": server.Listener.Addr().String()},
	})
	must(t, err)
	defer p.Close()

	links := func(hrefs ...string) string {
		var b strings.Builder
		for _, h := range hrefs {
			fmt.Fprintf(&b, `<link rel="urvp" href="%s">`, h)
		}
		return "<html><head>" + b.String() + "</head><body>"
	}
	for _, c := range []struct {
		name        string
		status      int
		field, page string
		want        []string
		reached     bool
	}{
		{name: "nothing", status: 200, reached: true},
		{name: "an element", status: 200, page: links("/urvp.json"), want: []string{"https://example.com/urvp.json"}, reached: true},
		{name: "a field before an element", status: 200, field: `</field.json>; rel="urvp"`, page: links("https://other.example/a"), want: []string{"https://example.com/field.json", "https://other.example/a"}, reached: true},
		{name: "another relation", status: 200, field: `</field.json>; rel="other"`, reached: true},
		{name: "in the body", status: 200, page: "<html><head></head><body>" + links("/guest.json"), reached: true},
		{name: "over http", status: 200, page: links("http://example.com/urvp.json", "/urvp.json"), want: []string{"https://example.com/urvp.json"}, reached: true},
		{name: "more than are looked at", status: 200, page: links("/1", "/2", "/3", "/4", "/5"), want: []string{"https://example.com/1", "https://example.com/2", "https://example.com/3", "https://example.com/4"}, reached: true},
		{name: "no home page", status: 404, page: links("/urvp.json"), reached: true},
		{name: "a server that fails", status: 500},
	} {
		status, field, page = c.status, c.field, c.page
		got, reached := p.Linked(t.Context(), host, "urvp")
		if !slices.Equal(got, c.want) || reached != c.reached {
			t.Errorf("%s: %q, reached %v, want %q, %v", c.name, got, reached, c.want, c.reached)
		}
	}

	// A token is not an address, and stays as it is written.
	status, field, page = http.StatusOK, "", `<html><head><meta name="colophon-publisher" content="colophon-control=abc"><link rel="colophon-publisher" href="/file.json"></head><body>`
	var named []string
	for _, n := range p.listHomePage(t.Context(), host) {
		named = append(named, n.target)
		if n.proof.Host != host || n.proof.Method != "meta" || n.proof.Address != "https://example.com/" {
			t.Errorf("%s is named by %+v", n.target, n.proof)
		}
	}
	slices.Sort(named)
	if want := []string{"colophon-control=abc", "https://example.com/file.json"}; !slices.Equal(named, want) {
		t.Errorf("the home page names %q, want %q", named, want)
	}
}
