package render

import (
	"strings"

	"colophon/exports"
)

// A sitemap of the entries of a publisher has at least LeastCitations addresses, but
// for its last one, and at most MostCitations. Tests set them lower. As many, at a host of 253 characters, are
// 7.5 MB; a blob may have 16 MiB.
var LeastCitations, MostCitations = 5_000, 20_000

// SitemapCut cuts the pages of the entries of a publisher, which come by id, into
// sitemaps. The zero value has taken in none.
type SitemapCut struct {
	count int // sitemaps
	size  int // addresses of the last one
}

// Take takes a page in and reports whether a sitemap begins with it. Where they begin
// depends on ids, which are digests, rather than on the number of pages before: an
// entry more or less changes one sitemap, as a rule.
func (c *SitemapCut) Take(entryID string) (begins bool) {
	begins = c.count == 0 || c.size >= MostCitations || c.size >= LeastCitations && strings.HasSuffix(entryID, "00")
	if begins {
		c.count, c.size = c.count+1, 0
	}
	c.size++
	return begins
}

// citationSitemaps returns the sitemaps of the entries of a publisher, as an
// index names them: all with the instant at which something of its entries
// changed, as one of them may have lost an entry.
func citationSitemaps(base string, p *Publisher) []sitemapPage {
	at := max(p.Changed, p.PolicyChanged())
	list := make([]sitemapPage, p.Sitemaps.count)
	for i := range list {
		list[i] = sitemapPage{base + exports.CitationSitemap(p.Site.SiteID, i+1), at}
	}
	return list
}

// CitationMaps makes the sitemaps of the pages of entries while these pass by, site
// by site and by id. It holds one of them at a time.
type CitationMaps struct {
	Base string // address of the service
	Put  func(Document) error

	site string
	cut  SitemapCut
	text []byte // of the sitemap under way
}

// Add takes in the page of an entry, with the instant of its last change.
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

// Finish puts the last sitemap.
func (m *CitationMaps) Finish() error { return m.put(m.cut.count) }

// put puts the sitemap under way as that of a number, from 1 on; 0: there is none.
func (m *CitationMaps) put(number int) error {
	if number == 0 {
		return nil
	}
	return m.Put(fileAt(exports.KeyOf(exports.CitationSitemap(m.site, number)), urlSet.appendEnd(m.text)))
}
