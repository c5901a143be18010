package templates

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/templates/frame"
)

// parsed is what the tests need to know of a page.
type parsed struct {
	t       *testing.T
	where   string
	ids     map[string]bool
	h1      int
	titles  int
	mains   int
	lang    string
	scripts []string
	refs    []string // ids that labels and descriptions point to
	data    []string // JSON-LD blocks
	labels  map[string]bool
	fields  []string
	text    strings.Builder
}

func parsePage(t *testing.T, where string, page []byte) *parsed {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	p := &parsed{t: t, where: where, ids: map[string]bool{}, labels: map[string]bool{}}
	p.walk(root)
	return p
}

func (p *parsed) walk(n *html.Node) {
	switch n.Type {
	case html.ElementNode:
		p.element(n)
	case html.TextNode:
		if n.Parent == nil || n.Parent.Data != "script" {
			p.text.WriteString(n.Data)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.walk(c)
	}
}

func (p *parsed) element(n *html.Node) {
	attr := map[string]string{}
	for _, a := range n.Attr {
		attr[a.Key] = a.Val
		p.attribute(n, a.Key, a.Val)
	}
	switch n.Data {
	case "html":
		p.lang = attr["lang"]
	case "h1":
		p.h1++
	case "title":
		if n.Parent.Data == "head" {
			p.titles++
		}
	case "main":
		p.mains++
	case "style", "iframe", "object", "embed", "base", "img":
		p.t.Errorf("%s: element %s", p.where, n.Data)
	case "script":
		p.script(n, attr)
	case "a":
		if attr["href"] == "" || innerText(n) == "" {
			p.t.Errorf("%s: an empty link to %q", p.where, attr["href"])
		}
	case "label":
		p.labels[attr["for"]] = true
	case "input", "textarea", "select":
		if attr["type"] != "hidden" {
			p.fields = append(p.fields, attr["id"])
		}
	}
}

func (p *parsed) attribute(n *html.Node, key, value string) {
	switch {
	case key == "style", strings.HasPrefix(key, "on"):
		p.t.Errorf("%s: <%s %s=%q>", p.where, n.Data, key, value)
	case key == "id":
		if p.ids[value] || value == "" || strings.ContainsAny(value, " \t\n") {
			p.t.Errorf("%s: id %q is empty, repeated or has blanks", p.where, value)
		}
		p.ids[value] = true
	case key == "aria-labelledby", key == "aria-describedby":
		p.refs = append(p.refs, strings.Fields(value)...)
	case key == "href", key == "src", key == "action":
		if !prose.Linkable(value) && !strings.HasPrefix(value, "#") {
			p.t.Errorf("%s: <%s %s=%q>", p.where, n.Data, key, value)
		}
	}
}

func (p *parsed) script(n *html.Node, attr map[string]string) {
	switch attr["type"] {
	case "application/ld+json":
		p.data = append(p.data, innerText(n))
	case "module":
		if attr["src"] == "" || innerText(n) != "" {
			p.t.Errorf("%s: an inline script", p.where)
		}
		p.scripts = append(p.scripts, attr["src"])
	default:
		p.t.Errorf("%s: a script of type %q", p.where, attr["type"])
	}
}

func innerText(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return strings.TrimSpace(b.String())
}

// check asserts what must be true of every page.
func (p *parsed) check() {
	p.t.Helper()
	if p.h1 != 1 || p.titles != 1 || p.mains != 1 || p.lang != "en" {
		p.t.Errorf("%s: %d h1, %d title, %d main, lang %q", p.where, p.h1, p.titles, p.mains, p.lang)
	}
	for _, id := range p.refs {
		if !p.ids[id] {
			p.t.Errorf("%s: nothing has id %q", p.where, id)
		}
	}
	for _, id := range p.fields {
		if !p.labels[id] {
			p.t.Errorf("%s: field %q has no label", p.where, id)
		}
	}
	for _, d := range p.data {
		var v map[string]any
		if err := json.Unmarshal([]byte(d), &v); err != nil || v["@context"] != "https://schema.org" || v["@type"] == nil {
			p.t.Errorf("%s: linked data %q: %v", p.where, d, err)
		}
		assert.Lacks(p.t, p.where+": linked data states a license", d, `"license"`)
	}
	assert.Contains(p.t, p.where+": the page does not state the boundary", p.text.String(), "Information only. Nothing on this site is a licence.")
	if s := strings.ToLower(p.text.String()); strings.Contains(s, "licensed") {
		p.t.Errorf("%s: says licensed where only a preference exists", p.where)
	}
}

func compressed(page []byte) int {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	z.Write(page)
	z.Close()
	return b.Len()
}

func TestPagesAreSound(t *testing.T) {
	const budget = 14 << 10
	for _, n := range sampleNames {
		for _, p := range samplePages(sampleSite, n) {
			page := render(t, p.Page)
			got := parsePage(t, p.File, page)
			// The reference quotes the endpoint table, which describes delivery
			// to licensed buyers.
			if strings.HasPrefix(p.File, "developers/reference/") {
				s := strings.NewReplacer("Licensed", "", "licensed", "").Replace(got.text.String())
				got.text.Reset()
				got.text.WriteString(s)
			}
			got.check()
			if size := compressed(page); size > budget {
				t.Errorf("%s: %d bytes compressed, more than %d", p.File, size, budget)
			}
		}
	}
}

func TestFullPagesStayWithinTheBudget(t *testing.T) {
	n := sampleNames[3]
	var records []exports.MapRecord
	for i := range 50 {
		r := sampleMap(n)
		r.SiteID, r.Name = r.SiteID+strconv.Itoa(i), prose.Clean(strings.Repeat("Publisher "+strconv.Itoa(i*7919)+" ", 6), 60)
		records = append(records, r)
	}
	page := render(t, RightsMap(RightsMapPage{Site: sampleSite, Records: records, Total: 50}))
	if size := compressed(page); size > 14<<10 {
		t.Errorf("a map of 50 is %d bytes compressed", size)
	}
}

func TestTitlesAndDescriptions(t *testing.T) {
	seen := map[string]string{}
	for _, p := range samplePages(sampleSite, sampleNames[6]) {
		root, err := html.Parse(bytes.NewReader(render(t, p.Page)))
		must(t, err)
		heading, description := headOf(root)
		if n := len([]rune(heading)); n == 0 || n > frame.TitleLimit {
			t.Errorf("%s: title of %d characters: %q", p.File, n, heading)
		}
		if n := len([]rune(description)); n < 70 || n > frame.DescriptionLimit {
			t.Errorf("%s: description of %d characters: %q", p.File, n, description)
		}
		if other, ok := seen[heading]; ok && !strings.HasPrefix(p.File, "_shell") {
			t.Errorf("%s and %s share the title %q", p.File, other, heading)
		}
		seen[heading] = p.File
	}
}

func headOf(n *html.Node) (heading, description string) {
	if n.Type == html.ElementNode && n.Data == "title" && n.Parent.Data == "head" {
		return innerText(n), ""
	}
	if n.Type == html.ElementNode && n.Data == "meta" && len(n.Attr) == 2 && n.Attr[0].Val == "description" {
		return "", n.Attr[1].Val
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		h, d := headOf(c)
		heading, description = heading+h, description+d
	}
	return heading, description
}

// TestPagesOfGroupsAndMoves checks the row of a group, and that the page of a
// moved entry links to its successor and cannot be asked about.
func TestPagesOfGroupsAndMoves(t *testing.T) {
	n := sampleNames[0]
	first, second := sampleMap(n), sampleMap(n)
	first.Group = &exports.GroupRef{GroupID: "pub_house", Name: "House"}
	second.Group = first.Group
	var line content.GroupLine
	line.Add("LDUUUUUU")
	line.Add("LSUUUUUU")
	page := string(render(t, RightsMap(RightsMapPage{Site: sampleSite, Records: []exports.MapRecord{first, second}, Total: 2, Groups: map[string]content.GroupLine{"pub_house": line}})))
	if strings.Count(page, "2 sites") != 1 || strings.Count(page, "differs by site") != 1 {
		t.Error("the group has not one line with one use in which its sites differ")
	}
	moved := string(render(t, Citation(CitationPage{Site: sampleSite, Citation: movedCitation(n), Asks: true})))
	if !strings.Contains(moved, `href="/citations/ent_76543210fedcba9876543210/"`) || strings.Contains(moved, "Ask for a licence<") {
		t.Error("the page of an entry that moved does not lead to its successor, or to the form")
	}
}

// TestEditorTellsThatItsModuleIsMissing checks what the page says with and
// without its module.
func TestEditorTellsThatItsModuleIsMissing(t *testing.T) {
	const told = "built without the editor"
	assert.Contains(t, "without its module the page does not say so", string(render(t, Editor(EditorPage{Site: sampleSite}))), told)
	if page := string(render(t, Editor(EditorPage{Site: sampleSite, Module: "/assets/editor.wasm", Runtime: "/assets/wasm_exec.js"}))); strings.Contains(page, told) || !strings.Contains(page, `data-module="/assets/editor.wasm"`) {
		t.Error("with its module the page says that there is none, or does not name it")
	}
}
