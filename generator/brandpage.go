package generator

import (
	"colophon/exports"
	"colophon/generator/brand"
	"colophon/internal/wire"
	"colophon/site"
	"colophon/templates"
)

// Sizes of the icons that the web manifest names, in pixels.
var iconSizes = map[string]int{"icon-192.png": 192, "icon-512.png": 512}

// brandAssets returns the assets that follow from the brand.
func (b *build) brandAssets() ([]site.File, error) {
	var out []site.File
	if b.opt.Brand.Logo != nil {
		out = append(out, site.File{Name: b.opt.Brand.LogoName, Data: b.opt.Brand.Logo})
	}
	light, _ := b.opt.Brand.Accents()
	for _, name := range []string{"icon-192.png", "icon-512.png"} {
		data, err := brand.Icon(iconSizes[name], light)
		if err != nil {
			return nil, err
		}
		out = append(out, site.File{Name: name, Data: data})
	}
	return out, nil
}

// frameBrand returns the brand as every page shows it.
func (b *build) frameBrand() templates.Brand {
	own := &b.opt.Brand
	out := templates.Brand{Paper: brand.Paper.String(), PaperDark: brand.PaperDark.String(), Contact: own.Contact, BadgeWidth: brand.BadgeWidth(b.opt.Name), BadgeHeight: brand.BadgeHeight}
	if own.Logo != nil {
		out.Logo = own.LogoName
		out.LogoWidth = own.LogoWidth
		out.LogoHeight = brand.LogoHeight
	}
	for i := range own.Pages {
		out.Pages = append(out.Pages, templates.Crumb{Label: own.Pages[i].Title, Path: own.Pages[i].Href()})
	}
	return out
}

// brandPages writes the operator's own texts, the badge and the web manifest.
func (b *build) brandPages() error {
	for i := range b.opt.Brand.Pages {
		p := &b.opt.Brand.Pages[i]
		if p.URL != "" {
			continue
		}
		text, err := site.RenderMarkdown(p.Markdown)
		if err != nil {
			return err
		}
		v := templates.OwnPage{Site: b.siteFrame(""), Title: p.Title, Path: p.Path(), HTML: text}
		if err := b.publishPage(p.Path(), templates.Own(v)); err != nil {
			return err
		}
	}
	light, _ := b.opt.Brand.Accents()
	if err := b.out.putFile(exports.KeyOf(templates.PathBadge), brand.Badge(b.opt.Name, light)); err != nil {
		return err
	}
	return b.webManifest()
}

// webManifest returns what a browser needs to put the service among its
// applications (W3C Web Application Manifest).
func (b *build) webManifest() error {
	icon := func(name, size string) wire.Value {
		return wire.Object(wire.M("sizes", wire.String(size)), wire.M("src", wire.String(b.assetPath(name))), wire.M("type", wire.String("image/png")))
	}
	light, _ := b.opt.Brand.Accents()
	v := wire.Object(
		wire.M("background_color", wire.String(brand.Paper.String())),
		wire.M("display", wire.String("browser")),
		wire.M("icons", wire.Array(icon("icon-192.png", "192x192"), icon("icon-512.png", "512x512"))),
		wire.M("name", wire.String(b.opt.Name)),
		wire.M("short_name", wire.String(b.opt.Name)),
		wire.M("start_url", wire.String(templates.PathHome)),
		wire.M("theme_color", wire.String(light.String())),
	)
	return b.out.putFile(exports.KeyOf(templates.PathWebManifest), v.Append(nil))
}
