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
	query.Scope
	def  int // records of a page unless asked otherwise
	most int
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
	w, err := c.files.PagingWindow(ctx, a, l.def, l.most, l.Index, append([]string{q}, l.Filters.Parts...)...)
	if err != nil {
		return nil, err
	}
	s, err := c.search.Open(ctx, w.Gen, l.Index)
	if err != nil {
		return nil, err
	}
	words := query.QuestionWords(q)
	out := &exports.List[T, P]{Catalog: w.Gen.Release, Data: []T{}}
	answer := &query.Answer{}
	if q == "" || len(words) > 0 {
		question := query.Question{Words: words, Filters: l.Filters.List, Floor: l.Floor, Sort: w.Sort(), Pos: w.Pos, Limit: w.Limit}
		if answer, err = s.Search(ctx, &question); err != nil {
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
	return c.DemandFor(ctx, a, DemandFilter{})
}

// DemandFilter narrows the buyer demand, for people; "" asks nothing.
type DemandFilter struct {
	Category string // slug
	Use      string
}

// DemandFor is Demand with filters.
func (c *Lists) DemandFor(ctx context.Context, a staticindex.Ask, f DemandFilter) (*Demands, error) {
	scope, err := f.Scope()
	if err != nil {
		return nil, err
	}
	return answerList[exports.Demand](ctx, c, &a, lister{Scope: scope, def: 20, most: 100}, nil)
}

// Scope is what the filters leave of the buyer demand.
func (f *DemandFilter) Scope() (query.Scope, error) {
	s := query.Scope{Index: searchindex.Demand, Facets: []string{"category", "use"}}
	if err := s.Filters.Add("category", "category", query.OneOrNone(f.Category), nil); err != nil {
		return s, err
	}
	err := s.Filters.Add("use", "use", query.OneOrNone(f.Use), exports.UseWords())
	return s, err
}

// LedgerSearch lists ledger entries, the newest first, or those that match q:
// words of title, publisher or URL, or an exact entry id or digest. At most
// 100, 20 unless asked otherwise.
func (c *Lists) LedgerSearch(ctx context.Context, a staticindex.Ask) (*Ledger, error) {
	return answerList[exports.LedgerRow](ctx, c, &a, lister{Scope: query.Scope{Index: searchindex.Ledger}, def: 20, most: 100}, nil)
}
