package generator

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"colophon/exports"
	"colophon/site"
	"colophon/templates"
)

// sitemapPage is one address of a sitemap, or one sitemap of an index. The time, in
// RFC 3339, is that of the last change of the page's content, never that of the
// build; "" for none.
type sitemapPage struct{ loc, lastMod string }

// maxSitemap is how many addresses one sitemap may hold, and how many sitemaps an
// index (sitemaps.org).
var maxSitemap = 50_000

// The two kinds of documents that sitemaps.org describes, by their elements.
type sitemapKind struct{ root, item string }

var (
	urlSet       = sitemapKind{"urlset", "url"}
	sitemapIndex = sitemapKind{"sitemapindex", "sitemap"}
)

func (k sitemapKind) appendStart(b []byte) []byte {
	return append(b, xml.Header+"<"+k.root+` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`...)
}

func (k sitemapKind) appendPage(b []byte, p sitemapPage) []byte {
	b = append(b, "<"+k.item+"><loc>"...)
	b = appendEscaped(b, p.loc)
	b = append(b, "</loc>"...)
	if p.lastMod != "" {
		b = append(b, "<lastmod>"...)
		b = appendEscaped(b, p.lastMod)
		b = append(b, "</lastmod>"...)
	}
	return append(b, "</"+k.item+">"...)
}

func (k sitemapKind) appendEnd(b []byte) []byte { return append(b, "</"+k.root+">\n"...) }

func (k sitemapKind) spell(pages []sitemapPage) []byte {
	b := k.appendStart(nil)
	for _, p := range pages {
		b = k.appendPage(b, p)
	}
	return k.appendEnd(b)
}

// appendEscaped appends text as XML has it. Addresses and instants rarely need it.
func appendEscaped(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || strings.IndexByte(`"'&<>`, c) >= 0 {
			buf := bytes.NewBuffer(b)
			xml.EscapeText(buf, []byte(text)) //nolint:errcheck // a bytes.Buffer never fails
			return buf.Bytes()
		}
	}
	return append(b, text...)
}

// writeSitemaps writes the sitemap "stem.xml", or where one is not enough "stem-1.xml" and
// so on. It returns them as an index names them.
func (b *build) writeSitemaps(stem string, pages []sitemapPage) ([]sitemapPage, error) {
	parts := chunksOf(pages, maxSitemap)
	names := make([]sitemapPage, 0, len(parts))
	for i, part := range parts {
		name := stem + ".xml"
		if len(parts) > 1 {
			name = fmt.Sprintf("%s-%d.xml", stem, i+1)
		}
		if err := b.out.putFile(exports.Key(name), urlSet.spell(part)); err != nil {
			return nil, err
		}
		at := ""
		for _, p := range part {
			at = max(at, p.lastMod)
		}
		names = append(names, sitemapPage{b.opt.BaseURL + "/" + name, at})
	}
	return names, nil
}

// mapSitemap writes the sitemap of the rights map: the map itself, the publishers
// on it, and the category pages.
func (b *build) mapSitemap(records []exports.MapRecord) error {
	pages := []sitemapPage{{b.opt.BaseURL + templates.PathMap, b.release.GeneratedAt}}
	for _, r := range records {
		pages = append(pages, sitemapPage{b.opt.BaseURL + exports.PublisherPage(r.SiteID), r.UpdatedAt})
	}
	categories, members := b.categoryTotals()
	for _, c := range categories {
		at := ""
		for _, p := range members[c.Slug] {
			at = max(at, p.UpdatedAt)
		}
		pages = append(pages, sitemapPage{b.opt.BaseURL + exports.CategoryPage(c.Slug), at})
	}
	key := exports.KeyOf(exports.PathMapSitemap)
	parts, err := b.writeSitemaps(strings.TrimSuffix(string(key), ".xml"), pages)
	if err == nil && len(parts) > 1 {
		err = b.out.putFile(key, sitemapIndex.spell(parts))
	}
	b.mapParts = parts
	return err
}

// siteMap lists the pages that search engines should know: the service's own
// pages, the rights map, and the entries of each publisher, whose sitemaps
// citationMaps writes. It returns the addresses of the indexes that name all
// sitemaps: more than one where there are more than one may name.
func (b *build) siteMap() (indexes []string, err error) {
	pages, err := b.ownPages()
	if err != nil {
		return nil, err
	}
	sitemaps, err := b.writeSitemaps("sitemap-pages", pages)
	if err != nil {
		return nil, err
	}
	sitemaps = append(sitemaps, b.mapParts...) // never an index, as an index must not name others
	for i := range b.sites {
		sitemaps = append(sitemaps, b.citationSitemaps(&b.sites[i])...)
	}
	for i, part := range chunksOf(sitemaps, maxSitemap) {
		path := "/sitemap.xml"
		if i > 0 {
			path = fmt.Sprintf("/sitemap-%d.xml", i+1)
		}
		if err := b.out.putFile(exports.KeyOf(path), sitemapIndex.spell(part)); err != nil {
			return nil, err
		}
		indexes = append(indexes, path)
	}
	return indexes, nil
}

// ownPages returns the service's own pages.
func (b *build) ownPages() ([]sitemapPage, error) {
	at, base := b.release.GeneratedAt, b.opt.BaseURL
	pages := []sitemapPage{
		{base + templates.PathHome, at}, {base + templates.PathCheck, ""}, {base + templates.PathCatalog, at}, {base + templates.PathCategories, at}, {base + templates.PathPublishers, at},
		{base + templates.PathMap, at}, {base + templates.PathLedger, at}, {base + templates.PathDemand, at}, {base + templates.PathOffers, at},
		{base + templates.PathEditor, ""},
	}
	docs, err := site.Docs()
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		pages = append(pages, sitemapPage{base + templates.DocPath(d.Slug), ""})
	}
	for _, path := range templates.ReferencePaths() {
		pages = append(pages, sitemapPage{base + path, ""})
	}
	for _, p := range b.publisherSummaries() {
		pages = append(pages, sitemapPage{base + exports.PublisherPage(p.SiteID), p.UpdatedAt})
	}
	categories, _ := b.categoryTotals()
	for _, c := range categories {
		pages = append(pages, sitemapPage{base + exports.CategoryPage(c.Slug), ""})
	}
	return pages, nil
}

// publishRobots writes robots.txt, which names the indexes of sitemaps.
func (b *build) publishRobots(indexes []string) error {
	text := site.Robots(b.opt.BaseURL) // it names the first
	for _, path := range indexes[1:] {
		text = append(text, "Sitemap: "+b.opt.BaseURL+path+"\n"...)
	}
	return b.out.putFile("robots.txt", text)
}
