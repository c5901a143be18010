package blob

import "colophon/internal/wire"

// PageFrame is what the pages of all entries share. A release whose entries are
// in packs holds it once, so that another name, colour or style sheet changes
// one file and not every entry's facts.
type PageFrame struct {
	BaseURL string // https://host, without a final slash
	Name    string // of the service
	Contact string // address, "" if none

	Paper      string // colour of the page, "#rrggbb", "" if none stated
	PaperDark  string
	Logo       string // asset, "" for the printer's mark
	LogoWidth  int64  // in pixels
	LogoHeight int64

	BadgeWidth  int64 // in pixels, 0 if there is no badge
	BadgeHeight int64

	Pages  []FramePage  // the operator's pages, linked in the footer
	Assets []FrameAsset // that an entry's page may use, sorted by name
}

// FramePage is a link in the footer of every page.
type FramePage struct{ Label, Path string }

// FrameAsset says where an asset is published.
type FrameAsset struct{ Name, Path string }

func (f *PageFrame) Members(m *wire.Members) {
	wire.List(m, "assets", &f.Assets)
	m.OptInt("badge_height", &f.BadgeHeight)
	m.OptInt("badge_width", &f.BadgeWidth)
	m.String("base_url", &f.BaseURL)
	m.OptString("contact", &f.Contact)
	m.OptString("logo", &f.Logo)
	m.OptInt("logo_height", &f.LogoHeight)
	m.OptInt("logo_width", &f.LogoWidth)
	m.String("name", &f.Name)
	wire.OptList(m, "pages", &f.Pages)
	m.OptString("paper", &f.Paper)
	m.OptString("paper_dark", &f.PaperDark)
}

func (p *FramePage) Members(m *wire.Members) {
	m.String("label", &p.Label)
	m.String("path", &p.Path)
}

func (a *FrameAsset) Members(m *wire.Members) {
	m.String("name", &a.Name)
	m.String("path", &a.Path)
}

// AssetPath returns the path under which an asset is published. An asset that
// the frame does not list is published under its own name.
func (f *PageFrame) AssetPath(name string) string {
	for i := range f.Assets {
		if f.Assets[i].Name == name {
			return f.Assets[i].Path
		}
	}
	return "/assets/" + name
}
