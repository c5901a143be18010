package query

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/wire"
)

// lister is one question to an index of JSON records.
type lister struct {
	index   string
	def     int // records of a page unless asked otherwise
	most    int
	filters []filter
	floor   uint32
	parts   []string // what else distinguishes the question
}

// ptr is the constraint "pointer to T that is a Record".
type ptr[T any] interface {
	*T
	wire.Record
}

// answerList answers a question to an index of JSON records of type T. see gets the
// match of each record when a topic was asked for.
func answerList[T any, P ptr[T]](ctx context.Context, c *Catalog, a *Ask, l lister, see func(P, *exports.Match)) (*exports.List[T, P], error) {
	q, err := parseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	w, err := c.pagingWindow(ctx, a, l.def, l.most, l.index, append([]string{q}, l.parts...)...)
	if err != nil {
		return nil, err
	}
	s, err := c.openSession(ctx, w.gen.Gen, l.index)
	if err != nil {
		return nil, err
	}
	words := questionWords(q)
	out := &exports.List[T, P]{Catalog: w.gen.Release, Data: []T{}}
	answer := &answer{}
	if q == "" || len(words) > 0 {
		if answer, err = s.searchPages(ctx, &question{words: words, filters: l.filters, floor: l.floor, pos: w.pos, limit: w.limit}); err != nil {
			return nil, err
		}
	}
	records, err := s.readRecords(ctx, answer.docs)
	if err != nil {
		return nil, err
	}
	out.Data = make([]T, len(records))
	for i, r := range records {
		if err := wire.Decode(r, P(&out.Data[i]), wire.Trusted); err != nil {
			return nil, outageError(s.gen, err)
		}
		if see != nil && len(words) > 0 {
			see(&out.Data[i], &exports.Match{Score: answer.scores[i], Terms: answer.terms[i]})
		}
	}
	out.Page, out.Links, err = w.pageOf(answer.total)
	return out, err
}

// addFilter adds a filter for each occurrence of a parameter: commas are OR,
// occurrences AND. Each word must be one of allowed, unless that is nil.
func (l *lister) addFilter(param, facet string, values []string, allowed []string) error {
	for _, words := range splitValues(values) {
		var f filter
		for _, w := range words {
			if allowed != nil && !exports.OneOf(w, allowed) || allowed == nil && !isPlain(w) {
				return invalidParam(param, "has a value that is not allowed"+oneOf(allowed))
			}
			f.any = append(f.any, searchindex.FacetWord(facet, w))
		}
		l.filters = append(l.filters, f)
		l.parts = append(l.parts, facet, strings.Join(words, ","))
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

type (
	// Demands is a part of the buyer demand.
	Demands = exports.List[exports.Demand, *exports.Demand]
	// Ledger is a part of the ledger entries.
	Ledger = exports.List[exports.LedgerRow, *exports.LedgerRow]
)

// Demand lists the buyer demand, the newest first, or what matches q. At most
// 100, 20 unless asked otherwise.
func (c *Catalog) Demand(ctx context.Context, a Ask) (*Demands, error) {
	return answerList[exports.Demand](ctx, c, &a, lister{index: searchindex.Demand, def: 20, most: 100}, nil)
}

// LedgerSearch lists ledger entries, the newest first, or those that match q:
// words of title, publisher or URL, or an exact entry id or digest. At most
// 100, 20 unless asked otherwise.
func (c *Catalog) LedgerSearch(ctx context.Context, a Ask) (*Ledger, error) {
	return answerList[exports.LedgerRow](ctx, c, &a, lister{index: searchindex.Ledger, def: 20, most: 100}, nil)
}
