package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"colophon/exports"
	"colophon/site"
	"colophon/templates"
	"colophon/templates/frame"
)

// sitemapPage is an address in a sitemap, or a sitemap in an index. lastMod, in
// RFC 3339, is the last change of the content, never the time of the build; ""
// if unknown.
type sitemapPage struct{ loc, lastMod string }

// MaxSitemap is the maximum number of addresses in a sitemap, and of sitemaps
// in an index (sitemaps.org). Tests lower it.
var MaxSitemap = 50_000

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

// document returns a sitemap or an index of these pages.
func (k sitemapKind) document(key exports.Key, pages []sitemapPage) Document {
	return Document{key, func(dst []byte) ([]byte, error) { return append(dst, k.spell(pages)...), nil }}
}

func (k sitemapKind) spell(pages []sitemapPage) []byte {
	b := k.appendStart(nil)
	for _, p := range pages {
		b = k.appendPage(b, p)
	}
	return k.appendEnd(b)
}

// appendEscaped appends text escaped for XML. Addresses and instants rarely
// need escaping.
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

// cutSitemap returns the sitemap "stem.xml", or "stem-1.xml" and so on if one
// is not enough, and the rows of an index that name them.
func cutSitemap(base, stem string, pages []sitemapPage) (docs []Document, names []sitemapPage) {
	parts := chunksOf(pages, MaxSitemap)
	for i, part := range parts {
		name := stem + ".xml"
		if len(parts) > 1 {
			name = fmt.Sprintf("%s-%d.xml", stem, i+1)
		}
		docs = append(docs, urlSet.document(exports.Key(name), part))
		at := ""
		for _, p := range part {
			at = max(at, p.lastMod)
		}
		names = append(names, sitemapPage{base + "/" + name, at})
	}
	return docs, names
}

// mapSitemap returns the sitemap of the rights map, with the map itself, the
// publishers on it and the category pages. It also returns the rows of an index
// that name its parts.
func mapSitemap(base string, c *Catalog) (docs []Document, parts []sitemapPage) {
	pages := []sitemapPage{{base + exports.PathMapPage, c.Release.GeneratedAt}}
	for _, p := range c.Publishers {
		if r := p.Map; r != nil {
			pages = append(pages, sitemapPage{base + exports.PublisherPage(r.SiteID), r.UpdatedAt})
		}
	}
	for _, category := range c.Categories {
		at := ""
		for _, p := range c.Members[category.Slug] {
			at = max(at, p.UpdatedAt)
		}
		pages = append(pages, sitemapPage{base + exports.CategoryPage(category.Slug), at})
	}
	key := exports.KeyOf(exports.PathMapSitemap)
	docs, parts = cutSitemap(base, strings.TrimSuffix(string(key), ".xml"), pages)
	if len(parts) > 1 {
		docs = append(docs, sitemapIndex.document(key, parts))
	}
	return docs, parts
}

// Sitemaps returns the sitemaps, which list the pages that search engines
// should know: the service's own pages, the rights map, and the entries of each
// publisher. CitationMaps writes the sitemaps of entries. Indexes name all
// sitemaps, several indexes if there are too many for one, and robots.txt names
// the indexes.
func Sitemaps(base string, c *Catalog) ([]Document, error) {
	pages, err := ownPages(base, c)
	if err != nil {
		return nil, err
	}
	docs, sitemaps := cutSitemap(base, "sitemap-pages", pages)
	ofMap, parts := mapSitemap(base, c)
	docs = append(docs, ofMap...)
	sitemaps = append(sitemaps, parts...) // sitemaps only: an index must not name another index
	for _, p := range c.Publishers {
		sitemaps = append(sitemaps, citationSitemaps(base, p)...)
	}
	robots := site.Robots(base) // names the first index already
	for i, part := range chunksOf(sitemaps, MaxSitemap) {
		path := "/sitemap.xml"
		if i > 0 {
			path = fmt.Sprintf("/sitemap-%d.xml", i+1)
			robots = append(robots, "Sitemap: "+base+path+"\n"...)
		}
		docs = append(docs, sitemapIndex.document(exports.KeyOf(path), part))
	}
	return append(docs, fileAt("robots.txt", robots)), nil
}

// ownPages returns the addresses of the service's own pages.
func ownPages(base string, c *Catalog) ([]sitemapPage, error) {
	at := c.Release.GeneratedAt
	pages := []sitemapPage{
		{base + frame.PathHome, at}, {base + exports.PathCheckPage, ""}, {base + exports.PathCatalogPage, at}, {base + frame.PathCategories, at}, {base + exports.PathPublishersPage, at},
		{base + exports.PathMapPage, at}, {base + frame.PathLedger, at}, {base + exports.PathDemandPage, at}, {base + exports.PathOffersPage, at},
		{base + exports.PathEditor, ""},
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
	for _, p := range c.Summaries() {
		pages = append(pages, sitemapPage{base + exports.PublisherPage(p.SiteID), p.UpdatedAt})
	}
	for _, category := range c.Categories {
		pages = append(pages, sitemapPage{base + exports.CategoryPage(category.Slug), ""})
	}
	return pages, nil
}
