package statements

import (
	"slices"
	"strings"

	"colophon/exports"
)

// Index is one site's documents, prepared for questions about many pages.
type Index struct {
	docs   []Document
	places []place   // by document
	list   []indexed // by the literal beginning of the pattern
	sizes  []int     // lengths of the beginnings, each once
	gaps   []Gap     // of all documents, patterns in the compared spelling
}

// indexed is a statement with its pattern in normal spelling. They are stored
// side by side because questions scan them, and following pointers would be
// slower.
type indexed struct {
	pattern        string
	host           string // "" any
	head           int32  // octets of the literal beginning
	number         int32  // among the statements of all documents
	doc, statement int32
}

// NewIndex prepares documents. They must not change while it is used; it may
// be used from several goroutines.
func NewIndex(docs []Document) *Index {
	x := &Index{docs: docs}
	var text strings.Builder // of all patterns
	for i := range docs {
		x.places = append(x.places, placeOf(&docs[i]))
		for _, g := range docs[i].Gaps {
			g.Pattern = exports.NormalPattern(g.Pattern)
			x.gaps = append(x.gaps, g)
		}
		for k := range docs[i].Statements {
			s := &docs[i].Statements[k]
			pattern := exports.NormalPattern(s.Pattern)
			text.WriteString(pattern)
			c := indexed{pattern: pattern, host: s.Host, head: int32(len(literalHead(pattern))), number: int32(len(x.list)), doc: int32(i), statement: int32(k)}
			x.list = append(x.list, c)
			x.sizes = append(x.sizes, int(c.head))
		}
	}
	slices.Sort(x.sizes)
	x.sizes = slices.Clip(slices.Compact(x.sizes))
	whole := text.String()
	for i := range x.list {
		c := &x.list[i]
		c.pattern, whole = whole[:len(c.pattern)], whole[len(c.pattern):]
	}
	slices.SortFunc(x.list, func(a, b indexed) int { return strings.Compare(a.beginning(), b.beginning()) })
	return x
}

// beginning returns the literal beginning of the pattern.
func (c *indexed) beginning() string { return c.pattern[:c.head] }

// literalHead returns the part of a pattern before the first special character.
func literalHead(pattern string) string {
	if i := strings.IndexAny(pattern, "*$"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// Combine is Combine on the documents of the index.
func (x *Index) Combine(resource, agent string) []Answer {
	m := x.findMatches(resource)
	return m.combineFor(agent)
}

// Answers is Answers on the documents of the index.
func (x *Index) Answers(resource string) []Answer {
	m := x.findMatches(resource)
	return m.combineAnswers()
}

// findMatches considers only statements whose pattern begins as the path does.
func (x *Index) findMatches(resource string) matches {
	m := newMatches(x.docs, resource)
	x.eachMatch(m.host, m.path, func(c *indexed) {
		d := &x.docs[c.doc]
		m.list = append(m.list, found{&d.Statements[c.statement], d, int(c.doc), int(c.statement), len(c.pattern)})
	})
	slices.SortFunc(m.list, compareFound)
	return m
}

// AppendScope appends to key a text that is equal for resources about which the
// documents say the same.
func (x *Index) AppendScope(key []byte, resource string) []byte {
	host, path := Split(resource)
	path = exports.NormalPattern(path)
	for i := range x.places {
		key = append(key, boolBit(x.places[i].speaksOf(host, path)))
	}

	var few [64]int32
	matched := few[:0]
	x.eachMatch(host, path, func(c *indexed) { matched = append(matched, c.number) })
	slices.Sort(matched)
	for _, n := range matched {
		key = append(key, byte(n>>16), byte(n>>8), byte(n))
	}

	for i := range x.gaps {
		key = append(key, boolBit(x.gaps[i].isAbout(host, path)))
	}
	return key
}

// eachMatch calls take with the statements about a host and a path in the
// spelling of NormalPattern. It considers only those whose pattern begins as
// the path does.
func (x *Index) eachMatch(host, path string, take func(c *indexed)) {
	for _, size := range x.sizes {
		if size > len(path) {
			return
		}
		for i := x.firstWith(path[:size]); i < len(x.list) && x.list[i].beginning() == path[:size]; i++ {
			if c := &x.list[i]; x.matchesStatement(c, host, path) {
				take(c)
			}
		}
	}
}

// firstWith returns the index of the first statement with a beginning, or where
// it would be.
func (x *Index) firstWith(beginning string) int {
	low, high := 0, len(x.list)
	for low < high {
		middle := (low + high) / 2
		if x.list[middle].beginning() < beginning {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// matchesStatement reports whether an indexed statement is about a host and a path in the
// spelling of NormalPattern.
func (x *Index) matchesStatement(c *indexed, host, path string) bool {
	if c.host != "" && host != "" && c.host != host || !x.places[c.doc].speaksOf(host, path) {
		return false
	}
	return c.pattern == "" || exports.MatchNormalPattern(c.pattern, path)
}

func boolBit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}

// speaksOf reports whether a document can be about a resource at all: an
// embedded one is about its own page, and a file at a well-known address about
// the host that serves it. path is in the spelling of NormalPattern.
func (d *Document) speaksOf(host, path string) bool {
	p := placeOf(d)
	return p.speaksOf(host, path)
}

// place is what a document can be about.
type place struct {
	everywhere bool
	embedded   bool
	host, path string // path in the spelling of NormalPattern
	further    []string
}

func placeOf(d *Document) place {
	p := place{embedded: d.Embedded, everywhere: true}
	p.host, p.path = Split(d.URL)
	p.path = exports.NormalPattern(p.path)
	switch {
	case d.URL == "":
	case d.Embedded:
		p.everywhere = false
	case d.Channel == Robots, d.Channel == TDMRep, d.Channel == AITxt, d.Channel == TrustTxt:
		p.everywhere = p.host == ""
	case d.Channel == PublisherFile:
		p.everywhere, p.further = p.host == "", d.spokenFor()
	}
	return p
}

func (p *place) speaksOf(host, path string) bool {
	if p.everywhere {
		return true
	}
	return (host == "" || p.host == host || slices.Contains(p.further, host)) && (!p.embedded || p.path == path)
}
