package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/listing"
	provrecord "colophon/internal/record"
	"colophon/internal/searchindex"
	"colophon/internal/wire"
)

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// publishInventories writes the first page of each publisher's content inventory.
func (b *build) publishInventories() error { return b.eachChangedSite(b.inventoryOfSite) }

// inventoryOfSite writes the first page of the inventory of a publisher.
func (b *build) inventoryOfSite(s *siteFacts) error {
	path := exports.InventoryPath(s.Site.SiteID)
	newest, err := b.newestOf(s, itemsOnPage)
	if err != nil {
		return err
	}
	entries := entriesOf(newest)
	last := ""
	if n := len(entries); n > 0 {
		last = exports.PlaceByTime(entries[n-1].RegisteredAt, entries[n-1].EntryID)
	}
	l := firstPageOfSite(b, s, path, entries, itemsOnPage, last, "inventory", "", s.Site.SiteID)
	facts := exports.InventoryFacts{
		RegisteredPages: s.tally.Pages, WithProvenance: s.tally.Records, Sections: s.tally.Sections(), TopTerms: s.tally.TopTerms(20),
	}
	l.Extra = func(m *wire.Members) { m.Object("inventory", &facts) }
	return b.writeRecord(path, l)
}

// entriesOf returns the pages of feed records.
func entriesOf(list []exports.FeedRecord) []exports.Entry {
	entries := make([]exports.Entry, len(list))
	for i := range list {
		entries[i] = list[i].Entry
	}
	return entries
}

// latestFirst sorts entries by their day of publication, the latest first and
// those without one last.
func latestFirst(list []exports.Entry) []exports.Entry {
	slices.SortStableFunc(list, func(a, b exports.Entry) int { return strings.Compare(b.PublishedAt, a.PublishedAt) })
	return list
}

// siteRecords writes the first page of the list of each site's provenance
// records. Its places are those of the inventory, so that it continues where the
// index continues; a page without a record takes a place and shows nothing.
func (b *build) siteRecords() error { return b.eachChangedSite(b.recordsOfSite) }

// recordsOfSite writes the first page of the records of a publisher.
func (b *build) recordsOfSite(s *siteFacts) error {
	rows, err := b.spool.newest.readRows(s.listed, recordsOnPage)
	if err != nil {
		return err
	}
	records := []exports.Record{}
	for i := range rows {
		if rows[i].sha256 == "" {
			continue
		}
		text, err := b.recordText(&rows[i])
		if err != nil {
			return err
		}
		record, err := decodeRecord(text)
		if err != nil {
			return err
		}
		records = append(records, record)
	}
	siteID := s.Site.SiteID
	path := exports.SiteRecordsPath(siteID)
	last := ""
	if n := len(rows); n > 0 {
		last = exports.PlaceByTime(rows[n-1].page.RegisteredAt, rows[n-1].page.EntryID)
	}
	l := firstPageOfSite(b, s, path, records, recordsOnPage, last, "records", siteID)
	l.Page.Total = s.tally.Records
	l.Page.NextOffset = -1
	return b.writeRecord(path, l)
}

// recordText returns the text of the record of a page: that of a page that is
// not due is read where it is published, and from the origin should it not be
// as it was.
func (b *build) recordText(r *pageRow) (string, error) {
	if r.text.size > 0 {
		return b.spool.readRecord(r.text)
	}
	path := filepath.Join(b.out.dir, filepath.FromSlash(string(exports.KeyOf(exports.RecordPath(r.page.EntryID)))))
	text, err := os.ReadFile(path)
	if err == nil && provrecord.RecordSHA256(text) == r.sha256 {
		return string(text), nil
	}
	versions, err := b.store.Versions(context.Background(), r.page.EntryID)
	if err != nil {
		return "", err
	}
	if len(versions) == 0 {
		return "", fmt.Errorf("the record of %q is not in the origin", r.page.EntryID)
	}
	return versions[len(versions)-1].JSON, nil
}

// publishFeeds writes the first page of the licensing feed, as JSON and as NDJSON.
func (b *build) publishFeeds() error {
	newest := b.newestRecords()
	if err := b.writeRecord(exports.PathFeed, firstPage(b, exports.PathFeed, newest, 20, b.report.Pages, placeInFeed, "feed", "")); err != nil {
		return err
	}
	var lines []byte
	for i := range newest[:min(len(newest), 100)] {
		f := newest[i]
		f.Cursor = exports.Cursor{Mark: exports.CursorMark("feed", ""), Pos: i + 1, After: placeInFeed(&f)}.String()
		lines = append(wire.Append(lines, &f), '\n')
	}
	return b.out.putFile(exports.KeyOf(exports.PathFeedNDJSON), lines)
}

// placeInFeed returns the place of a page in the licensing feed.
func placeInFeed(f *exports.FeedRecord) string { return exports.PlaceByTime(f.RegisteredAt, f.EntryID) }

// demandList writes the needs that buyers opted to publish, newest first.
func (b *build) demandList() error {
	list := append([]exports.Demand(nil), b.demand...)
	sortDemand(list)
	return b.writeRecord(exports.PathDemand, firstPage(b, exports.PathDemand, list, 20, int64(len(list)), listing.PlaceOfDemand, searchindex.Demand, ""))
}
