package generator

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
	"github.com/tdewolff/minify/v2/svg"

	"colophon/exports"
	"colophon/internal/wire"
	"colophon/site"
	"colophon/templates"
)

// assets publishes style sheet, scripts and icons under names that hold a
// digest of their content, so that caches may keep them for ever.
func (b *build) assets() error {
	files, err := site.Assets()
	if err != nil {
		return err
	}
	files = append(files, site.File{Name: "folding.txt", Data: exports.AppendTokenTables(nil)})
	m := minify.New()
	m.AddFunc(".css", css.Minify)
	m.AddFunc(".js", js.Minify)
	m.AddFunc(".svg", svg.Minify)
	b.assetNames = map[string]string{}
	small := make(map[string][]byte, len(files))
	for _, f := range files {
		data := f.Data
		if ext := path.Ext(f.Name); ext == ".css" || ext == ".js" || ext == ".svg" {
			if data, err = m.Bytes(ext, data); err != nil {
				return fmt.Errorf("cannot minify %q: %w", f.Name, err)
			}
		}
		small[f.Name] = data
		digest := sha256.Sum256(data)
		ext := path.Ext(f.Name)
		b.assetNames[f.Name] = "/assets/" + strings.TrimSuffix(f.Name, ext) + "." + hex.EncodeToString(digest[:5]) + ext
	}
	for _, f := range files {
		if err := b.out.put(exports.Key(b.assetNames[f.Name][1:]), small[f.Name]); err != nil {
			return err
		}
	}
	return b.out.put("favicon.svg", small["favicon.svg"])
}

// assetPath is the address of an asset; an unknown name shows in the page
// check as a broken link.
func (b *build) assetPath(name string) string {
	if p, ok := b.assetNames[name]; ok {
		return p
	}
	return "/assets/" + name
}

// docs writes the documentation and the endpoint reference.
func (b *build) docs() error {
	all, err := site.Docs()
	if err != nil {
		return err
	}
	var nav []templates.DocLink
	for _, d := range all {
		nav = append(nav, templates.DocLink{Slug: d.Slug, Title: d.Title})
	}
	at := b.frame("")
	for _, d := range all {
		text, err := d.HTML(b.opt.BaseURL)
		if err != nil {
			return err
		}
		v := templates.DocPage{Site: at, Slug: d.Slug, Title: d.Title, Description: d.Description, HTML: text, Nav: nav}
		if err := b.page(templates.DocPath(d.Slug), templates.Doc(v)); err != nil {
			return err
		}
	}
	return b.page(templates.PathReference, templates.Reference(b.reference(at, nav)))
}

// texts writes robots.txt, llms.txt, the sitemap and the RSS feeds.
func (b *build) texts() error {
	if err := b.out.put("robots.txt", site.Robots(b.opt.BaseURL)); err != nil {
		return err
	}
	if err := b.out.put("llms.txt", site.LLMs(b.opt.BaseURL)); err != nil {
		return err
	}
	if err := b.publisherFeed(); err != nil {
		return err
	}
	return b.siteMap()
}

func intValue(n int) wire.Value { return wire.Int(int64(n)) }

// siteMap lists the pages that search engines should know.
func (b *build) siteMap() error {
	at, base := b.release.GeneratedAt, b.opt.BaseURL
	pages := []sitemapPage{
		{base + templates.PathHome, at}, {base + templates.PathCatalog, at}, {base + templates.PathCategories, at}, {base + templates.PathPublishers, at},
		{base + templates.PathMap, at}, {base + templates.PathLedger, at}, {base + templates.PathDemand, at},
	}
	docs, err := site.Docs()
	if err != nil {
		return err
	}
	for _, d := range docs {
		pages = append(pages, sitemapPage{base + templates.DocPath(d.Slug), ""})
	}
	for _, p := range b.summaries() {
		pages = append(pages, sitemapPage{base + exports.PublisherPage(p.SiteID), p.UpdatedAt})
	}
	categories, _ := b.categoryTotals()
	for _, c := range categories {
		pages = append(pages, sitemapPage{base + exports.CategoryPage(c.Slug), ""})
	}
	return b.sitemap("sitemap.xml", pages)
}
