package render

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/blob/document"
	"colophon/internal/listing"
	"colophon/internal/paging"
	"colophon/internal/searchindex"
	"colophon/internal/wire"
)

// The lengths of the first pages of long lists, which are published as files.
// The rest of a list is answered from the index.
const (
	NewestPerSite = 250 // pages of a publisher in its inventory and on its page
	RecordsOnPage = 100
	ItemsOnPage   = 20 // on the first page of an inventory
)

// Inventory returns the first page of the inventory of a publisher.
func Inventory(p *Publisher, newest []exports.FeedRecord) Document {
	path := exports.InventoryPath(p.Site.SiteID)
	entries := entriesOf(newest)
	last := ""
	if n := len(entries); n > 0 {
		last = paging.PlaceByTime(entries[n-1].RegisteredAt, entries[n-1].EntryID)
	}
	l := firstPageOfSite(p, path, entries, ItemsOnPage, last, "inventory", "", p.Site.SiteID)
	facts := exports.InventoryFacts{
		RegisteredPages: p.Tally.Pages, WithProvenance: p.Tally.Records, Sections: p.Tally.Sections(), TopTerms: p.Tally.TopTerms(20),
	}
	l.Extra = func(m *wire.Members) { m.Object("inventory", &facts) }
	return recordAt(path, l)
}

// RecordList is the first page of a publisher's provenance records.
type RecordList struct {
	Key     exports.Key
	list    []byte // without records
	records []SignedRecord
	named   bool
}

// NewRecordList returns the first page of a publisher's records. Its places are
// those of the inventory, so that the index can continue the list; a page
// without a record has a place but shows nothing. last is the place of the last
// page that the list has passed.
func NewRecordList(p *Publisher, records []SignedRecord, last string) RecordList {
	path := exports.SiteRecordsPath(p.Site.SiteID)
	l := firstPageOfSite(p, path, []exports.Record{}, RecordsOnPage, last, "records", p.Site.SiteID)
	l.Page.Total = p.Tally.Records
	l.Page.NextOffset = -1
	return RecordList{exports.KeyOf(path), wire.Append(nil, l), records, p.Tally.Pages <= 2*RecordsOnPage}
}

// Document returns the list as a document.
func (l *RecordList) Document() Document { return fileAt(l.Key, l.Text()) }

// Text returns the list as it is published.
func (l *RecordList) Text() []byte {
	texts := make([]string, len(l.records))
	for i := range l.records {
		texts[i] = l.records[i].JSON
	}
	return document.FillList(l.list, texts)
}

// Packed returns the list as packs have it: with the ids of entries in place of
// their records, unless the publisher has so many entries that reading the
// facts of a hundred would take too many reads.
func (l *RecordList) Packed() []byte {
	if !l.named {
		return l.Text()
	}
	ids := make([]string, len(l.records))
	for i := range l.records {
		ids[i] = `"` + l.records[i].EntryID + `"`
	}
	return document.FillList(l.list, ids)
}

// entriesOf returns the pages of feed records.
func entriesOf(list []exports.FeedRecord) []exports.Entry {
	entries := make([]exports.Entry, len(list))
	for i := range list {
		entries[i] = list[i].Entry
	}
	return entries
}

// latestFirst sorts entries by their day of publication, latest first and
// undated ones last.
func latestFirst(list []exports.Entry) []exports.Entry {
	slices.SortStableFunc(list, func(a, b exports.Entry) int { return strings.Compare(b.PublishedAt, a.PublishedAt) })
	return list
}

// Feeds returns the first page of the licensing feed as JSON and as NDJSON.
func Feeds(c *Catalog) []Document {
	var lines []byte
	for i := range c.Newest[:min(len(c.Newest), 100)] {
		f := c.Newest[i]
		f.Cursor = paging.Cursor{Mark: paging.Mark("feed", ""), Pos: i + 1, After: placeInFeed(&f)}.String()
		lines = append(wire.Append(lines, &f), '\n')
	}
	return []Document{
		recordAt(exports.PathFeed, firstPage(c, exports.PathFeed, c.Newest, 20, c.Pages, placeInFeed, "feed", "")),
		fileAt(exports.KeyOf(exports.PathFeedNDJSON), lines),
	}
}

// placeInFeed returns the place of a page in the licensing feed.
func placeInFeed(f *exports.FeedRecord) string { return paging.PlaceByTime(f.RegisteredAt, f.EntryID) }

// Demand returns the needs that buyers chose to publish, newest first.
func Demand(c *Catalog) Document {
	return recordAt(exports.PathDemand, firstPage(c, exports.PathDemand, c.Demand, 20, int64(len(c.Demand)), listing.PlaceOfDemand, searchindex.Demand, ""))
}
