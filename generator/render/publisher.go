package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/paging"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// NewCatalog makes the public records of publishers, whose pages must be
// counted already, and sums them up. categories are those of the origin.
func NewCatalog(rel exports.Release, publishers []*Publisher, categories []origin.Category, demand []exports.Demand, newest []exports.FeedRecord) *Catalog {
	c := &Catalog{Release: rel, Publishers: publishers, Demand: slices.Clone(demand), Newest: newest}
	for _, p := range publishers {
		if r, ok := rights.Publisher(&p.SiteSnapshot, p.Tally); ok {
			p.Record = &r
		}
		if r, ok := rights.Map(&p.SiteSnapshot, p.Tally); ok {
			p.Map = &r
		}
		p.Listed = publicOffers(p)
		c.Pages += p.Tally.Pages
	}
	c.countCategories(categories)
	c.collectOffers()
	slices.SortFunc(c.Demand, func(a, b exports.Demand) int {
		return cmp.Or(strings.Compare(b.OptedInAt, a.OptedInAt), strings.Compare(a.DemandID, b.DemandID))
	})
	return c
}

// Summaries returns the public summaries of all publishers, sorted by site id.
func (c *Catalog) Summaries() []exports.PublisherSummary {
	out := make([]exports.PublisherSummary, 0, len(c.Publishers))
	for _, p := range c.Publishers {
		if p.Record != nil {
			out = append(out, p.Record.PublisherSummary)
		}
	}
	return out
}

// ListedSince returns the instant since when each publisher is public.
func (c *Catalog) ListedSince() map[string]string {
	since := make(map[string]string, len(c.Publishers))
	for _, p := range c.Publishers {
		since[p.Site.SiteID] = p.Site.ApprovedAt
	}
	return since
}

// Publishers returns the record of each publisher, the document from which the
// edge judges the pages of its site, and the list of the publishers that are
// open to inquiries, sorted by name. latest is the instant of the origin's last
// change.
func Publishers(c *Catalog, latest string) ([]Document, error) {
	var docs []Document
	var open []exports.PublisherSummary
	for _, p := range c.Publishers {
		if p.Record == nil {
			continue
		}
		docs = append(docs, recordAt(exports.PublisherPath(p.Site.SiteID), p.Record))
		doc, ok, err := rights.RightsDocumentAt(&p.SiteSnapshot, max(latest, p.PolicyChanged()))
		if err != nil {
			return nil, err
		}
		if ok {
			docs = append(docs, fileAt(exports.RightsDocumentKey(p.Site.SiteID), wire.Append(nil, doc)))
		}
		if p.Record.AcceptsInquiries {
			open = append(open, p.Record.PublisherSummary)
		}
	}
	return append(docs, recordAt(exports.PathPublishers, completeList(c, exports.PathPublishers, open))), nil
}

func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// completeList returns the envelope of a list that is published in full.
func completeList[T any, P interface {
	*T
	wire.Record
}](c *Catalog, path string, data []T) *exports.List[T, P] {
	n := int64(len(data))
	return &exports.List[T, P]{
		Data: data, Catalog: c.Release, Links: exports.PageLinks{Self: path}, Page: exports.Page{Limit: n, Total: n, NextOffset: -1},
	}
}

// firstPage returns the envelope of the first page of a list of total records,
// which begins with data. Its cursor lets a client continue where the page
// ends: the worker computes the same mark from parts, and placeOf returns the
// place of a record.
func firstPage[T any, P interface {
	*T
	wire.Record
}](c *Catalog, path string, data []T, limit, total int64, placeOf func(*T) string, parts ...string) *exports.List[T, P] {
	l := completeList[T, P](c, path, data[:min(int64(len(data)), limit)])
	l.Page.Limit, l.Page.Total = limit, total
	if limit < total {
		l.Page.NextOffset = limit
		setNext(l, placeOf(&data[limit-1]), parts...)
	}
	return l
}

// setNext makes the next page begin after the record with this place.
func setNext[T any, P interface {
	*T
	wire.Record
}](l *exports.List[T, P], place string, parts ...string) {
	l.Page.NextCursor = paging.Cursor{Mark: paging.Mark(parts...), Pos: int(l.Page.Limit), After: place}.String()
	l.Links.Next = l.Links.Self + "?limit=" + formatInt(l.Page.Limit) + "&cursor=" + l.Page.NextCursor
}

// firstPageOfSite is like firstPage, for a list of one publisher's pages; last
// is the place of the last page shown. As release it names the publisher's
// state, so that the document changes only with the publisher.
func firstPageOfSite[T any, P interface {
	*T
	wire.Record
}](p *Publisher, path string, data []T, limit int64, last string, parts ...string) *exports.List[T, P] {
	l := &exports.List[T, P]{
		Data: data, Catalog: p.State, Links: exports.PageLinks{Self: path}, Page: exports.Page{Limit: limit, Total: p.Tally.Pages, NextOffset: -1},
	}
	if limit < p.Tally.Pages {
		l.Page.NextOffset = limit
		setNext(l, last, parts...)
	}
	return l
}
