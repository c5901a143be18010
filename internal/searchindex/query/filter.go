package query

import (
	"context"
	"slices"
)

// filterRecords are the records that meet every filter, rising.
func (s *session) filterRecords(ctx context.Context, filters []filter) ([]uint32, error) {
	var words []string
	for _, f := range filters {
		words = append(append(words, f.any...), f.not...)
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
		if len(f.any) > 0 {
			one := unionRecords(found, f.any)
			if all {
				docs, all = one, false
			} else {
				docs = intersectRecords(docs, one, true)
			}
		}
	}
	for _, f := range filters {
		if all && len(f.not) > 0 {
			docs, all = allRecords(s.root.Docs), false
		}
		docs = intersectRecords(docs, unionRecords(found, f.not), false)
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

func allRecords(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}
