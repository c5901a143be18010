package query

import (
	"context"
	"errors"
	"io/fs"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// searchSorted answers a question in an order of the index: all that match are
// found, put in order, and cut.
func (s *Session) searchSorted(ctx context.Context, q *Question) (*Answer, error) {
	places, err := s.readOrder(ctx, q.Sort)
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

// cut takes limit hits from pos on out of an answer, in another order.
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

// readOrder reads the places of the records in an order. One that was not
// published is none of this list.
func (s *Session) readOrder(ctx context.Context, name string) ([]uint32, error) {
	none := staticindex.InvalidParam("sort", "is no order of this list")
	if !isPlain(name) {
		return nil, none
	}
	key := searchindex.OrderKey(s.gen, s.name, name)
	b, err := s.files.ReadFile(ctx, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	places, err := searchindex.DecodeOrder(b, s.root.Docs)
	if err != nil {
		return nil, staticindex.OutageError(string(key), err)
	}
	return places, nil
}
