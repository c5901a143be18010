package acceptance_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/worker/edge"
)

// fields returns the values of the form fields on a page, by name.
func fields(t *testing.T, page string) map[string]string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	must(t, err)
	out := map[string]string{}
	var walk func(n *html.Node, selected string)
	walk = func(n *html.Node, selected string) {
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		_, isSelected := attr["selected"]
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "input":
			out[attr["name"]] = attr["value"]
		case n.Data == "textarea":
			out[attr["name"]] = ""
			if n.FirstChild != nil {
				out[attr["name"]] = n.FirstChild.Data
			}
		case n.Data == "select":
			selected, out[attr["name"]] = attr["name"], ""
		case n.Data == "option" && isSelected:
			out[selected] = attr["value"]
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, selected)
		}
	}
	walk(root, "")
	return out
}

func TestRequestFormIsFilledByALink(t *testing.T) {
	w := newRightsWorld(t)
	get := func(query string) *edge.Response {
		return w.handle(context.Background(), &edge.Request{Method: "GET", Path: exports.RequestPage("harbor-ledger"), Query: query, ID: "rid_x"})
	}
	hostile := pageURL + `?"><script>alert(1)</script>`
	for _, x := range []struct{ query, scope, use, message string }{
		{"resource=" + url.QueryEscape(pageURL) + "&use=rag&territory=DE&user_type=commercial", pageURL, "rag", "We ask as a business in DE.\n"},
		{"resource=" + url.QueryEscape(hostile) + "&use=retrieval", hostile, "rag", ""},
		{"territory=FR&use=training", "", "training", "We ask from FR.\n"},
		{"use=nonsense&territory=France&user_type=%3Cb%3E", "", "", ""},
		{"utm_source=x", "", "", ""},
	} {
		r := get(x.query)
		if r.Status != 200 {
			t.Fatalf("%s: %d %s", x.query, r.Status, r.Body)
		}
		got := fields(t, string(r.Body))
		if got["requested_scope"] != x.scope || got["requested_use"] != x.use || got["message"] != x.message || got["site_id"] != "harbor-ledger" {
			t.Errorf("%s fills %q", x.query, got)
		}
		assert.Lacks(t, x.query+": markup got into the page", string(r.Body), "<script>alert")
	}
	if r := get("use=%ff"); r.Status != 400 {
		t.Errorf("a broken query: %d", r.Status)
	}
	gone := w.handle(context.Background(), &edge.Request{Method: "GET", Path: exports.RequestPage("nobody"), Query: "use=rag", ID: "rid_x"})
	assert.Equal(t, gone.Status, 404, "the form of nobody")
}
