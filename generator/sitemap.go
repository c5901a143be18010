package generator

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/templates"
)

// sitemapPage is one address of a sitemap. The time is that of the last
// change of what the page shows, never that of the build.
type sitemapPage struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// maxSitemap is how many addresses one sitemap may hold (sitemaps.org).
const maxSitemap = 50_000

// mapSitemap writes the sitemap of the rights map: the map itself, each
// publisher's page on it, and the category pages.
func (b *build) mapSitemap(records []exports.MapRecord) error {
	pages := []sitemapPage{{b.opt.BaseURL + templates.PathMap, b.release.GeneratedAt}}
	for _, r := range records {
		pages = append(pages, sitemapPage{b.opt.BaseURL + exports.MapPage(r.SiteID), r.UpdatedAt})
	}
	categories, members := b.categoryTotals()
	for _, c := range categories {
		at := ""
		for _, p := range members[c.Slug] {
			at = max(at, p.UpdatedAt)
		}
		pages = append(pages, sitemapPage{b.opt.BaseURL + exports.CategoryPage(c.Slug), at})
	}
	return b.writeSitemap(string(exports.KeyOf(exports.PathMapSitemap)), pages)
}

// writeSitemap writes a sitemap, or an index and its parts where one is not enough.
func (b *build) writeSitemap(name string, pages []sitemapPage) error {
	if len(pages) <= maxSitemap {
		return b.writeURLSet(name, pages)
	}
	var parts []sitemapPage
	stem := name[:len(name)-len(".xml")]
	for n := 1; len(pages) > 0; n++ {
		size := min(len(pages), maxSitemap)
		part := fmt.Sprintf("%s-%d.xml", stem, n)
		if err := b.writeURLSet(part, pages[:size]); err != nil {
			return err
		}
		at := ""
		for _, p := range pages[:size] {
			at = max(at, p.LastMod)
		}
		parts = append(parts, sitemapPage{b.opt.BaseURL + "/" + part, at})
		pages = pages[size:]
	}
	return b.sitemapIndex(name, parts)
}

func (b *build) sitemapIndex(name string, parts []sitemapPage) error {
	return b.writeXML(name, struct {
		XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
		Sitemap []sitemapPage `xml:"sitemap"`
	}{Sitemap: parts})
}

// citationMaps writes the sitemaps of the pages of entries, by site and entry
// id, and returns where they are. It holds one of them at a time.
func (b *build) citationMaps() ([]sitemapPage, error) {
	var parts, pages []sitemapPage
	write := func() error {
		name := fmt.Sprintf("sitemap-citations-%d.xml", len(parts)+1)
		at := ""
		for _, p := range pages {
			at = max(at, p.LastMod)
		}
		parts = append(parts, sitemapPage{b.opt.BaseURL + "/" + name, at})
		err := b.writeURLSet(name, pages)
		pages = pages[:0]
		return err
	}
	err := b.spool.eachBatch(func(rows []pageRow) error {
		s := b.findSite(rows[0].page.SiteID)
		for i := range rows {
			p := &rows[i].page
			if _, ok := rights.Entry(s, p); !ok {
				continue
			}
			pages = append(pages, sitemapPage{b.opt.BaseURL + exports.CitationPage(p.EntryID), max(p.ChangedAt, s.PolicyChanged())})
			if len(pages) == maxSitemap {
				if err := write(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && len(pages) > 0 {
		err = write()
	}
	return parts, err
}

func (b *build) writeURLSet(name string, pages []sitemapPage) error {
	return b.writeXML(name, struct {
		XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []sitemapPage `xml:"url"`
	}{URL: pages})
}

func (b *build) writeXML(name string, v any) error {
	var buf bytes.Buffer
	buf.WriteString(xml.Header)
	if err := xml.NewEncoder(&buf).Encode(v); err != nil {
		return fmt.Errorf("cannot spell %q: %w", name, err)
	}
	buf.WriteByte('\n')
	return b.out.putFile(exports.Key(name), buf.Bytes())
}
