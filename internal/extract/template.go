package extract

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"colophon/internal/wire"
)

// TemplateRules is the version of the rules by which templates are learned
// and applied. A template of other rules cannot be applied.
const TemplateRules = "service.site-template.v1"

// Errors about templates.
var (
	ErrTemplate = errors.New("it is not a template of this program")
	ErrSelector = errors.New("it is not a CSS selector")
)

// A Template says which parts of a site's pages are not their text. It is data
// with its evidence, and never changes: learning again makes another one.
type Template struct {
	Rules    string   `json:"rules"`              // TemplateRules
	Site     string   `json:"site"`               // identifier of the site
	Pages    int      `json:"pages"`              // number of pages it was learned from
	Sample   string   `json:"sample,omitempty"`   // hex SHA-256 over the addresses and bodies learned from
	Keep     []string `json:"keep,omitempty"`     // selectors of the operator: what they match is the content
	Omit     []string `json:"omit,omitempty"`     // selectors of the operator: what they match is none
	IDs      []string `json:"ids,omitempty"`      // ids that name the same thing on all pages
	Drop     []Rule   `json:"drop,omitempty"`     // places that are not text
	Edges    []Edge   `json:"edges,omitempty"`    // blocks that begin or end most pages
	Language string   `json:"language,omitempty"` // of nearly all pages
	Names    []string `json:"names,omitempty"`    // parts of titles that name the site, not the page
	Labels   []string `json:"labels,omitempty"`   // folded titles that many pages have, numbers apart

	ids   map[string]bool
	drop  map[string]bool
	edges map[uint64]bool
	names map[string]bool
	label map[string]bool
	keep  []cascadia.Sel
	omit  []cascadia.Sel
}

// A Rule is a place whose elements are not text, with what was seen there.
type Rule struct {
	Place   string  `json:"place"`             // steps from the root: ">div.page>div#nav"
	Why     string  `json:"why"`               // repeated, navigation, small
	Pages   int     `json:"pages"`             // of the sample that have it
	Share   float64 `json:"share"`             // of its letters that repeat or lead elsewhere
	Example string  `json:"example,omitempty"` // beginning of its text on one page
}

// An Edge is the text of a block that begins or ends pages.
type Edge struct {
	Print   string `json:"print"`             // fingerprint of its folded text, hex
	Pages   int    `json:"pages"`             // of the sample
	Example string `json:"example,omitempty"` // beginning of its text
}

// ParseTemplate reads a template as [Template.Document] wrote it. Its error
// wraps ErrTemplate or ErrSelector.
func ParseTemplate(document []byte) (*Template, error) {
	t := &Template{}
	if err := json.Unmarshal(document, t); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTemplate, err)
	}
	if t.Rules != TemplateRules {
		return nil, fmt.Errorf("%w: its rules are %q, not %q", ErrTemplate, t.Rules, TemplateRules)
	}
	if err := t.prepareRules(); err != nil {
		return nil, err
	}
	return t, nil
}

// WithSelectors returns a copy with other selectors of the operator. Its
// error wraps ErrSelector.
func (t *Template) WithSelectors(keep, omit []string) (*Template, error) {
	next := *t
	next.Keep, next.Omit = keep, omit
	if err := next.prepareRules(); err != nil {
		return nil, err
	}
	return &next, nil
}

// Document returns the template as JSON; the same template gives the same
// bytes.
func (t *Template) Document() []byte {
	document, err := json.MarshalIndent(t, "", " ")
	if err != nil {
		panic(err) // strings and numbers only
	}
	return document
}

// Digest returns the name of the template: the hex SHA-256 of its document.
func (t *Template) Digest() string { return wire.SHA256Hex(t.Document()) }

func (t *Template) prepareRules() error {
	plain := func(s string) string { return s }
	t.ids, t.label, t.names = setOf(t.IDs, plain), setOf(t.Labels, plain), setOf(t.Names, foldLetters)
	t.drop = setOf(t.Drop, func(r Rule) string { return r.Place })
	t.edges = map[uint64]bool{}
	for _, e := range t.Edges {
		print, err := strconv.ParseUint(e.Print, 16, 64)
		if err != nil {
			return fmt.Errorf("%w: edge %q", ErrTemplate, e.Print)
		}
		t.edges[print] = true
	}
	var err error
	if t.keep, err = parseSelectors(t.Keep); err != nil {
		return err
	}
	t.omit, err = parseSelectors(t.Omit)
	return err
}

func setOf[T any](list []T, key func(T) string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, x := range list {
		set[key(x)] = true
	}
	return set
}

func parseSelectors(list []string) ([]cascadia.Sel, error) {
	var out []cascadia.Sel
	for _, text := range list {
		s, err := cascadia.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrSelector, text, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func matchesAny(list []cascadia.Sel, n *html.Node) bool {
	return slices.ContainsFunc(list, func(s cascadia.Sel) bool { return s.Match(n) })
}

// stepOf names an element for a place: by its id where that is stable over
// the site, else by its classes.
func stepOf(n *html.Node, stable map[string]bool) string {
	if id := Attr(n, "id"); id != "" && stable[id] {
		return n.Data + "#" + id
	}
	return n.Data + classSuffix(n)
}

func classSuffix(n *html.Node) string {
	classes := strings.Fields(Attr(n, "class"))
	if len(classes) == 0 {
		return ""
	}
	sort.Strings(classes)
	return "." + strings.Join(classes, ".")
}

// placeFinder finds the dropped place of elements of one page.
type placeFinder struct {
	t    *Template
	memo map[*html.Node]placed
}

type placed struct {
	place   string // of the element
	dropped string // the dropped place around it, or ""
}

func newPlaceFinder(t *Template) *placeFinder {
	return &placeFinder{t: t, memo: map[*html.Node]placed{}}
}

// droppedPlace returns the dropped place that a chain of elements lies in, ""
// for none.
func (f *placeFinder) droppedPlace(chain []*html.Node) string {
	if len(chain) == 0 || len(f.t.drop) == 0 {
		return ""
	}
	return f.findPlace(chain).dropped
}

func (f *placeFinder) findPlace(chain []*html.Node) placed {
	if len(chain) == 0 {
		return placed{}
	}
	n := chain[len(chain)-1]
	if known, ok := f.memo[n]; ok {
		return known
	}
	around := f.findPlace(chain[:len(chain)-1])
	at := placed{place: around.place + ">" + stepOf(n, f.t.ids), dropped: around.dropped}
	if at.dropped == "" && f.t.drop[at.place] {
		at.dropped = at.place
	}
	f.memo[n] = at
	return at
}
