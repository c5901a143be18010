package query

import (
	"context"
	"slices"
	"strings"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// Filters are the conditions of a question, and the text that distinguishes it
// from others.
type Filters struct {
	List  []Filter
	Parts []string
}

// Add adds a filter for each occurrence of a parameter: commas are OR,
// occurrences AND. Each word must be one of allowed, unless that is nil.
func (l *Filters) Add(param, facet string, values []string, allowed []string) error {
	for _, words := range splitValues(values) {
		var f Filter
		for _, w := range words {
			if allowed != nil && !slices.Contains(allowed, w) || allowed == nil && !isPlain(w) {
				return staticindex.InvalidParam(param, "has a value that is not allowed"+oneOf(allowed))
			}
			f.Any = append(f.Any, searchindex.FacetWord(facet, w))
		}
		l.List = append(l.List, f)
		l.Parts = append(l.Parts, facet, strings.Join(words, ","))
	}
	return nil
}

func oneOf(allowed []string) string {
	if allowed == nil {
		return ""
	}
	return "; allowed are " + strings.Join(allowed, ", ")
}

// isPlain reports whether s can be an identifier or slug.
func isPlain(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// splitValues cuts the elements of a filter: each element of the result is one
// occurrence, its words alternatives.
func splitValues(values []string) [][]string {
	var out [][]string
	for _, v := range values {
		out = append(out, strings.Split(v, ","))
	}
	return out
}

// OneOrNone returns a parameter as a list of its occurrences.
func OneOrNone(v string) []string {
	if v == "" {
		return nil
	}
	return []string{v}
}

// filterRecords returns the records that meet every filter, rising.
func (s *Session) filterRecords(ctx context.Context, filters []Filter) ([]uint32, error) {
	var words []string
	for _, f := range filters {
		words = append(append(words, f.Any...), f.Not...)
	}
	if err := s.prepare(ctx, words); err != nil {
		return nil, err
	}
	found := map[string]*term{}
	var terms []*term
	for _, w := range words {
		if t := s.findTerm(w, 0); t != nil && found[w] == nil {
			found[w] = t
			terms = append(terms, t)
		}
	}
	if err := s.loadPostings(ctx, terms); err != nil {
		return nil, err
	}
	var docs []uint32
	all := true // docs stands for every record so far
	for _, f := range filters {
		if len(f.Any) > 0 {
			one := unionRecords(found, f.Any)
			if all {
				docs, all = one, false
			} else {
				docs = intersectRecords(docs, one, true)
			}
		}
	}
	for _, f := range filters {
		if all && len(f.Not) > 0 {
			var err error
			if docs, err = s.allRecords(ctx); err != nil {
				return nil, err
			}
			all = false
		}
		docs = intersectRecords(docs, unionRecords(found, f.Not), false)
	}
	if all {
		return s.allRecords(ctx)
	}
	return docs, nil
}

func unionRecords(found map[string]*term, words []string) []uint32 {
	var out []uint32
	for _, w := range words {
		if t := found[w]; t != nil {
			out = append(out, t.p.Docs...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// intersectRecords keeps the records of a that b has (or has not).
func intersectRecords(a, b []uint32, has bool) []uint32 {
	out := make([]uint32, 0, len(a))
	for _, d := range a {
		b = b[searchForward(len(b), func(i int) bool { return b[i] >= d }):]
		if (len(b) > 0 && b[0] == d) == has {
			out = append(out, d)
		}
	}
	return out
}

// allRecords returns the numbers of all records, rising. If some numbers have no
// record, they are in the order by registration: only the index of registered
// pages has such numbers.
func (s *Session) allRecords(ctx context.Context) ([]uint32, error) {
	if s.root.Docs < s.root.Slots() {
		out, err := s.readOrder(ctx, searchindex.ByRegistration)
		slices.Sort(out)
		return out, err
	}
	out := make([]uint32, s.root.Docs)
	for i := range out {
		out[i] = uint32(i)
	}
	return out, nil
}
