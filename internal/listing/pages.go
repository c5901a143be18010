package listing

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/internal/withdrawn"
)

// Records is a part of the licensing feed.
type Records = exports.List[exports.FeedRecord, *exports.FeedRecord]

// Feed lists the registered pages of all publishers, the newest first, or those
// that match q: at most 100, 20 by default. With lines, for NDJSON, it returns
// at most 250, 100 by default, each with the cursor that follows it. Pages
// withdrawn since the release are left out, here and in an inventory, though
// totals count them.
func (c *Lists) Feed(ctx context.Context, a staticindex.Ask, lines bool) (*Records, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*Records, error) { return c.feed(ctx, a, lines) })
}

func (c *Lists) feed(ctx context.Context, a staticindex.Ask, lines bool) (*Records, error) {
	def, most := 20, 100
	if lines {
		def, most = 100, 250
	}
	q, err := query.ParseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	w, err := c.files.PagingWindow(ctx, &a, def, most, "feed", q)
	if err != nil {
		return nil, err
	}
	total, hits := int(w.Gen.Pages), []query.Found(nil)
	if q != "" {
		total, hits, err = c.search.MatchPages(ctx, w, q, nil, false)
	} else {
		hits, err = c.feedWindow(ctx, w)
	}
	if err != nil {
		return nil, err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	if err != nil {
		return nil, err
	}
	out := &Records{Catalog: w.Gen.Release, Data: make([]exports.FeedRecord, 0, len(hits))}
	for i := range hits {
		d := &hits[i].Doc
		if gone.HasEntry(d.EntryID) {
			continue
		}
		record := d.Feed()
		record.RightsAsOf = w.Gen.Release.GeneratedAt
		if lines {
			record.Cursor = w.CursorAfter(i, query.PlaceOf(d))
		}
		out.Data = append(out.Data, record)
	}
	out.Page, out.Links = w.PageOf(total, query.LastPlace(hits))
	return out, nil
}

// Inventory lists the registered pages of one site, the newest first, or
// those that match q, with the facts of the inventory. A hit has its match
// only when there is a topic; see exports.InventoryItem.
func (c *Lists) Inventory(ctx context.Context, siteID string, a staticindex.Ask) (*Items, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*Items, error) { return c.inventory(ctx, siteID, a) })
}

func (c *Lists) inventory(ctx context.Context, siteID string, a staticindex.Ask) (*Items, error) {
	q, err := query.ParseTopic(a.Q)
	if err != nil {
		return nil, err
	}
	if !exports.ValidSiteID(siteID) {
		return nil, &staticindex.Error{Code: "site_not_found"}
	}
	w, err := c.files.PagingWindow(ctx, &a, 20, 100, "inventory", q, siteID)
	if err != nil {
		return nil, err
	}
	row, err := c.findSite(ctx, w.Gen, siteID)
	if err != nil {
		return nil, err
	}
	total, hits, err := c.search.MatchPages(ctx, w, q, ofSite(siteID), true)
	if err != nil {
		return nil, err
	}
	gone, err := withdrawn.Read(ctx, c.files)
	if err != nil {
		return nil, err
	}
	out := &Items{Catalog: row.releaseIn(w.Gen), Data: make([]exports.InventoryItem, 0, len(hits))}
	for i := range hits {
		if gone.HasEntry(hits[i].Doc.EntryID) {
			continue
		}
		item := exports.InventoryItem{Entry: hits[i].Doc.Entry, Match: hits[i].Match}
		item.RightsAsOf = w.Gen.Release.GeneratedAt
		out.Data = append(out.Data, item)
	}
	out.Extra = func(m *wire.Members) { m.Object("inventory", &row.Facts) }
	out.Page, out.Links = w.PageOf(total, query.LastPlace(hits))
	return out, nil
}

// Items is the answer of an inventory.
type Items = exports.InventoryList

// SiteRecords lists the provenance records of the pages of one site, the page
// registered last first. Its places are those of the inventory: a page without a
// record shows nothing, so that an answer may have fewer records than places.
func (c *Lists) SiteRecords(ctx context.Context, siteID string, a staticindex.Ask) (*SiteRecords, error) {
	return staticindex.AskAgain(ctx, c.files, func() (*SiteRecords, error) { return c.siteRecords(ctx, siteID, a) })
}

func (c *Lists) siteRecords(ctx context.Context, siteID string, a staticindex.Ask) (*SiteRecords, error) {
	if !exports.ValidSiteID(siteID) {
		return nil, &staticindex.Error{Code: "site_not_found"}
	}
	w, err := c.files.PagingWindow(ctx, &a, 100, 100, "records", siteID)
	if err != nil {
		return nil, err
	}
	row, err := c.findSite(ctx, w.Gen, siteID)
	if err != nil {
		return nil, err
	}
	total, pages, err := c.search.MatchPages(ctx, w, "", ofSite(siteID), true)
	if err != nil {
		return nil, err
	}
	complete := row.Facts.WithProvenance == int64(total)
	gone, err := withdrawn.Read(ctx, c.files)
	if err != nil {
		return nil, err
	}

	out := &SiteRecords{Catalog: row.releaseIn(w.Gen), Data: []exports.Record{}}
	for i := range pages {
		r, err := c.record(ctx, exports.RecordPath(pages[i].Doc.EntryID))
		if errors.Is(err, fs.ErrNotExist) && (!complete || gone.HasEntry(pages[i].Doc.EntryID) || c.files.Superseded(ctx, w.Gen)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out.Data = append(out.Data, *r)
	}
	out.Page, out.Links = w.PageOf(total, query.LastPlace(pages))
	out.Page.Total = row.Facts.WithProvenance
	out.Page.NextOffset = -1
	return out, nil
}

// record reads a provenance record by its path.
func (c *Lists) record(ctx context.Context, path string) (*exports.Record, error) {
	key := exports.KeyOf(path)
	b, err := c.files.Read(ctx, string(key))
	if err != nil {
		return nil, err
	}
	r := new(exports.Record)
	if err := wire.Decode(b, r, wire.Trusted); err != nil {
		return nil, staticindex.OutageError(string(key), err)
	}
	return r, nil
}

// ofSite returns the filter by which the pages of one site are found, the ones
// registered last first.
func ofSite(siteID string) []query.Filter {
	return []query.Filter{{Any: []string{searchindex.FacetWord("site", siteID)}}}
}

// SiteRecords is a part of the provenance records of a site.
type SiteRecords = exports.List[exports.Record, *exports.Record]

func (c *Lists) findSite(ctx context.Context, g *staticindex.Generation, siteID string) (*SiteRow, error) {
	n := SiteBucket(siteID, int(g.SiteBits))
	key := SiteKey(g.Gen, n)
	b, err := c.files.Read(ctx, string(key))
	if err != nil {
		return nil, err
	}
	row, err := FindSite(b, n, siteID)
	if err != nil {
		return nil, staticindex.OutageError(string(key), err)
	}
	if row == nil {
		return nil, &staticindex.Error{Code: "site_not_found"}
	}
	return row, nil
}
