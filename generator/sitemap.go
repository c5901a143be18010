package generator

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"colophon/exports"
	"colophon/templates"
)

// sitemapPage is one address of a sitemap. The time is that of the last
// change of what the page shows, never that of the build.
type sitemapPage struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// maxSitemap is how many addresses one sitemap may hold (sitemaps.org).
const maxSitemap = 50000

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
	return b.sitemap(string(exports.KeyOf(exports.PathMapSitemap)), pages)
}

// sitemap writes a sitemap, or an index and its parts where one is not enough.
func (b *build) sitemap(name string, pages []sitemapPage) error {
	if len(pages) <= maxSitemap {
		return b.urlset(name, pages)
	}
	var parts []sitemapPage
	stem := name[:len(name)-len(".xml")]
	for n := 1; len(pages) > 0; n++ {
		size := min(len(pages), maxSitemap)
		part := fmt.Sprintf("%s-%d.xml", stem, n)
		if err := b.urlset(part, pages[:size]); err != nil {
			return err
		}
		at := ""
		for _, p := range pages[:size] {
			at = max(at, p.LastMod)
		}
		parts = append(parts, sitemapPage{b.opt.BaseURL + "/" + part, at})
		pages = pages[size:]
	}
	return b.xml(name, struct {
		XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
		Sitemap []sitemapPage `xml:"sitemap"`
	}{Sitemap: parts})
}

func (b *build) urlset(name string, pages []sitemapPage) error {
	return b.xml(name, struct {
		XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URL     []sitemapPage `xml:"url"`
	}{URL: pages})
}

func (b *build) xml(name string, v any) error {
	var buf bytes.Buffer
	buf.WriteString(xml.Header)
	if err := xml.NewEncoder(&buf).Encode(v); err != nil {
		return fmt.Errorf("cannot spell %q: %w", name, err)
	}
	buf.WriteByte('\n')
	return b.out.put(exports.Key(name), buf.Bytes())
}
