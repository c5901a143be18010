package said

import (
	"strings"

	"colophon/exports"
	"colophon/internal/wire/order"
)

// Index is one site's documents, prepared for questions about many pages.
type Index struct {
	docs  []Document
	heads map[string][]indexed // by the literal beginning of the pattern
	sizes []int                // lengths of the beginnings, each once
}

// indexed is a statement with its pattern in the compared spelling.
type indexed struct {
	doc, statement int
	pattern        string
}

// NewIndex prepares documents. They must not change while it is used; it may
// be used from several goroutines.
func NewIndex(docs []Document) *Index {
	x := &Index{docs: docs, heads: map[string][]indexed{}}
	seen := map[int]bool{}
	for i := range docs {
		for k := range docs[i].Statements {
			pattern := exports.NormalPattern(docs[i].Statements[k].Pattern)
			head := literalHead(pattern)
			x.heads[head] = append(x.heads[head], indexed{i, k, pattern})
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
	speaks := make([]bool, len(x.docs))
	for i := range x.docs {
		speaks[i] = x.docs[i].speaksOf(m.host, m.path)
	}
	for _, size := range x.sizes {
		if size > len(path) {
			continue
		}
		for _, c := range x.heads[path[:size]] {
			d := &x.docs[c.doc]
			s := &d.Statements[c.statement]
			if !speaks[c.doc] || s.Host != "" && m.host != "" && s.Host != m.host {
				continue
			}
			if c.pattern == "" || exports.MatchNormalPattern(c.pattern, path) {
				m.list = append(m.list, found{s, d, c.doc, c.statement, len(c.pattern)})
			}
		}
	}
	order.By(m.list, compareFound)
	return m
}

// Scope is the same for resources of which the documents say the same.
func (x *Index) Scope(resource string) string {
	m := x.findMatches(resource)
	key := make([]byte, 0, 4*len(m.list)+len(x.docs))
	for i := range x.docs {
		speaks := byte(0)
		if x.docs[i].speaksOf(m.host, m.path) {
			speaks = 1
		}
		key = append(key, speaks)
	}
	for _, f := range m.list {
		key = append(key, byte(f.doc), byte(f.number>>16), byte(f.number>>8), byte(f.number))
	}
	path := exports.NormalPattern(m.path)
	for i := range x.docs {
		for k := range x.docs[i].Gaps {
			in := byte(0)
			if x.docs[i].Gaps[k].about(m.host, path) {
				in = 1
			}
			key = append(key, in)
		}
	}
	return string(key)
}
