package query

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/paging"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/withdrawn"
)

// Hits is the answer of a search.
type Hits = exports.SearchList

// Found is one page of the list with its reasons; match is nil if no topic was
// asked for.
type Found struct {
	Doc   searchindex.Doc
	Match *exports.Match
}

// SearchCatalog searches the registered pages of all publishers; q is required.
// It returns at most 100 hits, 20 by default.
func (c *Searcher) SearchCatalog(ctx context.Context, a staticindex.Ask) (*Hits, error) {
	if strings.TrimSpace(a.Q) == "" {
		return nil, staticindex.InvalidParam("q", "is required")
	}
	return c.SearchPages(ctx, a, PageFilter{})
}

// PageFilter narrows a search by properties of a page's publisher; "" does not
// narrow.
type PageFilter struct {
	Category string // slug
	Use      string // one about which the publisher welcomes inquiries
	Signals  string // level of readiness that the publisher reaches at least
}

// Scope returns the registered pages that pass the filters.
func (f *PageFilter) Scope() (Scope, error) {
	s := Scope{Index: searchindex.Entries, Facets: []string{"category", "use", "signals"}}
	err := s.Filters.Add("category", "category", OneOrNone(f.Category), nil)
	if err == nil {
		err = s.Filters.Add("use", "use", OneOrNone(f.Use), exports.UseWords())
	}
	if err == nil {
		err = s.Filters.Add("signals", "signals", OneOrNone(f.Signals), exports.ReadinessLevels[1:])
	}
	return s, err
}

// SearchPages is SearchCatalog with filters, for people: without q it lists the
// pages that pass the filters, by publisher. It leaves out hits that were
// withdrawn since the release, though the total counts them.
func (c *Searcher) SearchPages(ctx context.Context, a staticindex.Ask, f PageFilter) (*Hits, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*Hits, error) { return c.searchPages(ctx, a, f) })
}

func (c *Searcher) searchPages(ctx context.Context, a staticindex.Ask, f PageFilter) (*Hits, error) {
	q, err := ParseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	scope, err := f.Scope()
	if err != nil {
		return nil, err
	}
	filters := scope.Filters.List
	parts := []string{q}
	if len(filters) > 0 {
		parts = append(parts, f.Category, f.Use, f.Signals)
	}
	w, err := c.files.PagingWindow(ctx, &a, 20, 100, "search", parts...)
	if err != nil {
		return nil, err
	}
	total, hits, err := c.MatchPages(ctx, w, q, filters, false)
	if err != nil {
		return nil, err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	if err != nil {
		return nil, err
	}
	out := &Hits{Catalog: w.Gen.Release, Data: make([]exports.SearchHit, 0, len(hits))}
	for i := range hits {
		if !gone.HasEntry(hits[i].Doc.EntryID) {
			out.Data = append(out.Data, searchHit(&hits[i], w.Gen.Release.GeneratedAt))
		}
	}
	out.Page, out.Links = w.PageOf(total, LastPlace(hits))
	return out, nil
}

// PlaceOf returns the place of a registered page in lists that have the newest
// first.
func PlaceOf(d *searchindex.Doc) string { return paging.PlaceByTime(d.RegisteredAt, d.EntryID) }

// LastPlace returns the place of the last of some pages, "" of none.
func LastPlace(list []Found) string {
	if len(list) == 0 {
		return ""
	}
	return PlaceOf(&list[len(list)-1].Doc)
}

// searchHit returns a page as a hit. Its vector is that of the release, which
// only a new release changes: asOf is the instant of the release.
func searchHit(f *Found, asOf string) exports.SearchHit {
	h := exports.SearchHit{Entry: f.Doc.Entry, Publisher: f.Doc.Ref(), Closed: f.Doc.Closed}
	h.RightsAsOf = asOf
	if f.Match != nil {
		h.Match = *f.Match
	}
	return h
}

// MatchPages searches the pages that meet every filter. Without words it lists
// them, if there are filters or an order: a question has to narrow or to sort.
// rising says that the filters leave the pages of one site, which come by
// registration.
func (c *Searcher) MatchPages(ctx context.Context, w *staticindex.Window, q string, filters []Filter, rising bool) (int, []Found, error) {
	s, err := c.Open(ctx, w.Gen, searchindex.Entries)
	if err != nil {
		return 0, nil, err
	}
	words := QuestionWords(q)
	if len(words) == 0 && (q != "" || len(filters) == 0 && w.Sort() == "") {
		return 0, nil, nil // q has no words, so nothing matches
	}
	ask := Question{Words: words, Either: w.Either(), Filters: filters, Sort: w.Sort()}
	a, records, err := s.SearchWindow(ctx, w, &ask, rising, func(record []byte) (string, error) {
		d, err := searchindex.LoadDoc(record)
		if err != nil {
			return "", staticindex.OutageError(w.Gen.Gen, err)
		}
		return PlaceOf(&d), nil
	})
	if err != nil {
		return 0, nil, err
	}
	out := make([]Found, len(records))
	for i := range records {
		d, err := searchindex.LoadDoc(records[i])
		if err != nil {
			return 0, nil, staticindex.OutageError(w.Gen.Gen, err)
		}
		if len(words) == 0 {
			out[i] = Found{Doc: d}
			continue
		}
		out[i] = Found{d, &exports.Match{Score: a.Scores[i], Terms: a.Terms[i], Fields: FieldsOf(a.Terms[i],
			Field{"title", []string{d.Title}}, Field{"terms", d.Terms}, Field{"section", []string{d.Section}}, Field{"publisher", []string{d.Publisher}})}}
	}
	return a.Total, out, nil
}

// Field is a part of a record by name.
type Field struct {
	Name  string
	Texts []string
}

// FieldsOf names the fields that have one of the words.
func FieldsOf(words []string, fields ...Field) []string {
	out := []string{}
	for _, f := range fields {
		has := false
		for _, text := range f.Texts {
			searchindex.Tokens(text, func(w []byte) { has = has || slices.Contains(words, string(w)) })
		}
		if has {
			out = append(out, f.Name)
		}
	}
	return out
}
