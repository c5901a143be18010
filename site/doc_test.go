package site

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/internal/assert"
)

var must = assert.NoError

const base = "https://svc.example"

func TestDocsAreWellFormed(t *testing.T) {
	docs, err := Docs()
	must(t, err)
	if len(docs) < 12 || docs[0].Slug != "index" {
		t.Fatalf("%d pages, the first is %q", len(docs), docs[0].Slug)
	}
	slugs := map[string]bool{"reference": true}
	for _, d := range docs {
		slugs[d.Slug] = true
	}
	for _, d := range docs {
		if n := len([]rune(d.Description)); n < 70 || n > 155 {
			t.Errorf("%s: description of %d characters", d.Slug, n)
		}
		checkDoc(t, d.Slug, d.HTML(base), slugs)
	}
}

var docLink = regexp.MustCompile(`^/developers/([a-z-]+)/$`)

// checkDoc asserts one h1, unique ids, no style, no raw markup, and links
// within the documentation that work.
func checkDoc(t *testing.T, slug, page string, slugs map[string]bool) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	must(t, err)
	h1, ids := 0, map[string]bool{}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode && n.Data == "h1" {
			h1++
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id" && ids[a.Val]:
				t.Errorf("%s: id %q twice", slug, a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "style" || a.Key == "align":
				t.Errorf("%s: <%s %s>", slug, n.Data, a.Key)
			case a.Key == "href":
				if m := docLink.FindStringSubmatch(a.Val); m != nil && !slugs[m[1]] {
					t.Errorf("%s: no page %q", slug, a.Val)
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	if h1 != 1 || strings.Contains(page, exampleBase) || strings.Contains(page, "raw HTML omitted") {
		t.Errorf("%s: %d h1, or something is left unrendered", slug, h1)
	}
}

func TestWorkedExampleOfTheTextProfile(t *testing.T) {
	docs, err := Docs()
	must(t, err)
	sum := sha256.Sum256([]byte("Tide tables for 2026 High water at Pier 4 is 04:12."))
	for _, d := range docs {
		if d.Slug == "provenance" && strings.Contains(d.Markdown, hex.EncodeToString(sum[:])) {
			return
		}
	}
	t.Error("the digest in the worked example is not that of its text")
}

func TestLinksLeadToPages(t *testing.T) {
	for markdown, want := range map[string]string{
		"[errors](errors.md)":                                   "[errors](/developers/errors/)",
		"[many](rights.md#many-at-once)":                        "[many](/developers/rights/#many-at-once)",
		"[start](index.md)":                                     "[start](/developers/)",
		"[changes](../../CHANGELOG.md)":                         "[changes](/developers/changelog/)",
		"[version](site/docs/rights.md#which-version)":          "[version](/developers/rights/#which-version)",
		"[rates](../../docs/configuration.md#rates).":           "rates (`docs/configuration.md` of the source).",
		"[one server](../../docs/deploy/server.md)":             "one server (`docs/deploy/server.md` of the source)",
		"[the list](http://127.0.0.1:8787/catalog/)":            "[the list](/catalog/)",
		"curl 'http://127.0.0.1:8787/v1/public/network-stats'":  "curl 'http://127.0.0.1:8787/v1/public/network-stats'",
		"[a page](https://other.example/docs/errors.md)":        "[a page](https://other.example/docs/errors.md)",
		"`[server]` listens at 127.0.0.1:8787; see `errors.md`": "`[server]` listens at 127.0.0.1:8787; see `errors.md`",
	} {
		assert.Equal(t, linkPages(markdown), want, "%q becomes", markdown)
	}
}

func TestTextsNameTheBase(t *testing.T) {
	for name, text := range map[string][]byte{"robots.txt": Robots(base), "llms.txt": LLMs(base)} {
		if s := string(text); strings.Contains(s, "{base}") || !strings.Contains(s, base+"/") {
			t.Errorf("%s: %s", name, s)
		}
	}
}

func TestHeadsAreStrict(t *testing.T) {
	for _, s := range []string{"", "# No head\n", "---\ntitle: A\n", "---\ntitle: A\n---\nx", "---\ntitle: A\ndescription: B\norder: x\n---\n", "---\ntitle: A\ndescription: B\ncolour: red\n---\n"} {
		assert.Fails(t, assert.Err(parseDoc(s)), "%q is taken for a page", s)
	}
	d, err := parseDoc("---\ntitle: A\ndescription: B\norder: 3\n---\n# A\n")
	if err != nil || d.Title != "A" || d.Order != 3 || d.Markdown != "# A\n" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestLongDocsAreFolded checks that every section of a long page is folded
// under its heading, and that none of its text or anchors is lost.
func TestLongDocsAreFolded(t *testing.T) {
	tags := regexp.MustCompile(`</?(?:details|summary|div)\b[^>]*>`)
	plain := func(page string) string { return strings.Join(strings.Fields(tags.ReplaceAllString(page, " ")), " ") }
	ids := regexp.MustCompile(` id="[^"]*"`)
	sections := regexp.MustCompile(`(?m)^## `)
	docs, err := Docs()
	must(t, err)
	folded := 0
	for _, d := range docs {
		whole, err := RenderMarkdown(strings.ReplaceAll(linkPages(d.Markdown), exampleBase, base))
		must(t, err)
		page := d.HTML(base)
		if got, want := strings.Count(page, "<details"), len(sections.FindAllString(d.Markdown, -1)); got != 0 && got != want {
			t.Errorf("%s: %d of %d sections are folded", d.Slug, got, want)
		}
		if len(d.Markdown) > 9000 && !strings.Contains(page, "<details") {
			t.Errorf("%s has %d bytes and is not folded", d.Slug, len(d.Markdown))
		}
		if strings.Contains(page, "<details") {
			folded++
		}
		if got, want := ids.FindAllString(page, -1), ids.FindAllString(whole, -1); strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("%s: anchors %q, want %q", d.Slug, got, want)
		}
		if got, want := ids.ReplaceAllString(plain(page), ""), ids.ReplaceAllString(plain(whole), ""); got != want {
			t.Errorf("%s: folding changed its text", d.Slug)
		}
	}
	if folded == 0 {
		t.Error("no page is folded")
	}
}
