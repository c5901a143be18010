package render

import (
	"strings"

	"colophon/exports"
)

// A sitemap of a publisher's entries has at least LeastCitations addresses,
// except the last one, and at most MostCitations. Tests lower both.
// MostCitations addresses with a host of 253 characters take 7.5 MB; a blob may
// have 16 MiB.
var LeastCitations, MostCitations = 5_000, 20_000

// SitemapCut divides the pages of a publisher's entries, which must come sorted
// by id, into sitemaps. The zero value is ready for use.
type SitemapCut struct {
	count int // number of sitemaps so far
	size  int // number of addresses in the last sitemap
}

// Take adds a page and reports whether a new sitemap begins with it. Where
// sitemaps begin depends on the ids, which are digests, and not on the number
// of pages before. So adding or removing one entry usually changes only one
// sitemap.
func (c *SitemapCut) Take(entryID string) (begins bool) {
	begins = c.count == 0 || c.size >= MostCitations || c.size >= LeastCitations && strings.HasSuffix(entryID, "00")
	if begins {
		c.count, c.size = c.count+1, 0
	}
	c.size++
	return begins
}

// citationSitemaps returns the sitemaps of a publisher's entries as rows for an
// index. All have the instant of the last change of any of its entries, because
// the entry that changed may be one that was removed.
func citationSitemaps(base string, p *Publisher) []sitemapPage {
	at := max(p.Changed, p.PolicyChanged())
	list := make([]sitemapPage, p.Sitemaps.count)
	for i := range list {
		list[i] = sitemapPage{base + exports.CitationSitemap(p.Site.SiteID, i+1), at}
	}
	return list
}

// CitationMaps writes the sitemaps of the entry pages while these pass by,
// ordered by site and id. It holds one sitemap at a time.
type CitationMaps struct {
	Base string // address of the service
	Put  func(Document) error

	site string
	cut  SitemapCut
	text []byte // text of the sitemap that is being written
}

// Add adds the page of an entry, with the instant of its last change.
func (m *CitationMaps) Add(siteID, entryID, lastMod string) error {
	if siteID != m.site {
		if err := m.Finish(); err != nil {
			return err
		}
		m.site, m.cut = siteID, SitemapCut{}
	}
	before := m.cut.count
	if m.cut.Take(entryID) {
		if err := m.put(before); err != nil {
			return err
		}
		m.text = urlSet.appendStart(m.text[:0])
	}
	m.text = urlSet.appendPage(m.text, sitemapPage{m.Base + exports.CitationPage(entryID), lastMod})
	return nil
}

// Finish writes the last sitemap.
func (m *CitationMaps) Finish() error { return m.put(m.cut.count) }

// put writes the current sitemap under its number, counted from 1. It does
// nothing for 0.
func (m *CitationMaps) put(number int) error {
	if number == 0 {
		return nil
	}
	return m.Put(fileAt(exports.KeyOf(exports.CitationSitemap(m.site, number)), urlSet.appendEnd(m.text)))
}
