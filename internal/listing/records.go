package listing

import (
	"context"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Lists answers questions about lists from published files.
type Lists struct {
	files  *staticindex.Files
	search *query.Searcher
}

// New makes lists over published files, which search searches.
func New(files *staticindex.Files, search *query.Searcher) *Lists { return &Lists{files, search} }

// lister is one question to an index of JSON records.
type lister struct {
	index   string
	def     int // records of a page unless asked otherwise
	most    int
	filters query.Filters
	floor   uint32
}

// ptr is the constraint "pointer to T that is a Record".
type ptr[T any] interface {
	*T
	wire.Record
}

// answerList answers a question to an index of JSON records of type T. see gets the
// match of each record when a topic was asked for.
func answerList[T any, P ptr[T]](ctx context.Context, c *Lists, a *staticindex.Ask, l lister, see func(P, *exports.Match)) (*exports.List[T, P], error) {
	q, err := query.ParseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	w, err := c.files.PagingWindow(ctx, a, l.def, l.most, l.index, append([]string{q}, l.filters.Parts...)...)
	if err != nil {
		return nil, err
	}
	s, err := c.search.Open(ctx, w.Gen.Gen, l.index)
	if err != nil {
		return nil, err
	}
	words := query.QuestionWords(q)
	out := &exports.List[T, P]{Catalog: w.Gen.Release, Data: []T{}}
	answer := &query.Answer{}
	if q == "" || len(words) > 0 {
		if answer, err = s.Search(ctx, &query.Question{Words: words, Filters: l.filters.List, Floor: l.floor, Pos: w.Pos, Limit: w.Limit}); err != nil {
			return nil, err
		}
	}
	records, err := s.ReadRecords(ctx, answer.Docs)
	if err != nil {
		return nil, err
	}
	out.Data = make([]T, len(records))
	for i, r := range records {
		if err := wire.Decode(r, P(&out.Data[i]), wire.Trusted); err != nil {
			return nil, staticindex.OutageError(w.Gen.Gen, err)
		}
		if see != nil && len(words) > 0 {
			see(&out.Data[i], &exports.Match{Score: answer.Scores[i], Terms: answer.Terms[i]})
		}
	}
	out.Page, out.Links, err = w.PageOf(answer.Total)
	return out, err
}

type (
	// Demands is a part of the buyer demand.
	Demands = exports.List[exports.Demand, *exports.Demand]
	// Ledger is a part of the ledger entries.
	Ledger = exports.List[exports.LedgerRow, *exports.LedgerRow]
)

// Demand lists the buyer demand, the newest first, or what matches q. At most
// 100, 20 unless asked otherwise.
func (c *Lists) Demand(ctx context.Context, a staticindex.Ask) (*Demands, error) {
	return answerList[exports.Demand](ctx, c, &a, lister{index: searchindex.Demand, def: 20, most: 100}, nil)
}

// LedgerSearch lists ledger entries, the newest first, or those that match q:
// words of title, publisher or URL, or an exact entry id or digest. At most
// 100, 20 unless asked otherwise.
func (c *Lists) LedgerSearch(ctx context.Context, a staticindex.Ask) (*Ledger, error) {
	return answerList[exports.LedgerRow](ctx, c, &a, lister{index: searchindex.Ledger, def: 20, most: 100}, nil)
}
