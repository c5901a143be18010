package generator

import (
	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// publishPublishers writes the record of each publisher and the list of those that
// are open to inquiries, by name of site.
func (b *build) publishPublishers() error {
	var open []exports.PublisherSummary
	for i := range b.sites {
		s := &b.sites[i]
		p, ok := s.publisher()
		if !ok {
			continue
		}
		if err := b.writeRecord(exports.PublisherPath(p.SiteID), &p); err != nil {
			return err
		}
		if err := b.rightsDocument(s); err != nil {
			return err
		}
		if p.AcceptsInquiries {
			open = append(open, p.PublisherSummary)
		}
	}
	return b.writeRecord(exports.PathPublishers, completeList(b, exports.PathPublishers, open))
}

// rightsDocument writes what the edge needs to judge the pages of a site by itself.
func (b *build) rightsDocument(s *siteFacts) error {
	doc, ok, err := rights.RightsDocumentAt(&s.SiteSnapshot, max(b.latest, s.PolicyChanged()))
	if err != nil || !ok {
		return err
	}
	return b.out.putFile(exports.RightsDocumentKey(s.Site.SiteID), wire.Append(nil, doc))
}

// describeSites makes the public record of every site, once what each has is summed up.
func (b *build) describeSites() {
	for i := range b.sites {
		s := &b.sites[i]
		if p, ok := rights.Publisher(&s.SiteSnapshot, s.tally); ok {
			s.public = &p
		}
	}
	b.countCategories()
}

// publisher returns the public record of a site. Its lists belong to all who
// ask.
func (s *siteFacts) publisher() (exports.Publisher, bool) {
	if s.public == nil {
		return exports.Publisher{}, false
	}
	return *s.public, true
}

// publisherSummaries returns the public summaries of all publishers.
func (b *build) publisherSummaries() []exports.PublisherSummary {
	out := make([]exports.PublisherSummary, 0, len(b.sites))
	for i := range b.sites {
		if p, ok := b.sites[i].publisher(); ok {
			out = append(out, p.PublisherSummary)
		}
	}
	return out
}

// completeList is the envelope of a list that is published complete.
func completeList[T any, P interface {
	*T
	wire.Record
}](b *build, path string, data []T) *exports.List[T, P] {
	n := int64(len(data))
	return &exports.List[T, P]{
		Data: data, Catalog: b.release, Links: exports.PageLinks{Self: path}, Page: exports.Page{Limit: n, Total: n, NextOffset: -1},
	}
}

// firstPage is the envelope of the first page of a list of total records, of which
// data are the first. The parts mark the question as the worker marks it, and placeOf
// tells where a record stands, so that its cursor continues where this page ends.
func firstPage[T any, P interface {
	*T
	wire.Record
}](b *build, path string, data []T, limit, total int64, placeOf func(*T) string, parts ...string) *exports.List[T, P] {
	l := completeList[T, P](b, path, data[:min(int64(len(data)), limit)])
	l.Page.Limit, l.Page.Total = limit, total
	if limit < total {
		l.Page.NextOffset = limit
		setNext(l, placeOf(&data[limit-1]), parts...)
	}
	return l
}

// setNext makes a page continue after its last record, which has that place.
func setNext[T any, P interface {
	*T
	wire.Record
}](l *exports.List[T, P], place string, parts ...string) {
	l.Page.NextCursor = exports.Cursor{Mark: exports.CursorMark(parts...), Pos: int(l.Page.Limit), After: place}.String()
	l.Links.Next = l.Links.Self + "?limit=" + formatInt(l.Page.Limit) + "&cursor=" + l.Page.NextCursor
}

// firstPageOfSite is firstPage of a list of one publisher's pages, of which the last one
// shown has the place last. It changes with the publisher only: it names the
// publisher's state for a release.
func firstPageOfSite[T any, P interface {
	*T
	wire.Record
}](b *build, s *siteFacts, path string, data []T, limit int64, last string, parts ...string) *exports.List[T, P] {
	l := completeList[T, P](b, path, data)
	l.Catalog = s.state()
	l.Page.Limit, l.Page.Total = limit, s.tally.Pages
	if limit < s.tally.Pages {
		l.Page.NextOffset = limit
		setNext(l, last, parts...)
	}
	return l
}
