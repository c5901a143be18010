package query

import (
	"context"
	"slices"
	"strings"

	"colophon/internal/searchindex"
)

// Facet is a property of records, and how many of those that match have each of
// its values. A value that none has is not in it.
type Facet struct {
	Name   string
	Counts map[string]int64
}

// maxFaceted is up to how many records of an index facets are counted: all that
// match are looked at.
const maxFaceted = 20_000

// facets counts, for each of the properties, the records that match the words and
// all filters but those on the property itself, so that another choice shows
// what it would give. It is nil where there are too many records.
func (c *Catalog) facets(ctx context.Context, a *Ask, l lister, names ...string) ([]Facet, error) {
	q, err := parseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	gen, err := c.findGeneration(ctx, "")
	if err != nil {
		return nil, err
	}
	s, err := c.openSession(ctx, gen.Gen, l.index)
	if err != nil || s.root.Docs > maxFaceted {
		return nil, err
	}
	words := questionWords(q)
	if q != "" && len(words) == 0 {
		return nil, nil
	}
	out := make([]Facet, len(names))
	for i, name := range names {
		others := slices.DeleteFunc(slices.Clone(l.filters), func(f filter) bool { return f.isOn(name) })
		found, err := s.searchPages(ctx, &question{words: words, filters: others, floor: l.floor, limit: s.root.Docs})
		if err != nil {
			return nil, err
		}
		slices.Sort(found.docs)
		if out[i], err = s.countFacet(ctx, name, found.docs); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isOn reports whether a filter asks for values of a property.
func (f *filter) isOn(name string) bool {
	return len(f.any) > 0 && strings.HasPrefix(f.any[0], searchindex.FacetWord(name, ""))
}

// countFacet counts the records, rising, that have each value of a property.
func (s *session) countFacet(ctx context.Context, name string, docs []uint32) (Facet, error) {
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
