package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bars of the rules, chosen on 22 documentation sites. They are part of
// TemplateRules: another bar is another version.
const (
	repeatBar   = .5  // of the pages that have a place: then its text repeats
	headBar     = .9  // the same, of a place with links below the title at the head of a page
	navBar      = .8  // of a place's letters that repeat or link elsewhere: then it is navigation
	navPages    = .5  // of all pages, for places that are dropped as navigation
	navChars    = 400 // letters a page that do not repeat, at most, in navigation
	smallChars  = 150 // the same, of a place with a link on nearly every page
	edgeBar     = .9  // of its pages where a place is before or after all prose
	edgeRepeat  = .5  // of all pages, for a block that is dropped by its text
	expectBar   = .9  // of the sample: a place whose absence means another template
	languageBar = .9  // of the pages with enough text: the language of the site
	nameBar     = .5  // of all pages, for a part of titles that names the site
	labelBar    = .1  // of all pages, for a title that names none of them
)

// SampleSize is how many pages of a site a template is learned from: those whose
// addresses have the smallest SHA-256, so that order and growth change nothing.
const SampleSize = 200

// MinPages is how many pages a template needs: fewer teach nothing.
const MinPages = 4

// Limits that keep the memory of learning flat.
const (
	maxLeaves  = 6_000   // of a page, half from its begin and half from its end
	maxPlaces  = 400_000 // distinct elements of all pages
	maxExample = 120     // bytes of an example
	edgeLeaves = 50      // at each end of a page, whose texts are kept as examples
)

// A Page is one page to learn from.
type Page struct {
	URL  *url.URL
	Doc  *html.Node
	Body string // digest of the bytes it came as
}

// A Learner learns the template of a site from a sample of its pages, in any
// order. It keeps a few numbers for each leaf, and no pages.
type Learner struct {
	site   string
	prints []string // of the pages, for the digest of the sample
	ids    map[string]int
	pages  []pageSketch
	places placeTree
	edges  map[uint64]string // fingerprint -> text, of leaves near an end of a page
	titles []titleSketch
	stated []*statements
	langs  map[string]int // language -> pages whose text is surely in it
}

// pageSketch is what is kept of a page.
type pageSketch struct {
	leaves []leafSketch
	links  map[int32]bool // places with a link to another page of the site
	stated bool           // the page states its content
}

type leafSketch struct {
	print  uint64
	place  int32
	chars  int32
	linked int32
	rank   int8 // of a heading, 0 for others
	prose  bool // reads as prose and ends as a sentence
	echo   bool // says the title of some page
}

// titleSketch is what a page calls itself.
type titleSketch struct {
	prints []uint64
	parts  []string
}

// NewLearner begins the template of a site.
func NewLearner(site string) *Learner {
	return &Learner{site: site, ids: map[string]int{}, edges: map[uint64]string{}, langs: map[string]int{}, places: newPlaceTree()}
}

// Add adds a page. It does not keep its document.
func (l *Learner) Add(p Page) {
	l.prints = append(l.prints, p.URL.String()+"\n"+p.Body+"\n")
	l.countIDs(p.Doc)
	l.titles = append(l.titles, sketchTitle(p.Doc))
	root := contentRoot(p.Doc)
	l.stated = append(l.stated, readTitles(p.Doc, root))
	sketch := pageSketch{links: map[int32]bool{}, stated: root != bodyOf(p.Doc)}
	leaves := listLeaves(root, p.URL)
	if len(leaves) > maxLeaves {
		leaves = append(leaves[:maxLeaves/2:maxLeaves/2], leaves[len(leaves)-maxLeaves/2:]...)
	}
	for i := range leaves {
		f := &leaves[i]
		place := l.places.findPlace(f.chain)
		text := f.textBeginning()
		l.places.keepExample(place, text)
		if i < edgeLeaves || i >= len(leaves)-edgeLeaves {
			l.keepEdge(f.print, text)
		}
		sketch.leaves = append(sketch.leaves, leafSketch{
			print: f.print, place: place, chars: int32(f.chars), linked: int32(f.linked), rank: int8(f.rank), prose: f.isProse() && f.ends,
		})
	}
	l.markLinks(root, p.URL, sketch.links)
	if tag, confidence := DetectLanguage(proseOf(root)); confidence >= sureConfidence {
		l.langs[tag]++
	}
	l.pages = append(l.pages, sketch)
}

func (l *Learner) keepEdge(print uint64, text string) {
	if have, ok := l.edges[print]; !ok || text < have {
		l.edges[print] = text
	}
}

func (l *Learner) countIDs(doc *html.Node) {
	onPage := map[string]bool{}
	for d := range doc.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		if id := Attr(d, "id"); id != "" && len(id) < 80 && !onPage[id] {
			onPage[id] = true
			if l.ids[id] > 0 || len(l.ids) < maxPlaces {
				l.ids[id]++
			}
		}
	}
}

// markLinks records the places whose elements contain a link to another page,
// including pictures.
func (l *Learner) markLinks(root *html.Node, at *url.URL, links map[int32]bool) {
	var walk func(n *html.Node, chain []*html.Node, depth int)
	walk = func(n *html.Node, chain []*html.Node, depth int) {
		if n.Type == html.ElementNode && n != root && (depth > MaxDepth || isSetAside(n)) {
			return
		}
		if n.DataAtom == atom.A && leadsElsewhere(n, at) {
			links[l.places.findPlace(chain)] = true
		}
		if isLeafEdge(n) && n != root && n.DataAtom != atom.Br {
			chain = append(chain[:len(chain):len(chain)], n)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, chain, depth+1)
		}
	}
	walk(root, nil, 0)
}

// Template returns the template of the pages so far. It is empty for fewer
// than four pages.
func (l *Learner) Template() *Template {
	t := &Template{Rules: TemplateRules, Site: l.site, Pages: len(l.pages), Sample: l.sampleDigest()}
	if len(l.pages) >= MinPages {
		t.Language = l.siteLanguage()
		t.IDs = l.stableIDs()
		t.Names = l.siteNames()
		s := newSurvey(l, t.IDs)
		t.Drop = s.listRules()
		t.Edges = s.listEdges()
		t.IDs = idsInUse(t.IDs, t.Drop)
	}
	t.mustPrepare()
	if len(l.pages) >= MinPages {
		t.Labels = l.labels(t)
		t.mustPrepare()
	}
	return t
}

func (t *Template) mustPrepare() {
	if err := t.prepareRules(); err != nil {
		panic(err) // made here
	}
}

func (l *Learner) sampleDigest() string {
	h := sha256.New()
	for _, p := range slices.Sorted(slices.Values(l.prints)) {
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// siteLanguage returns the language that nearly all pages with enough text are
// in, "" for none.
func (l *Learner) siteLanguage() string {
	sum := 0
	for _, pages := range l.langs {
		sum += pages
	}
	for tag, pages := range l.langs {
		if pages >= MinPages && float64(pages) >= languageBar*float64(sum) {
			return tag
		}
	}
	return ""
}

// stableIDs lists the ids that at least half of the pages have.
func (l *Learner) stableIDs() []string {
	return keysOf(l.ids, func(pages int) bool { return 2*pages >= len(l.pages) })
}

// keysOf lists, sorted, what was counted often enough.
func keysOf(counts map[string]int, enough func(int) bool) []string {
	var list []string
	for key, n := range counts {
		if enough(n) {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// idsInUse leaves out the ids that no rule names.
func idsInUse(ids []string, rules []Rule) []string {
	named := map[string]bool{}
	for _, r := range rules {
		for _, step := range strings.Split(r.Place, ">") {
			if _, id, ok := strings.Cut(step, "#"); ok {
				named[id] = true
			}
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !named[id] })
}

// placeTree distinguishes places before it is known which ids are stable: a
// step is an element's tag with both its id and its classes.
type placeTree struct {
	nodes   []placeNode
	byChild map[placeKey]int32
}

type placeNode struct {
	parent  int32
	tag     string
	classes string
	id      string
	example string
}

type placeKey struct {
	parent  int32
	tag     string
	classes string
	id      string
}

// The root of every page.
const rootPlace int32 = 0

func newPlaceTree() placeTree {
	return placeTree{nodes: []placeNode{{parent: -1}}, byChild: map[placeKey]int32{}}
}

func (t *placeTree) findPlace(chain []*html.Node) int32 {
	at := rootPlace
	for _, n := range chain {
		key := placeKey{parent: at, tag: n.Data, classes: classSuffix(n), id: Attr(n, "id")}
		next, ok := t.byChild[key]
		if !ok {
			if len(t.nodes) >= maxPlaces {
				return at
			}
			next = int32(len(t.nodes))
			t.nodes = append(t.nodes, placeNode{parent: at, tag: key.tag, classes: key.classes, id: key.id})
			t.byChild[key] = next
		}
		at = next
	}
	return at
}

// keepExample stores a text that was seen at a place for it and those around
// it: the first in alphabetical order, so that the order of pages does not
// matter.
func (t *placeTree) keepExample(place int32, text string) {
	for at := place; at > rootPlace; at = t.nodes[at].parent {
		if have := t.nodes[at].example; have != "" && have <= text {
			continue
		}
		t.nodes[at].example = text
	}
}

// textBeginning returns the begin of the text of a leaf.
func (f *leaf) textBeginning() string {
	var b strings.Builder
	for _, n := range f.nodes {
		b.WriteString(n.Data)
		if b.Len() > 4*maxExample {
			break
		}
	}
	return CutText(OneLine(CutText(b.String(), 4*maxExample)), maxExample)
}

// CutText shortens s to at most n bytes, on a character boundary.
func CutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}

func roundShare(f float64) float64 { return math.Round(f*1000) / 1000 }

func hexPrint(print uint64) string { return strconv.FormatUint(print, 16) }
