package generator

import (
	"bytes"
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
	"colophon/generator/brand"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/searchindex"
	"colophon/internal/wire"
	"colophon/site"
	"colophon/templates"
)

// assetFolder holds the files whose names have a digest of their content.
const assetFolder = "assets/"

// publishAssets publishes style sheet, scripts and icons under names that hold a
// digest of their content, so that caches may keep them for ever.
func (b *build) publishAssets() error {
	files, err := site.Assets()
	if err != nil {
		return err
	}
	files = append(files, site.File{Name: "folding.txt", Data: []byte(searchindex.TokenTables)})
	own, err := b.brandAssets()
	if err != nil {
		return err
	}
	files = append(files, own...)
	m := minify.New()
	m.AddFunc(".css", css.Minify)
	m.AddFunc(".js", js.Minify)
	m.AddFunc(".svg", svg.Minify)
	b.assetNames = map[string]string{}
	b.brand = b.frameBrand()
	small := make(map[string][]byte, len(files))
	for _, f := range files {
		data := f.Data
		if f.Name == "site.css" {
			data = append(data[:len(data):len(data)], b.opt.Brand.Style()...)
		}
		if ext := path.Ext(f.Name); ext == ".css" || ext == ".js" || ext == ".svg" {
			if data, err = m.Bytes(ext, bytes.Clone(data)); err != nil { // which may change what it is given
				return fmt.Errorf("cannot minify %q: %w", f.Name, err)
			}
		}
		small[f.Name] = data
		digest := sha256.Sum256(data)
		ext := path.Ext(f.Name)
		b.assetNames[f.Name] = "/" + assetFolder + strings.TrimSuffix(f.Name, ext) + "." + hex.EncodeToString(digest[:5]) + ext
	}
	b.frame = b.siteFrame("").Shared()
	for _, f := range files {
		if err := b.out.putFile(exports.Key(b.assetNames[f.Name][1:]), small[f.Name]); err != nil {
			return err
		}
	}
	light, _ := b.opt.Brand.Accents()
	icon, err := brand.Favicon(light)
	if err != nil {
		return err
	}
	if err := b.out.putFile("favicon.ico", icon); err != nil {
		return err
	}
	if b.opt.Brand.LogoName == "logo.svg" {
		return b.out.putFile("favicon.svg", small["logo.svg"])
	}
	return b.out.putFile("favicon.svg", small["favicon.svg"])
}

// assetPath returns the address of an asset; an unknown name shows in the page
// check as a broken link.
func (b *build) assetPath(name string) string {
	if p, ok := b.assetNames[name]; ok {
		return p
	}
	return "/" + assetFolder + name
}

// editorPage returns the page of the editor, with its module where the program
// has one.
func (b *build) editorPage(at templates.SiteFrame) templates.EditorPage {
	return templates.EditorPage{Site: at, Module: b.assetNames[site.EditorModule], Runtime: b.assetNames[site.EditorRuntime], WellKnown: publisherfile.WellKnown}
}

// publishDocs writes the documentation and the endpoint reference.
func (b *build) publishDocs() error {
	all, err := site.Docs()
	if err != nil {
		return err
	}
	var nav []templates.DocLink
	for _, d := range all {
		nav = append(nav, templates.DocLink{Slug: d.Slug, Title: d.Title})
	}
	at := b.siteFrame("")
	for _, d := range all {
		text, err := d.HTML(b.opt.BaseURL)
		if err != nil {
			return err
		}
		v := templates.DocPage{Site: at, Slug: d.Slug, Title: d.Title, Description: d.Description, HTML: text, Nav: nav}
		if err := b.publishPage(templates.DocPath(d.Slug), templates.Doc(v)); err != nil {
			return err
		}
	}
	reference := b.referencePage(at, nav)
	for _, g := range reference.Groups() {
		if err := b.publishPage(templates.ReferencePath(g.Group), templates.ReferenceGroup(g)); err != nil {
			return err
		}
	}
	return b.publishPage(templates.PathReference, templates.Reference(reference))
}

// publishTexts writes llms.txt, the RSS feed, the sitemaps and robots.txt.
func (b *build) publishTexts() error {
	if err := b.out.putFile("llms.txt", site.LLMs(b.opt.BaseURL)); err != nil {
		return err
	}
	if err := b.publishSecurity(); err != nil {
		return err
	}
	if err := b.publishAgentCatalog(); err != nil {
		return err
	}
	if err := b.publisherFeed(); err != nil {
		return err
	}
	indexes, err := b.siteMap()
	if err != nil {
		return err
	}
	return b.publishRobots(indexes)
}

// publishSecurity writes security.txt (RFC 9116) where the operator states a
// contact. It expires a year after the last change of the registry: a build
// knows no clock, and a registry in use changes.
func (b *build) publishSecurity() error {
	at, ok := exports.ParseInstant(b.release.GeneratedAt)
	if !ok || at.Unix() == 0 || b.opt.Brand.Contact == "" {
		return nil
	}
	const name = ".well-known/security.txt"
	text := "Contact: " + b.opt.Brand.Contact + "\n" +
		"Expires: " + exports.Instant(at.AddDate(1, 0, 0)) + "\n" +
		"Preferred-Languages: en\n" +
		"Canonical: " + b.opt.BaseURL + "/" + name + "\n"
	return b.out.putFile(name, []byte(text))
}

func intValue(n int) wire.Value { return wire.Int(int64(n)) }
