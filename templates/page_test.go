package templates

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/prose"
	"colophon/site"
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

// The page shows what agents are told, folds long lists, and warns of a rule
// against training that keeps out search.
func TestPublisherPageShowsAgents(t *testing.T) {
	v := PublisherPage{Site: sampleSite, Map: sampleMap(sampleNames[0])}
	page := string(render(t, knownAgents(v.Map)))
	assert.Contains(t, "the page", page,
		"<small>GPTBot, ClaudeBot, CCBot, Amazonbot, Bytespider, Diffbot</small>", "<summary>2 more</summary>", "<small>Timpibot, omgili</small>",
		"robots.txt: Disallow: /", "The edge does what it declares", "Google-Extended (for pages that Googlebot fetches)", "Sends no requests", "The edge was not checked", "No valid statement found about it.",
		"“Disallow: /” (line 2 of robots.txt), written by the site’s CDN, keeps out OAI-SearchBot, Claude-SearchBot, PerplexityBot, Applebot, bingbot, YouBot and 1 other. To decline training alone, disallow GPTBot.",
	)
	if strings.Count(page, "<tr>") != 5 {
		t.Errorf("%d rows", strings.Count(page, "<tr>"))
	}
	v.Map.AgentWarnings = nil
	assert.Lacks(t, "warns of nothing", string(render(t, knownAgents(v.Map))), "keeps out", "warn")
	assert.Equal(t, string(render(t, knownAgents(exports.MapRecord{}))), "", "a record without agents shows")
}

func TestEdgeWords(t *testing.T) {
	seen := map[string]bool{}
	for _, result := range append([]string{""}, exports.EdgeResults...) {
		words := edgeWords(exports.AgentGroup{Edge: result})
		if seen[words] {
			t.Errorf("%q is said twice", words)
		}
		seen[words] = true
	}
}

// TestCellsOfCards checks that each use has a cell with the letter of its
// verdict, and the verdict in words for readers who do not see it.
func TestCellsOfCards(t *testing.T) {
	var b strings.Builder
	must(t, content.RightsCells("lDSUUUUW").Render(context.Background(), &b))
	assert.Contains(t, "the cells", b.String(),
		`<li title="Ask first"><span class="cell cl" aria-hidden="true">A</span> Retrieval (RAG)`, `channels disagree`, `class="cell cd" aria-hidden="true">D</span> Training`,
		`class="cell cs" aria-hidden="true">S</span>`, `: Withdrawn</span>`,
	)
	if n := strings.Count(b.String(), "<li "); n != 8 {
		t.Errorf("%d cells", n)
	}
}

// TestGroupsOfDocuments checks that every document is in exactly one of four
// groups.
func TestGroupsOfDocuments(t *testing.T) {
	docs, err := site.Docs()
	must(t, err)
	var nav []DocLink
	for _, d := range docs {
		nav = append(nav, DocLink{d.Slug, d.Title})
	}
	groups, seen := docGroups(withReference(nav)), 0
	for _, g := range groups {
		seen += len(g.Links)
		if len(g.Links) < 2 {
			t.Errorf("%s has %d documents", g.Name, len(g.Links))
		}
	}
	if len(groups) != 4 || seen != len(docs)+1 {
		t.Errorf("%d groups of %d documents, of %d", len(groups), seen, len(docs)+1)
	}
}

// TestPassportSaysTheVerdict renders the passport of a publisher whose channels
// say more than its own statements do. It must show the verdict on each use,
// even on those that the publisher states nothing about.
func TestPassportSaysTheVerdict(t *testing.T) {
	record := exports.MapRecord{
		RightsVector: "LDDSUdUW",
		Preferences:  []exports.Preference{{Use: "rag", Inquiry: "welcome", Declared: "disallow"}, {Use: "training", Inquiry: "unstated", Declared: "allow"}},
		Doubts:       []exports.StatementDoubt{{Use: "training", Confirmation: exports.Contradicted}},
	}
	page, err := html.Parse(bytes.NewReader(render(t, passport(record, sampleRights()))))
	must(t, err)
	var states, doubts []string
	for n := range page.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "span" && len(n.Attr) > 0 && bytes.HasPrefix([]byte(n.Attr[0].Val), []byte("state")):
			states = append(states, innerText(n))
		case n.Data == "strong":
			doubts = append(doubts, innerText(n))
		}
	}
	want := []string{"Ask first", "Declined", "Declined", "Signals allow", "Unknown", "Declined", "Unknown", "Withdrawn"}
	if len(states) != 8 {
		t.Fatalf("states %q", states)
	}
	for i := range want {
		if states[i] != want[i] {
			t.Errorf("%s is %q, want %q", exports.Uses[i], states[i], want[i])
		}
	}
	if len(doubts) != 1 || doubts[0] != "Contradicted by one of the publisher’s channels." {
		t.Errorf("doubts %q", doubts)
	}
}

func TestPolicyChanges(t *testing.T) {
	v := PolicyVersion{Before: "LDDLLDUU", Vector: "LdDSLDUW"}
	want := []string{"Training: Declined, and channels disagree now", "Search indexing: Ask first before, Signals allow from then on", "Research: Unknown before, Withdrawn from then on"}
	if got := v.changes(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := (PolicyVersion{Vector: "LDDSLDUU"}).changes(); got != nil {
		t.Errorf("the first version: %q", got)
	}
}

// TestChannelChangeWords checks that a change is attributed to the publisher or
// its CDN only if everything that differs is known to be theirs.
func TestChannelChangeWords(t *testing.T) {
	for by, want := range map[string]string{
		"publisher": "by the publisher", "cdn": "by the publisher’s CDN", "cdn publisher": "by the publisher and its CDN",
		"unknown": "by whom is unknown", "cdn unknown": "by whom is unknown",
	} {
		got := channelChangeWords(exports.ChannelChange{Change: "changed", By: strings.Fields(by)})
		if got != "changed, "+want {
			t.Errorf("%s: %q", by, got)
		}
	}
}

var (
	paragraph = regexp.MustCompile(`(?s)<p>.*?</p>`)
	bound     = regexp.MustCompile(`(minlength|maxlength)="(\d+)"`)
	markup    = regexp.MustCompile(`<[^>]*>`)
)

// TestBoundsAreStated checks that the text around a field states each of its
// bounds, so that a person reads it before the browser or the service refuses
// the input.
func TestBoundsAreStated(t *testing.T) {
	n := sampleNames[0]
	var page bytes.Buffer
	must(t, Request(RequestPage{sampleSite, sampleSummary(n), samplePreferences(n)}).Render(context.Background(), &page))
	found := 0
	for _, p := range paragraph.FindAllString(page.String(), -1) {
		text := strings.ReplaceAll(markup.ReplaceAllString(p, ""), ",", "")
		for _, m := range bound.FindAllStringSubmatch(p, -1) {
			found++
			if !strings.Contains(text, m[2]) {
				t.Errorf("%s is stated nowhere: %s", m[0], p)
			}
		}
	}
	if found < 9 {
		t.Errorf("only %d bounds", found)
	}
}
