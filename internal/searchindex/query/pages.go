package query

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/wire"
)

// The lists of registered pages.
type (
	// Hits is the answer of a search.
	Hits = exports.SearchList
	// Records is a part of the licensing feed.
	Records = exports.List[exports.FeedRecord, *exports.FeedRecord]
)

// found is one page of the list with its reasons; match is nil when no topic
// was asked for.
type found struct {
	doc   searchindex.Doc
	match *exports.Match
}

// SearchCatalog searches the registered pages of all publishers; q is
// required. At most 100 hits, 20 unless asked otherwise.
func (c *Catalog) SearchCatalog(ctx context.Context, a Ask) (*Hits, error) {
	if strings.TrimSpace(a.Q) == "" {
		return nil, invalidParam("q", "is required")
	}
	return c.SearchPages(ctx, a, PageFilter{})
}

// PageFilter narrows a search by what the publisher of a page is; "" asks
// nothing.
type PageFilter struct {
	Category string // slug
	Use      string // one about which the publisher welcomes inquiries
	Signals  string // level of readiness that the publisher reaches at least
}

func (f PageFilter) toFilters() ([]filter, error) {
	var l lister
	err := l.addFilter("category", "category", oneOrNone(f.Category), nil)
	if err == nil {
		err = l.addFilter("use", "use", oneOrNone(f.Use), exports.UseWords())
	}
	if err == nil {
		err = l.addFilter("signals", "signals", oneOrNone(f.Signals), exports.ReadinessLevels[1:])
	}
	return l.filters, err
}

// SearchPages is SearchCatalog with filters, for people: without q it lists
// what the filters leave, neighbours in subject together.
func (c *Catalog) SearchPages(ctx context.Context, a Ask, f PageFilter) (*Hits, error) {
	q, err := parseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	filters, err := f.toFilters()
	if err != nil {
		return nil, err
	}
	parts := []string{q}
	if len(filters) > 0 {
		parts = append(parts, f.Category, f.Use, f.Signals)
	}
	w, err := c.pagingWindow(ctx, &a, 20, 100, "search", parts...)
	if err != nil {
		return nil, err
	}
	total, hits, err := c.matchPages(ctx, w, q, filters)
	if err != nil {
		return nil, err
	}
	out := &Hits{Catalog: w.gen.Release, Data: make([]exports.SearchHit, len(hits))}
	for i := range hits {
		out.Data[i] = searchHit(&hits[i], w.gen.Release.GeneratedAt)
	}
	out.Page, out.Links, err = w.pageOf(total)
	return out, err
}

// searchHit shows what was found. Its vector is that of the release, which nothing
// but a new release changes: asOf is the instant of the release.
func searchHit(f *found, asOf string) exports.SearchHit {
	h := exports.SearchHit{Entry: f.doc.Entry, Publisher: f.doc.Ref()}
	h.RightsAsOf = asOf
	if f.match != nil {
		h.Match = *f.match
	}
	return h
}

// Feed lists the registered pages of all publishers, the newest first, or
// those that match q. At most most records, def unless asked otherwise; each
// has the cursor after it when lines is set, for NDJSON.
func (c *Catalog) Feed(ctx context.Context, a Ask, lines bool) (*Records, error) {
	def, most := 20, 100
	if lines {
		def, most = 100, 250
	}
	q, err := parseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	w, err := c.pagingWindow(ctx, &a, def, most, "feed", q)
	if err != nil {
		return nil, err
	}
	total, hits := int(w.gen.Pages), []found(nil)
	if q != "" {
		total, hits, err = c.matchPages(ctx, w, q, nil)
	} else {
		hits, err = c.readListed(ctx, w, searchindex.ListFeed, 0, total)
	}
	if err != nil {
		return nil, err
	}
	out := &Records{Catalog: w.gen.Release, Data: make([]exports.FeedRecord, len(hits))}
	for i := range hits {
		d := &hits[i].doc
		out.Data[i] = d.Feed()
		out.Data[i].RightsAsOf = w.gen.Release.GeneratedAt
		if lines {
			out.Data[i].Cursor = formatCursor(w.gen.Gen, w.mark, w.pos+i+1)
		}
	}
	out.Page, out.Links, err = w.pageOf(total)
	return out, err
}

// Inventory lists the registered pages of one site, the newest first, or
// those that match q, with the facts of the inventory. A hit has its match
// only when there is a topic; see exports.InventoryItem.
func (c *Catalog) Inventory(ctx context.Context, siteID string, a Ask) (*Items, error) {
	q, err := parseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	if !exports.ValidSiteID(siteID) {
		return nil, &Error{Code: "site_not_found"}
	}
	w, err := c.pagingWindow(ctx, &a, 20, 100, "inventory", q, siteID)
	if err != nil {
		return nil, err
	}
	row, err := c.findSite(ctx, w.gen, siteID)
	if err != nil {
		return nil, err
	}
	total, hits := int(row.Count), []found(nil)
	if q != "" {
		total, hits, err = c.matchPages(ctx, w, q, []filter{{any: []string{searchindex.FacetWord("site", siteID)}}})
	} else {
		hits, err = c.readListed(ctx, w, searchindex.ListInventory, int(row.First), total)
	}
	if err != nil {
		return nil, err
	}
	out := &Items{Catalog: w.gen.Release, Data: make([]exports.InventoryItem, len(hits))}
	for i := range hits {
		out.Data[i] = exports.InventoryItem{Entry: hits[i].doc.Entry, Match: hits[i].match}
		out.Data[i].RightsAsOf = w.gen.Release.GeneratedAt
	}
	out.Extra = func(m *wire.Members) { m.Object("inventory", &row.Facts) }
	out.Page, out.Links, err = w.pageOf(total)
	return out, err
}

// Items is the answer of an inventory.
type Items = exports.InventoryList

// SiteRecords lists the provenance records of the pages of one site, the page
// registered last first. Its places are those of the inventory: a page without a
// record shows nothing, so that an answer may have fewer records than places.
func (c *Catalog) SiteRecords(ctx context.Context, siteID string, a Ask) (*SiteRecords, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, &Error{Code: "site_not_found"}
	}
	w, err := c.pagingWindow(ctx, &a, 20, 100, "records", siteID)
	if err != nil {
		return nil, err
	}
	row, err := c.findSite(ctx, w.gen, siteID)
	if err != nil {
		return nil, err
	}
	pages, err := c.readListed(ctx, w, searchindex.ListInventory, int(row.First), int(row.Count))
	if err != nil {
		return nil, err
	}
	complete := row.Facts.WithProvenance == row.Count

	out := &SiteRecords{Catalog: w.gen.Release, Data: []exports.Record{}}
	for i := range pages {
		r, err := c.record(ctx, pages[i].doc.EntryID)
		if errors.Is(err, fs.ErrNotExist) && (!complete || c.superseded(ctx, w.gen)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out.Data = append(out.Data, *r)
	}
	out.Page, out.Links, err = w.pageOf(int(row.Count))
	out.Page.Total = row.Facts.WithProvenance
	out.Page.NextOffset = -1
	return out, err
}

// record reads the provenance record of a page as it is published now.
func (c *Catalog) record(ctx context.Context, entryID string) (*exports.Record, error) {
	key := exports.KeyOf(exports.RecordPath(entryID))
	b, err := c.readFile(ctx, key)
	if err != nil {
		return nil, err
	}
	r := new(exports.Record)
	if err := wire.Decode(b, r, wire.Trusted); err != nil {
		return nil, outageError(string(key), err)
	}
	return r, nil
}

// superseded tells whether another generation than g is in force by now.
func (c *Catalog) superseded(ctx context.Context, g *searchindex.Generation) bool {
	x, err := c.currentIndex(ctx, true)
	return err == nil && x.Current.Gen != g.Gen
}

// SiteRecords is a part of the provenance records of a site.
type SiteRecords = exports.List[exports.Record, *exports.Record]

func (c *Catalog) findSite(ctx context.Context, g *searchindex.Generation, siteID string) (*searchindex.SiteRow, error) {
	n := searchindex.SiteBucket(siteID, int(g.SiteBits))
	key := searchindex.SiteKey(g.Gen, n)
	b, err := c.readFile(ctx, key)
	if err != nil {
		return nil, err
	}
	row, err := searchindex.FindSite(b, n, siteID)
	if err != nil {
		return nil, outageError(string(key), err)
	}
	if row == nil {
		return nil, &Error{Code: "site_not_found"}
	}
	if row.First+row.Count > g.Pages {
		return nil, outageError(string(key), searchindex.ErrMalformed)
	}
	return row, nil
}

// matchPages searches the pages that meet every filter. Without words it lists
// them, if there are filters: a question has to narrow.
func (c *Catalog) matchPages(ctx context.Context, w *window, q string, filters []filter) (int, []found, error) {
	s, err := c.openSession(ctx, w.gen.Gen, searchindex.Entries)
	if err != nil {
		return 0, nil, err
	}
	words := questionWords(q)
	if len(words) == 0 && (q != "" || len(filters) == 0) {
		return 0, nil, nil // q has no word: nothing has it
	}
	ask := question{words: words, either: w.ask.Either, filters: filters, pos: w.pos, limit: w.limit}
	a, err := s.searchPages(ctx, &ask)
	if err != nil {
		return 0, nil, err
	}
	records, err := s.readRecords(ctx, a.docs)
	if err != nil {
		return 0, nil, err
	}
	out := make([]found, len(records))
	for i := range records {
		d, err := searchindex.LoadDoc(records[i])
		if err != nil {
			return 0, nil, outageError(s.gen, err)
		}
		if len(words) == 0 {
			out[i] = found{doc: d}
			continue
		}
		out[i] = found{d, &exports.Match{Score: a.scores[i], Terms: a.terms[i], Fields: fieldsOf(a.terms[i],
			field{"title", []string{d.Title}}, field{"terms", d.Terms}, field{"section", []string{d.Section}}, field{"publisher", []string{d.Publisher}})}}
	}
	return a.total, out, nil
}

// field is a part of a record by name.
type field struct {
	name  string
	texts []string
}

// fieldsOf names the fields that have one of the words.
func fieldsOf(words []string, fields ...field) []string {
	out := []string{}
	for _, f := range fields {
		has := false
		for _, text := range f.texts {
			searchindex.Tokens(text, func(w []byte) { has = has || slices.Contains(words, string(w)) })
		}
		if has {
			out = append(out, f.name)
		}
	}
	return out
}

// readListed reads a page of a list that is stored in its order; it is count long
// and begins at first.
func (c *Catalog) readListed(ctx context.Context, w *window, list string, first, count int) ([]found, error) {
	from, to := first+min(w.pos, count), first+min(w.pos+w.limit, count)
	if from >= to {
		return nil, nil
	}
	per := int(w.gen.PerFile)
	var keys []exports.Key
	for n := from / per; n <= (to-1)/per; n++ {
		keys = append(keys, searchindex.BlockKey(w.gen.Gen, list, n))
	}
	files, err := c.readAll(ctx, keys)
	if err != nil {
		return nil, err
	}
	var out []found
	for i, b := range files {
		k, err := searchindex.DecodeBlock(b, from/per+i)
		base := (from/per + i) * per
		if err != nil || len(k) != min(per, int(w.gen.Pages)-base) {
			return nil, outageError(string(keys[i]), searchindex.ErrMalformed)
		}
		for at := max(from, base); at < min(to, base+per); at++ {
			d, err := searchindex.LoadDoc(k[at-base])
			if err != nil {
				return nil, outageError(string(keys[i]), err)
			}
			out = append(out, found{doc: d})
		}
	}
	return out, nil
}

// splitValues cuts the elements of a filter: each element of the result is one
// occurrence, its words alternatives.
func splitValues(values []string) [][]string {
	var out [][]string
	for _, v := range values {
		out = append(out, strings.Split(v, ","))
	}
	return out
}
