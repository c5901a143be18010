package generator

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"colophon/internal/origin"
	"colophon/templates/frame"
)

// hostile returns texts that a publisher might send as a name, a title or a
// term. With -short it returns each alone and after Arabic text only.
func hostile() []string {
	seeds := []string{
		`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `</title><script src=//x.example>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
		`<svg/onload=alert(1)>`, `<!--`, `-->`, `<![CDATA[`, `]]>`, `]]&gt;`, `<?xml version="1.0"?>`, `<!DOCTYPE x [<!ENTITY y "z">]>&y;`, `&lt;script&gt;`, `&amp;amp;`, `</textarea>`,
		`<base href=//evil.example>`, `<meta http-equiv=refresh content=0>`, `%%MAIN%%`, `%%QUERY%%`, `%%TITLE%%`, `=HYPERLINK("https://evil.example")`, `+1+1`, `-2+3`, `@SUM(A1)`,
		"\t=1", "\r\n=1", "a,b;c\td", `"quoted", "twice"`, "a\x00b", "a\x1b[31mb", "\u202egnp.exe", "\u2066x\u2069", "e" + strings.Repeat("\u0301", 300), "\u2028\u2029", "\ufffe\uffff",
		"\U000E0041", "\u200b", "javascript:alert(1)", "{\"@context\":\"evil\"}", `\u003c/script>`, `{base}`, strings.Repeat("W", 3000),
	}
	forms := []string{"%s", "عنوان %s", "x%sy", "标题%s", "%[1]s%[1]s"}
	if testing.Short() {
		forms = forms[:2]
	}
	var out []string
	for _, form := range forms {
		for _, s := range seeds {
			out = append(out, fmt.Sprintf(form, s))
		}
	}
	return out
}

// TestHostileTextIsInertInEveryFile builds an origin in which every text of a
// publisher is hostile, and checks that each published file is valid in its
// format and that no text became markup, a script or a formula.
func TestHostileTextIsInertInEveryFile(t *testing.T) {
	t.Parallel()
	texts := hostile()
	if len(texts) < 80 {
		t.Fatalf("only %d strings", len(texts))
	}
	store, dir := newRegistry(t)
	for i, s := range texts {
		id := fmt.Sprintf("site-%03d", i)
		addSite(t, store, id, func(p *origin.Site) {
			p.Name, p.Summary, p.Description, p.HumanPage = s, s, s, s
		})
		must(t, store.PutPreference(t.Context(), origin.Preference{SiteID: id, Use: "training", Inquiry: "conditional", Declared: "unknown", Conditions: []string{"attribution"}, Note: s, Since: "2026-01-02T00:00:00Z", Source: "publisher", ChangedAt: "2026-01-02T00:00:00Z"}))
		addPage(t, store, id, i, func(p *origin.Page) {
			p.Title, p.Byline, p.Section, p.Terms = s, []string{s}, s, []string{s, "tides"}
		})
	}
	build1(t, store, dir, 2)
	seen := map[string]int{}
	for name, data := range readTree(t, dir) {
		kind := path.Ext(name)
		check := map[string]func([]byte) error{".html": inertPage, ".json": oneJSON, ".ndjson": jsonLines, ".xml": wellFormed, ".rss": wellFormed, ".csv": inertTable}[kind]
		if path.Base(name) == "head-fragment.html" {
			check = inertFragment
		}
		if check == nil {
			continue
		}
		seen[kind]++
		if err := check(data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, kind := range []string{".html", ".json", ".xml", ".rss", ".csv"} {
		if seen[kind] == 0 {
			t.Errorf("no %s file", kind)
		}
	}
	t.Logf("%d strings, files %v", len(texts), seen)
}

func oneJSON(data []byte) error {
	if !json.Valid(data) || !utf8.Valid(data) {
		return errors.New("is no JSON")
	}
	return nil
}

func jsonLines(data []byte) error {
	for line := range bytes.Lines(data) {
		if err := oneJSON(line); err != nil {
			return err
		}
	}
	return nil
}

func wellFormed(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	depth := 0
	for {
		token, err := d.Token()
		if err == io.EOF && depth == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.Directive:
			return fmt.Errorf("has the directive %q", x)
		}
	}
}

// inertTable checks that data is CSV in which no cell begins a formula.
func inertTable(data []byte) error {
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return err
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
				return fmt.Errorf("has the cell %.40q", cell)
			}
		}
	}
	return nil
}

// inertPage checks a page like inert, and that it has exactly one heading of
// the first order.
func inertPage(data []byte) error {
	headings, err := inert(data)
	if err == nil && headings != 1 {
		err = fmt.Errorf("has %d headings of the first order", headings)
	}
	return err
}

// inertFragment checks the markup that publishers put into the head of their
// pages.
func inertFragment(data []byte) error {
	_, err := inert(data)
	return err
}

// inert checks that data has no control characters, scripts, images, embedded
// documents, event handlers or kinds of addresses that the templates do not
// write, and returns the number of headings of the first order.
func inert(data []byte) (headings int, err error) {
	if !utf8.Valid(data) || bytes.ContainsAny(data, "\x00\x1b\u202e\u2066") {
		return 0, errors.New("has a character that changes how others show")
	}
	doc, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "h1":
			headings++
		case "img":
			if src := attribute(n, "src"); src != frame.PathBadge {
				return 0, fmt.Errorf("has the image %s", src)
			}
		case "iframe", "object", "embed", "base", "style", "math":
			return 0, fmt.Errorf("has the element %s", n.Data)
		case "script":
			if err := inertScript(n); err != nil {
				return 0, err
			}
		}
		for _, a := range n.Attr {
			if err := inertAttribute(n.Data, a); err != nil {
				return 0, err
			}
		}
	}
	return headings, nil
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func inertScript(n *html.Node) error {
	kind, src := "", ""
	for _, a := range n.Attr {
		switch a.Key {
		case "type":
			kind = a.Val
		case "src":
			src = a.Val
		}
	}
	switch {
	case kind == "module" && strings.HasPrefix(src, "/assets/") && n.FirstChild == nil:
		return nil
	case kind == "application/ld+json" && n.FirstChild != nil && !strings.ContainsAny(n.FirstChild.Data, "<>"):
		return oneJSON([]byte(n.FirstChild.Data))
	}
	return fmt.Errorf("has a script of type %q from %q", kind, src)
}

func inertAttribute(element string, a html.Attribute) error {
	switch {
	case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "http-equiv", a.Key == "srcdoc":
		return fmt.Errorf("has the attribute %s on %s", a.Key, element)
	case a.Key == "href" || a.Key == "src" || a.Key == "action":
		if !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(a.Val, "https://") && !strings.HasPrefix(a.Val, "http://") && !strings.HasPrefix(a.Val, "mailto:") {
			return fmt.Errorf("has %s=%.60q on %s", a.Key, a.Val, element)
		}
	}
	return nil
}
