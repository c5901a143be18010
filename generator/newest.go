package generator

import (
	"cmp"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// newestRows collects the rows of the pages that were registered last, at most
// render.NewestPerSite.
type newestRows struct {
	rows []*pageRow
	last *pageRow // of a full list; nil until there is one
}

// add adds a copy of a page. From time to time it cuts the list.
func (n *newestRows) add(r *pageRow) {
	if n.last != nil && newerFirst(n.last, r) < 0 {
		return
	}
	row := *r
	row.last = origin.Record{} // its text is in the spool
	if n.rows = append(n.rows, &row); len(n.rows) >= 2*render.NewestPerSite {
		n.cut()
	}
}

// cut sorts the list, newest first, and cuts it.
func (n *newestRows) cut() {
	slices.SortFunc(n.rows, newerFirst)
	if len(n.rows) >= render.NewestPerSite {
		clear(n.rows[render.NewestPerSite:])
		n.rows = n.rows[:render.NewestPerSite]
		n.last = n.rows[render.NewestPerSite-1]
	}
}

// take returns the newest pages, newest first, and forgets them.
func (n *newestRows) take() []*pageRow {
	n.cut()
	rows := n.rows
	*n = newestRows{}
	return rows
}

// newerFirst compares pages by time of registration, latest first, then by id.
func newerFirst(a, b *pageRow) int {
	return cmp.Or(strings.Compare(b.page.RegisteredAt, a.page.RegisteredAt), strings.Compare(a.page.EntryID, b.page.EntryID))
}

// feedOf returns pages as lists show them.
func (b *build) feedOf(rows []*pageRow) []exports.FeedRecord {
	list := make([]exports.FeedRecord, 0, len(rows))
	for _, r := range rows {
		if f, ok := rights.Feed(b.findSite(r.page.SiteID), &r.page); ok {
			list = append(list, f)
		}
	}
	return list
}
