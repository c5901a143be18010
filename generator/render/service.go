package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

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
	"colophon/templates/frame"
)

// AssetFolder is the folder of the files that have a digest of their content in
// their names.
const AssetFolder = "assets/"

// Service is what all documents of a service share: its address, its name, and
// the look of its pages.
type Service struct {
	BaseURL string // absolute, without a final slash
	Name    string

	own    *brand.Identity
	brand  frame.Brand
	assets map[string]string // address of each asset by its name in package site
}

// Asset is a style sheet, a script or an icon, as it is published.
type Asset struct {
	Name string // in package site, "site.css"
	Key  exports.Key
	Data []byte // must not be changed
}

// NewService returns a service with its brand, and its style sheet, scripts and
// icons. The keys of these contain a digest of their content, so that caches may
// keep them forever.
func NewService(base, name string, own *brand.Identity) (*Service, []Asset, error) {
	s := &Service{BaseURL: base, Name: name, own: own, assets: map[string]string{}}
	s.brand = s.frameBrand()
	fixed, err := fixedAssets()
	if err != nil {
		return nil, nil, err
	}
	ofBrand, err := s.brandAssets()
	if err != nil {
		return nil, nil, err
	}
	icon := "favicon.svg"
	if own.LogoName == "logo.svg" {
		icon = own.LogoName
	}
	light, _ := own.Accents()
	favicon, err := brand.Favicon(light)
	if err != nil {
		return nil, nil, err
	}
	named := slices.Concat(fixed, ofBrand)
	out := append(named, Asset{Key: "favicon.ico", Data: favicon})
	for _, a := range named {
		s.assets[a.Name] = "/" + string(a.Key)
		if a.Name == icon {
			out = append(out, Asset{Key: "favicon.svg", Data: a.Data})
		}
	}
	return s, out, nil
}

// styleSheet is the name of the asset to which a brand adds its colours.
const styleSheet = "site.css"

// fixedAssets returns the assets that are the same in every service. They are
// made once, because scripts take long to minify and the module of the editor
// has megabytes.
var fixedAssets = sync.OnceValues(func() ([]Asset, error) {
	files, err := site.Assets()
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f site.File) bool { return f.Name == styleSheet })
	return finishAssets(append(files, site.File{Name: "folding.txt", Data: []byte(searchindex.TokenTables)}))
})

// finishAssets minifies files and names them by their content.
func finishAssets(files []site.File) ([]Asset, error) {
	m := minify.New()
	m.AddFunc(".css", css.Minify)
	m.AddFunc(".js", js.Minify)
	m.AddFunc(".svg", svg.Minify)
	out := make([]Asset, 0, len(files))
	for _, f := range files {
		data, ext := f.Data, path.Ext(f.Name)
		if ext == ".css" || ext == ".js" || ext == ".svg" {
			var err error
			if data, err = m.Bytes(ext, bytes.Clone(data)); err != nil { // clones the data, because the minifier may change it
				return nil, fmt.Errorf("cannot minify %q: %w", f.Name, err)
			}
		}
		digest := sha256.Sum256(data)
		key := AssetFolder + strings.TrimSuffix(f.Name, ext) + "." + hex.EncodeToString(digest[:5]) + ext
		out = append(out, Asset{Name: f.Name, Key: exports.Key(key), Data: data})
	}
	return out, nil
}

// assetPath returns the address of an asset. For an unknown name it returns an
// address without a digest, which the page check reports as a broken link.
func (s *Service) assetPath(name string) string {
	if p, ok := s.assets[name]; ok {
		return p
	}
	return "/" + AssetFolder + name
}

// Frame returns what every page shares.
func (s *Service) Frame(updated string) frame.SiteFrame {
	return frame.SiteFrame{Base: s.BaseURL, Name: s.Name, Asset: s.assetPath, UpdatedAt: updated, Brand: s.brand}
}

// editorPage returns the page of the editor, with its module if the program has
// one.
func editorPage(s *Service) templates.EditorPage {
	return templates.EditorPage{Site: s.Frame(""), Module: s.assets[site.EditorModule], Runtime: s.assets[site.EditorRuntime], WellKnown: publisherfile.WellKnown}
}

// iconSizes are the sizes in pixels of the icons in the web manifest.
var iconSizes = map[string]int{"icon-192.png": 192, "icon-512.png": 512}

// brandAssets returns the assets that depend on the brand.
func (s *Service) brandAssets() ([]Asset, error) {
	files, err := site.Assets()
	if err != nil {
		return nil, err
	}
	var out []site.File
	for _, f := range files {
		if f.Name == styleSheet {
			out = append(out, site.File{Name: f.Name, Data: slices.Concat(f.Data, []byte(s.own.Style()))})
		}
	}
	if s.own.Logo != nil {
		out = append(out, site.File{Name: s.own.LogoName, Data: s.own.Logo})
	}
	light, _ := s.own.Accents()
	for _, name := range []string{"icon-192.png", "icon-512.png"} {
		data, err := brand.Icon(iconSizes[name], light)
		if err != nil {
			return nil, err
		}
		out = append(out, site.File{Name: name, Data: data})
	}
	return finishAssets(out)
}

// frameBrand returns what every page shows of the brand.
func (s *Service) frameBrand() frame.Brand {
	own := s.own
	out := frame.Brand{Paper: brand.Paper.String(), PaperDark: brand.PaperDark.String(), Contact: own.Contact, BadgeWidth: brand.BadgeWidth(s.Name), BadgeHeight: brand.BadgeHeight}
	if own.Logo != nil {
		out.Logo = own.LogoName
		out.LogoWidth = own.LogoWidth
		out.LogoHeight = brand.LogoHeight
	}
	for i := range own.Pages {
		out.Pages = append(out.Pages, frame.Crumb{Label: own.Pages[i].Title, Path: own.Pages[i].Href()})
	}
	return out
}

// brandPages returns the operator's own texts, the badge and the web manifest.
func brandPages(s *Service) ([]Document, error) {
	var docs []Document
	for i := range s.own.Pages {
		p := &s.own.Pages[i]
		if p.URL != "" {
			continue
		}
		text, err := site.RenderMarkdown(p.Markdown)
		if err != nil {
			return nil, err
		}
		docs = append(docs, pageAt(p.Path(), templates.Own(templates.OwnPage{Site: s.Frame(""), Title: p.Title, Path: p.Path(), HTML: text})))
	}
	light, _ := s.own.Accents()
	return append(docs, fileAt(exports.KeyOf(frame.PathBadge), brand.Badge(s.Name, light)), webManifest(s)), nil
}

// webManifest returns the manifest with which a browser installs the service as
// an application (W3C Web Application Manifest).
func webManifest(s *Service) Document {
	icon := func(name, size string) wire.Value {
		return wire.Object(wire.M("sizes", wire.String(size)), wire.M("src", wire.String(s.assetPath(name))), wire.M("type", wire.String("image/png")))
	}
	light, _ := s.own.Accents()
	return valueAt(frame.PathWebManifest, wire.Object(
		wire.M("background_color", wire.String(brand.Paper.String())),
		wire.M("display", wire.String("browser")),
		wire.M("icons", wire.Array(icon("icon-192.png", "192x192"), icon("icon-512.png", "512x512"))),
		wire.M("name", wire.String(s.Name)),
		wire.M("short_name", wire.String(s.Name)),
		wire.M("start_url", wire.String(frame.PathHome)),
		wire.M("theme_color", wire.String(light.String())),
	))
}

// guides returns the documentation and the endpoint reference.
func guides(s *Service, c *Catalog) ([]Document, error) {
	all, err := site.Docs()
	if err != nil {
		return nil, err
	}
	var nav []templates.DocLink
	for _, d := range all {
		nav = append(nav, templates.DocLink{Slug: d.Slug, Title: d.Title})
	}
	at := s.Frame("")
	var docs []Document
	for _, d := range all {
		docs = append(docs, pageAt(templates.DocPath(d.Slug), templates.Doc(templates.DocPage{Site: at, Slug: d.Slug, Title: d.Title, Description: d.Description, HTML: d.HTML(s.BaseURL), Nav: nav})))
	}
	reference := referencePage(s.BaseURL, c, at, nav)
	for _, g := range reference.Groups() {
		docs = append(docs, pageAt(templates.ReferencePath(g.Group), templates.ReferenceGroup(g)))
	}
	return append(docs, pageAt(frame.PathReference, templates.Reference(reference))), nil
}

// securityText is the path of security.txt (RFC 9116).
const securityText = ".well-known/security.txt"

// security returns security.txt, if the operator states a contact. It expires a
// year after the last change of the registry rather than after the build,
// because a build reads no clock.
func security(s *Service, generatedAt string) []Document {
	at, ok := exports.ParseInstant(generatedAt)
	if !ok || at.Unix() == 0 || s.own.Contact == "" {
		return nil
	}
	text := "Contact: " + s.own.Contact + "\n" +
		"Expires: " + exports.Instant(at.AddDate(1, 0, 0)) + "\n" +
		"Preferred-Languages: en\n" +
		"Canonical: " + s.BaseURL + "/" + securityText + "\n"
	return []Document{fileAt(securityText, []byte(text))}
}
