package query

import (
	"context"
	"slices"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// Filter is a condition on a record: it must have at least one of the properties in
// Any, and none of those in Not. An empty Any sets no condition.
type Filter struct{ Any, Not []string }

// Question is a question to an index.
type Question struct {
	Words   []string
	Either  bool // a record need have only one of the words
	Filters []Filter
	within  []uint32 // records that meet the filters, once they are known
	Floor   uint32   // least rank of a record
	Sort    string   // an order of the index; "" is by score or, without words, by number
	Pos     int
	Limit   int
}

// Answer is one page of hits.
type Answer struct {
	Total  int
	Docs   []uint32
	Scores []int64    // thousandths of the best
	Terms  [][]string // words of the index that each hit has
}

// Search answers a question.
func (s *Session) Search(ctx context.Context, q *Question) (*Answer, error) {
	if q.Sort != "" {
		return s.searchSorted(ctx, q)
	}
	if len(q.Words) == 0 {
		return s.listAll(ctx, q)
	}
	if q.Either {
		return s.searchEither(ctx, q)
	}
	groups, ok, err := s.exactGroups(ctx, q.Words)
	if err != nil {
		return nil, err
	}
	if ok {
		a, err := s.rankRecords(ctx, q, groups)
		if err == nil && (a.Total == 0 || len(groups) == 1 && a.Total < fewHits) {
			err = s.addLonger(ctx, q, groups, a)
		}
		if err != nil || a.Total > 0 {
			return a, err
		}
	}
	if groups, ok, err = s.guessGroups(ctx, q.Words); err != nil || !ok {
		return &Answer{}, err
	}
	return s.rankRecords(ctx, q, groups)
}

// SearchWindow answers a question for the window w of a list, and reads the
// records. placeOf returns the place of a record; rising means that places rise
// along the list if neither words nor an order are asked for. It returns a
// staticindex.Error, with the code cursor_expired if the list does not continue
// after the record of a cursor.
func (s *Session) SearchWindow(ctx context.Context, w *staticindex.Window, q *Question, rising bool, placeOf func(record []byte) (string, error)) (*Answer, [][]byte, error) {
	ask := func(pos, limit int) (*Answer, [][]byte, error) {
		part := *q
		part.Pos, part.Limit = pos, limit
		a, err := s.Search(ctx, &part)
		if err != nil {
			return nil, nil, err
		}
		records, err := s.ReadRecords(ctx, a.Docs)
		return a, records, err
	}
	if w.After() == "" {
		return ask(w.Pos, w.Limit)
	}
	a, records, err := ask(w.Pos-1, w.Limit+1)
	if err != nil {
		return nil, nil, err
	}
	before := ""
	if len(records) > 0 {
		if before, err = placeOf(records[0]); err != nil {
			return nil, nil, err
		}
		a, records = a.dropFirst(), records[1:]
	}
	pos := w.Pos
	err = w.Resume(before, rising && len(q.Words) == 0 && q.Sort == "", a.Total, func(i int) (string, error) {
		_, one, err := ask(i, 1)
		if err != nil {
			return "", err
		}
		return placeOf(one[0])
	})
	if err != nil || w.Pos == pos {
		return a, records, err
	}
	return ask(w.Pos, w.Limit)
}

// dropFirst leaves the first hit out.
func (a *Answer) dropFirst() *Answer {
	out := &Answer{Total: a.Total, Docs: a.Docs[1:]}
	if len(a.Scores) > 0 {
		out.Scores, out.Terms = a.Scores[1:], a.Terms[1:]
	}
	return out
}

// searchEither finds the records that have at least one of the words as typed,
// those with more and rarer ones first.
func (s *Session) searchEither(ctx context.Context, q *Question) (*Answer, error) {
	if err := s.prepare(ctx, q.Words); err != nil {
		return nil, err
	}
	var groups []group
	for _, w := range q.Words {
		if t := s.findTerm(w, asAsked); t != nil {
			groups = append(groups, group{t})
		}
	}
	if groups = keepRare(groups, s.root.Docs); len(groups) == 0 {
		return &Answer{}, nil
	}
	var hits []searchindex.Hit
	for _, g := range groups {
		one, err := s.matchingRecords(ctx, q, []group{g})
		if err != nil {
			return nil, err
		}
		hits = mergeSum(hits, one)
	}
	return s.pickPage(q.Pos, q.Limit, hits, groups), nil
}

// listAll answers a question without words: in the order of the index.
func (s *Session) listAll(ctx context.Context, q *Question) (*Answer, error) {
	all := s.leadingRecords(q.Floor)
	if len(q.Filters) == 0 && s.root.Docs == s.root.Slots() {
		a := &Answer{Total: int(all)}
		for d := min(q.Pos, a.Total); d < min(q.Pos+q.Limit, a.Total); d++ {
			a.Docs = append(a.Docs, uint32(d))
		}
		return a, nil
	}
	docs, err := s.filterRecords(ctx, q.Filters)
	if err != nil {
		return nil, err
	}
	n, _ := slices.BinarySearch(docs, all)
	docs = docs[:n]
	return &Answer{Total: n, Docs: docs[min(q.Pos, n):min(q.Pos+q.Limit, n)]}, nil
}

// leadingRecords returns the number of leading records whose rank is at least
// floor.
func (s *Session) leadingRecords(floor uint32) uint32 {
	ranks := s.root.Ranks
	if floor == 0 || ranks == nil {
		return uint32(s.root.Slots())
	}
	n, _ := slices.BinarySearchFunc(ranks, floor, func(rank, floor uint32) int {
		if rank >= floor {
			return -1
		}
		return 1
	})
	return uint32(n)
}

// rankRecords finds the records that have a term of each group.
func (s *Session) rankRecords(ctx context.Context, q *Question, groups []group) (*Answer, error) {
	groups = keepRare(groups, s.root.Docs)
	hits, err := s.matchingRecords(ctx, q, groups)
	if err != nil {
		return nil, err
	}
	return s.pickPage(q.Pos, q.Limit, hits, groups), nil
}

// matchingRecords returns all records that have a term of each group, their
// numbers rising.
func (s *Session) matchingRecords(ctx context.Context, q *Question, groups []group) ([]searchindex.Hit, error) {
	var terms []*term
	for _, g := range groups {
		terms = append(terms, g...)
	}
	if err := s.loadPostings(ctx, terms); err != nil {
		return nil, err
	}
	slices.SortStableFunc(groups, func(a, b group) int { return a.countRecords() - b.countRecords() })
	hits := s.scoreGroup(groups[0])
	for _, g := range groups[1:] {
		hits = mergeBoth(hits, s.scoreGroup(g))
	}
	if q.Floor > 0 {
		hits = keepBefore(hits, s.leadingRecords(q.Floor))
	}
	if len(q.Filters) > 0 {
		if q.within == nil {
			docs, err := s.filterRecords(ctx, q.Filters)
			if err != nil {
				return nil, err
			}
			q.within = docs
		}
		hits = keepAmong(hits, q.within)
	}
	return hits, nil
}

// addLonger appends, to an answer with few hits, records with words that begin with the
// last word of the question. If there were hits it reads no file, except the next leaf
// where a leaf ends with the word.
func (s *Session) addLonger(ctx context.Context, q *Question, groups []group, a *Answer) error {
	end := len(groups) - 1
	w, wide := groups[end][0].word, 0
	if groups[end][0].weight != asAsked || len(w) < longerFrom {
		return nil // it was unfinished, or is hardly one
	}
	if a.Total == 0 {
		wide = 1
	} else if groups[end][0].isCommon() {
		return nil // its neighbours in the index were not read
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
	b := s.pickPage(max(0, q.Pos-a.Total), q.Limit-len(a.Docs), hits, more)
	least := int64(1000)
	if len(had) > 0 {
		searchindex.Best(had, s.root.PerFile, len(had))
		least = displayedScore(had[len(had)-1].Score)
	}
	for i, x := range b.Scores {
		b.Scores[i] = max(1, x*least/1000)
	}
	a.Total += b.Total
	a.Docs, a.Scores, a.Terms = append(a.Docs, b.Docs...), append(a.Scores, b.Scores...), append(a.Terms, b.Terms...)
	return nil
}
