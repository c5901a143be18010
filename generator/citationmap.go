package generator

import (
	"strings"

	"colophon/exports"
	"colophon/internal/rights"
)

// A sitemap of the entries of a publisher has at least leastCitations addresses, but
// for its last one, and at most mostCitations. As many, at a host of 253 characters, are
// 7.5 MB; a blob may have 16 MiB.
var leastCitations, mostCitations = 5_000, 20_000

// sitemapCut cuts the pages of the entries of a publisher, which come by id, into
// sitemaps. The zero value has taken in none.
type sitemapCut struct {
	count int // sitemaps
	size  int // addresses of the last one
}

// take takes a page in and reports whether a sitemap begins with it. Where they begin
// depends on ids, which are digests, rather than on the number of pages before: an
// entry more or less changes one sitemap, as a rule.
func (c *sitemapCut) take(entryID string) (begins bool) {
	begins = c.count == 0 || c.size >= mostCitations || c.size >= leastCitations && strings.HasSuffix(entryID, "00")
	if begins {
		c.count, c.size = c.count+1, 0
	}
	c.size++
	return begins
}

// citationSitemaps returns the sitemaps of the entries of a publisher, as an
// index names them: all with the instant at which something of its entries
// changed, as one of them may have lost an entry.
func (b *build) citationSitemaps(s *siteFacts) []sitemapPage {
	at := max(s.changed, s.PolicyChanged())
	list := make([]sitemapPage, s.sitemaps.count)
	for i := range list {
		list[i] = sitemapPage{b.opt.BaseURL + exports.CitationSitemap(s.Site.SiteID, i+1), at}
	}
	return list
}

// citationMaps writes the sitemaps of the pages of entries while these pass by, site
// by site and by id. It holds one of them at a time.
type citationMaps struct {
	b    *build
	site string
	cut  sitemapCut
	text []byte // of the sitemap under way
}

// add takes in rows of a site, unless its sitemaps stay as they are published.
func (m *citationMaps) add(s *rights.SiteSnapshot, rows []pageRow) error {
	if s.Site.SiteID != m.site {
		if err := m.finish(); err != nil {
			return err
		}
		m.site, m.cut = s.Site.SiteID, sitemapCut{}
	}
	if m.b.plan.keepsFilesOf(m.site) {
		return nil
	}
	policyChanged := s.PolicyChanged()
	for i := range rows {
		p := &rows[i].page
		if _, ok := rights.Entry(s, p); !ok {
			continue
		}
		if err := m.addPage(p.EntryID, max(p.ChangedAt, policyChanged)); err != nil {
			return err
		}
	}
	return nil
}

func (m *citationMaps) addPage(entryID, lastMod string) error {
	before := m.cut.count
	if m.cut.take(entryID) {
		if err := m.write(before); err != nil {
			return err
		}
		m.text = urlSet.appendStart(m.text[:0])
	}
	m.text = urlSet.appendPage(m.text, sitemapPage{m.b.opt.BaseURL + exports.CitationPage(entryID), lastMod})
	return nil
}

// finish writes the last sitemap.
func (m *citationMaps) finish() error { return m.write(m.cut.count) }

// write writes the sitemap under way as that of a number, from 1 on; 0: there is none.
func (m *citationMaps) write(number int) error {
	if number == 0 {
		return nil
	}
	return m.b.out.putFile(exports.KeyOf(exports.CitationSitemap(m.site, number)), urlSet.appendEnd(m.text))
}
