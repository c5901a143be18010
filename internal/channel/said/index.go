package said

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/wire/order"
)

// Index is one site's documents, prepared for questions about many pages.
type Index struct {
	docs   []Document
	places []place              // by document
	heads  map[string][]indexed // by the literal beginning of the pattern
	sizes  []int                // lengths of the beginnings, each once
	gaps   []Gap                // of all documents, patterns in the compared spelling
}

// indexed is a statement with its pattern in the compared spelling.
type indexed struct {
	doc, statement int
	number         int32 // among the statements of all documents
	pattern        string
}

// NewIndex prepares documents. They must not change while it is used; it may
// be used from several goroutines.
func NewIndex(docs []Document) *Index {
	x := &Index{docs: docs, heads: map[string][]indexed{}}
	seen := map[int]bool{}
	number := int32(0)
	for i := range docs {
		x.places = append(x.places, placeOf(&docs[i]))
		for _, g := range docs[i].Gaps {
			g.Pattern = exports.NormalPattern(g.Pattern)
			x.gaps = append(x.gaps, g)
		}
		for k := range docs[i].Statements {
			pattern := exports.NormalPattern(docs[i].Statements[k].Pattern)
			head := literalHead(pattern)
			x.heads[head] = append(x.heads[head], indexed{i, k, number, pattern})
			number++
			if !seen[len(head)] {
				seen[len(head)] = true
				x.sizes = append(x.sizes, len(head))
			}
		}
	}
	return x
}

// literalHead is what stands before the first octet with a meaning of its own.
func literalHead(pattern string) string {
	if i := strings.IndexAny(pattern, "*$"); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// Combine is Combine on the documents of the index.
func (x *Index) Combine(resource, agent string) []Answer {
	m := x.findMatches(resource)
	return m.combine(agent)
}

// Answers is Answers on the documents of the index.
func (x *Index) Answers(resource string) []Answer {
	m := x.findMatches(resource)
	return m.answers()
}

// findMatches looks only at statements whose pattern begins as the path does.
func (x *Index) findMatches(resource string) matches {
	m := matches{docs: x.docs}
	m.host, m.path = Split(resource)
	path := exports.NormalPattern(m.path)
	for _, size := range x.sizes {
		if size > len(path) {
			continue
		}
		for _, c := range x.heads[path[:size]] {
			if x.matches(&c, m.host, path) {
				d := &x.docs[c.doc]
				m.list = append(m.list, found{&d.Statements[c.statement], d, c.doc, c.statement, len(c.pattern)})
			}
		}
	}
	order.By(m.list, compareFound)
	return m
}

// AppendScope appends to key what is the same for resources of which the
// documents say the same.
func (x *Index) AppendScope(key []byte, resource string) []byte {
	host, path := Split(resource)
	path = exports.NormalPattern(path)
	for i := range x.places {
		key = append(key, bit(x.places[i].speaksOf(host, path)))
	}

	var few [64]int32
	matched := few[:0]
	for _, size := range x.sizes {
		if size > len(path) {
			continue
		}
		for _, c := range x.heads[path[:size]] {
			if x.matches(&c, host, path) {
				matched = append(matched, c.number)
			}
		}
	}
	slices.Sort(matched)
	for _, n := range matched {
		key = append(key, byte(n>>16), byte(n>>8), byte(n))
	}

	for i := range x.gaps {
		key = append(key, bit(x.gaps[i].about(host, path)))
	}
	return key
}

// matches tells whether an indexed statement is about a host and a path in the
// spelling of NormalPattern.
func (x *Index) matches(c *indexed, host, path string) bool {
	s := &x.docs[c.doc].Statements[c.statement]
	if s.Host != "" && host != "" && s.Host != host || !x.places[c.doc].speaksOf(host, path) {
		return false
	}
	return c.pattern == "" || exports.MatchNormalPattern(c.pattern, path)
}

func bit(yes bool) byte {
	if yes {
		return 1
	}
	return 0
}

// place is where a document speaks: see Document.speaksOf.
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
	return (host == "" || p.host == host || hasWord(p.further, host)) && (!p.embedded || p.path == path)
}
