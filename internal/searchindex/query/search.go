package query

import (
	"context"
	"slices"

	"colophon/internal/searchindex"
	"colophon/internal/wire/order"
)

// filter is a condition on a record: it has one of the properties any, and
// none of not. An empty any asks nothing.
type filter struct{ any, not []string }

// question is what an index is asked.
type question struct {
	words   []string
	either  bool // a record need have only one of the words
	filters []filter
	within  []uint32 // records that meet the filters, once they are known
	floor   uint32   // least rank of a record
	pos     int
	limit   int
}

// answer is one page of hits.
type answer struct {
	total  int
	docs   []uint32
	scores []int64    // thousandths of the best
	terms  [][]string // words of the index that each hit has
}

// searchPages answers a question.
func (s *session) searchPages(ctx context.Context, q *question) (*answer, error) {
	if len(q.words) == 0 {
		return s.listAll(ctx, q)
	}
	if q.either {
		return s.searchEither(ctx, q)
	}
	groups, ok, err := s.exactGroups(ctx, q.words)
	if err != nil {
		return nil, err
	}
	if ok {
		a, err := s.rankRecords(ctx, q, groups)
		if err == nil && (a.total == 0 || len(groups) == 1 && a.total < fewHits) {
			err = s.addLonger(ctx, q, groups, a)
		}
		if err != nil || a.total > 0 {
			return a, err
		}
	}
	if groups, ok, err = s.guessGroups(ctx, q.words); err != nil || !ok {
		return &answer{}, err
	}
	return s.rankRecords(ctx, q, groups)
}

// searchEither finds the records that have at least one of the words as it
// stands, those with more and rarer ones first.
func (s *session) searchEither(ctx context.Context, q *question) (*answer, error) {
	if err := s.prepare(ctx, q.words); err != nil {
		return nil, err
	}
	var groups []group
	for _, w := range q.words {
		if t := s.findTerm(w, asAsked); t != nil {
			groups = append(groups, group{t})
		}
	}
	if groups = keepRare(groups, s.root.Docs); len(groups) == 0 {
		return &answer{}, nil
	}
	var hits []searchindex.Hit
	for _, g := range groups {
		one, err := s.matchingRecords(ctx, q, []group{g})
		if err != nil {
			return nil, err
		}
		hits = mergeSum(hits, one)
	}
	return s.pickPage(q.pos, q.limit, hits, groups), nil
}

// listAll answers a question without words: in the order of the index.
func (s *session) listAll(ctx context.Context, q *question) (*answer, error) {
	all := s.leadingRecords(q.floor)
	if len(q.filters) == 0 {
		a := &answer{total: int(all)}
		for d := min(q.pos, a.total); d < min(q.pos+q.limit, a.total); d++ {
			a.docs = append(a.docs, uint32(d))
		}
		return a, nil
	}
	docs, err := s.filterRecords(ctx, q.filters)
	if err != nil {
		return nil, err
	}
	n, _ := slices.BinarySearch(docs, all)
	docs = docs[:n]
	return &answer{total: n, docs: docs[min(q.pos, n):min(q.pos+q.limit, n)]}, nil
}

// leadingRecords is the number of leading records whose rank is at least floor.
func (s *session) leadingRecords(floor uint32) uint32 {
	if floor == 0 || s.root.Ranks == nil {
		return uint32(s.root.Docs)
	}
	n, _ := slices.BinarySearchFunc(s.root.Ranks, floor, func(rank, floor uint32) int {
		if rank >= floor {
			return -1
		}
		return 1
	})
	return uint32(n)
}

// rankRecords finds the records that have a term of each group.
func (s *session) rankRecords(ctx context.Context, q *question, groups []group) (*answer, error) {
	groups = keepRare(groups, s.root.Docs)
	hits, err := s.matchingRecords(ctx, q, groups)
	if err != nil {
		return nil, err
	}
	return s.pickPage(q.pos, q.limit, hits, groups), nil
}

// matchingRecords are all records that have a term of each group, their numbers rising.
func (s *session) matchingRecords(ctx context.Context, q *question, groups []group) ([]searchindex.Hit, error) {
	var terms []*term
	for _, g := range groups {
		terms = append(terms, g...)
	}
	if err := s.loadPostings(ctx, terms); err != nil {
		return nil, err
	}
	order.Stable(groups, func(a, b *group) int { return a.countRecords() - b.countRecords() })
	hits := s.scoreGroup(groups[0])
	for _, g := range groups[1:] {
		hits = mergeBoth(hits, s.scoreGroup(g))
	}
	if q.floor > 0 {
		hits = keepBefore(hits, s.leadingRecords(q.floor))
	}
	if len(q.filters) > 0 {
		if q.within == nil {
			docs, err := s.filterRecords(ctx, q.filters)
			if err != nil {
				return nil, err
			}
			q.within = docs
		}
		hits = keepAmong(hits, q.within)
	}
	return hits, nil
}

// addLonger adds to an answer of few hits those whose word goes on where the last
// word of the question ends, after all others. Files are read for that only
// when nothing was found, but for the next leaf at the end of one.
func (s *session) addLonger(ctx context.Context, q *question, groups []group, a *answer) error {
	end := len(groups) - 1
	w, wide := groups[end][0].word, 0
	if groups[end][0].weight != asAsked || len(w) < longerFrom {
		return nil // it was unfinished, or is hardly one
	}
	if a.total == 0 {
		wide = 1
	} else if groups[end][0].common >= 0 {
		return nil // its neighbours in the index are not at hand
	}
	g, err := s.wordEndings(ctx, w, wide)
	if err != nil || len(g) == 0 {
		return err
	}
	more := keepRare(append(slices.Clone(groups[:end]), g), s.root.Docs)
	if last := more[len(more)-1]; last[0] != g[0] {
		return nil // so frequent that it would be left out
	}
	had, err := s.matchingRecords(ctx, q, keepRare(groups, s.root.Docs))
	if err != nil {
		return err
	}
	hits, err := s.matchingRecords(ctx, q, more)
	if err != nil {
		return err
	}
	hits = dropHits(hits, had)
	b := s.pickPage(max(0, q.pos-a.total), q.limit-len(a.docs), hits, more)
	least := int64(1000)
	if len(had) > 0 {
		searchindex.Best(had, s.root.PerFile, len(had))
		least = displayedScore(had[len(had)-1].Score)
	}
	for i, x := range b.scores {
		b.scores[i] = max(1, x*least/1000)
	}
	a.total += b.total
	a.docs, a.scores, a.terms = append(a.docs, b.docs...), append(a.scores, b.scores...), append(a.terms, b.terms...)
	return nil
}
