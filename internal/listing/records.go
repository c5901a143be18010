package listing

import (
	"context"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Lists answers questions about lists from published files.
type Lists struct {
	files   *staticindex.Files
	search  *query.Searcher
	entries *lookup.Resolver
}

// New returns lists over published files, which search searches and in which
// entries finds entries.
func New(files *staticindex.Files, search *query.Searcher, entries *lookup.Resolver) *Lists {
	return &Lists{files, search, entries}
}

// lister is one question to an index of JSON records of type T.
type lister[T any] struct {
	query.Scope
	def  int // default number of records on a page
	most int
	// place is that of a record in the list; places rise along it.
	place func(*T) string
	// see receives the match of each record if a topic was asked for; it may be
	// nil.
	see func(*T, *exports.Match)
}

// ptr is the constraint "pointer to T that is a Record".
type ptr[T any] interface {
	*T
	wire.Record
}

// answerList answers a question to an index of JSON records of type T.
func answerList[T any, P ptr[T]](ctx context.Context, c *Lists, a *staticindex.Ask, l lister[T]) (*exports.List[T, P], error) {
	return staticindex.AskAgain(ctx, c.files, func() (*exports.List[T, P], error) { return askList[T, P](ctx, c, a, l) })
}

func askList[T any, P ptr[T]](ctx context.Context, c *Lists, a *staticindex.Ask, l lister[T]) (*exports.List[T, P], error) {
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
	if q != "" && len(words) == 0 {
		out.Page, out.Links = w.PageOf(0, "") // q has no word: nothing has it
		return out, nil
	}
	decode := func(record []byte) (r T, err error) {
		if err := wire.Decode(record, P(&r), wire.Trusted); err != nil {
			return r, staticindex.OutageError(w.Gen.Gen, err)
		}
		return r, nil
	}
	question := query.Question{Words: words, Filters: l.Filters.List, Floor: l.Floor, Sort: w.Sort()}
	answer, records, err := s.SearchWindow(ctx, w, &question, true, func(record []byte) (string, error) {
		r, err := decode(record)
		return l.place(&r), err
	})
	if err != nil {
		return nil, err
	}
	last := ""
	for i := range records {
		r, err := decode(records[i])
		if err != nil {
			return nil, err
		}
		last = l.place(&r)
		if l.see != nil && len(words) > 0 {
			l.see(&r, &exports.Match{Score: answer.Scores[i], Terms: answer.Terms[i]})
		}
		out.Data = append(out.Data, r)
	}
	out.Page, out.Links = w.PageOf(answer.Total, last)
	return out, nil
}

// Demands is a part of the buyer demand.
type Demands = exports.List[exports.Demand, *exports.Demand]

// Demand lists buyers' needs, the newest first, or those that match q. It
// returns at most 100, 20 by default.
func (c *Lists) Demand(ctx context.Context, a staticindex.Ask) (*Demands, error) {
	return c.DemandFor(ctx, a, DemandFilter{})
}

// DemandFilter narrows the list of buyers' needs, for people; "" does not
// narrow.
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
	return answerList(ctx, c, &a, lister[exports.Demand]{Scope: scope, def: 20, most: 100, place: PlaceOfDemand})
}

// Scope returns the buyers' needs that pass the filters.
func (f *DemandFilter) Scope() (query.Scope, error) {
	s := query.Scope{Index: searchindex.Demand, Facets: []string{"category", "use"}}
	if err := s.Filters.Add("category", "category", query.OneOrNone(f.Category), nil); err != nil {
		return s, err
	}
	err := s.Filters.Add("use", "use", query.OneOrNone(f.Use), exports.UseWords())
	return s, err
}
