package query

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// Facet is a property of records, and how many of those that match have each of
// its values. A value that none has is not in it.
type Facet struct {
	Name   string
	Counts map[string]int64
}

// maxFaceted is the largest number of records in an index for which facets are
// counted, because counting looks at all that match.
const maxFaceted = exports.MaxOrdered

// Scope is the part of an index that a list shows, and the properties by which
// people narrow it.
type Scope struct {
	Index   string
	Filters Filters
	Floor   uint32   // least rank of a record
	Facets  []string // names of the properties
}

// Narrowing is what someone chose. Its scope fails with a staticindex.Error of the
// code invalid_parameter.
type Narrowing interface{ Scope() (Scope, error) }

// Facets counts, for each of the properties, the records that match the words
// and all filters except those on the property itself, so that each other
// choice shows what it would give. It returns nil if there are too many
// records.
func (c *Searcher) Facets(ctx context.Context, a *staticindex.Ask, n Narrowing) ([]Facet, error) {
	return staticindex.AskAgain(ctx, c.files, func() ([]Facet, error) { return c.countFacets(ctx, a, n) })
}

func (c *Searcher) countFacets(ctx context.Context, a *staticindex.Ask, n Narrowing) ([]Facet, error) {
	scope, err := n.Scope()
	if err != nil {
		return nil, err
	}
	q, err := ParseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	gen, err := c.files.Current(ctx)
	if err != nil {
		return nil, err
	}
	s, err := c.Open(ctx, gen, scope.Index)
	if err != nil || s.root.Docs > maxFaceted {
		return nil, err
	}
	words := QuestionWords(q)
	if q != "" && len(words) == 0 {
		return nil, nil
	}
	out := make([]Facet, len(scope.Facets))
	for i, name := range scope.Facets {
		others := slices.DeleteFunc(slices.Clone(scope.Filters.List), func(f Filter) bool { return f.isOn(name) })
		found, err := s.Search(ctx, &Question{Words: words, Either: a.Either, Filters: others, Floor: scope.Floor, Limit: s.root.Docs})
		if err != nil {
			return nil, err
		}
		slices.Sort(found.Docs)
		if out[i], err = s.countFacet(ctx, name, found.Docs); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isOn reports whether a filter selects values of a property.
func (f *Filter) isOn(name string) bool {
	return len(f.Any) > 0 && strings.HasPrefix(f.Any[0], searchindex.FacetWord(name, ""))
}

// countFacet counts the records, rising, that have each value of a property.
func (s *Session) countFacet(ctx context.Context, name string, docs []uint32) (Facet, error) {
	f := Facet{Name: name, Counts: map[string]int64{}}
	prefix := searchindex.FacetWord(name, "")
	terms, err := s.wordEndings(ctx, prefix, maxFaceted)
	if err != nil {
		return f, err
	}
	if err := s.loadPostings(ctx, terms); err != nil {
		return f, err
	}
	for _, t := range terms {
		if n := len(intersectRecords(docs, t.p.Docs, true)); n > 0 {
			f.Counts[t.word[len(prefix):]] = int64(n)
		}
	}
	return f, nil
}
