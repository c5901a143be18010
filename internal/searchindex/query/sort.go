package query

import (
	"context"
	"slices"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// searchSorted answers a question in an order of the index: all that match are
// found, put in order, and cut.
func (s *Session) searchSorted(ctx context.Context, q *Question) (*Answer, error) {
	places, err := s.readPlaces(ctx, q.Sort)
	if err != nil {
		return nil, err
	}
	whole := *q
	whole.Sort = ""
	whole.Pos = 0
	whole.Limit = s.root.Docs
	all, err := s.Search(ctx, &whole)
	if err != nil {
		return nil, err
	}
	ranked := make([]int, len(places)+1) // place -> hit, from 1; 0 for none
	for i, d := range all.Docs {
		ranked[places[d]] = i + 1
	}
	return all.cut(ranked, q.Pos, q.Limit), nil
}

// cut returns limit hits of an answer from pos on, in another order.
func (a *Answer) cut(ranked []int, pos, limit int) *Answer {
	out := &Answer{Total: a.Total}
	for _, i := range ranked {
		switch {
		case i == 0:
			continue
		case pos > 0:
			pos--
			continue
		case len(out.Docs) == limit:
			return out
		}
		out.Docs = append(out.Docs, a.Docs[i-1])
		if a.Terms != nil {
			out.Scores = append(out.Scores, a.Scores[i-1])
			out.Terms = append(out.Terms, a.Terms[i-1])
		}
	}
	return out
}

// readPlaces reads the places of the records in an order of the list, the first of which
// is 1; a number without a record has the place 0.
func (s *Session) readPlaces(ctx context.Context, name string) ([]uint32, error) {
	if !slices.Contains(s.root.Orders, name) {
		return nil, staticindex.InvalidParam("sort", "is no order of this list")
	}
	docs, err := s.readOrder(ctx, name)
	if err != nil {
		return nil, err
	}
	places := make([]uint32, s.root.Slots())
	for i, d := range docs {
		places[d] = uint32(i) + 1
	}
	return places, nil
}

// readOrder reads the numbers of all records in an order of the index.
func (s *Session) readOrder(ctx context.Context, name string) ([]uint32, error) {
	keys := make([]exports.Key, searchindex.OrderParts(s.root.Docs))
	for n := range keys {
		keys[n] = searchindex.OrderKey(s.gen, s.name, name, n)
	}
	files, err := s.files.ReadAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	var out []uint32
	seen := make([]bool, s.root.Slots())
	for n, file := range files {
		docs, err := s.root.DecodeOrder(file, n, s.root.Docs)
		if err != nil {
			return nil, staticindex.OutageError(string(keys[n]), err)
		}
		for _, d := range docs {
			if seen[d] {
				return nil, staticindex.OutageError(string(keys[n]), staticindex.ErrMalformed)
			}
			seen[d] = true
		}
		out = append(out, docs...)
	}
	return out, nil
}
