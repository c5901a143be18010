// Package frame holds what all pages share: the frame around their content,
// components that many of them use, and their linked data.
package frame

import (
	"strings"
	"unicode/utf8"

	"colophon/internal/prose"
)

// SiteFrame is what every page shares. A caller sets Base, Asset and UpdatedAt;
// the page fills in every other field that is empty.
type SiteFrame struct {
	Base      string                   // https://host, without a trailing slash
	Name      string                   // of the service, "Colophon" by default
	Asset     func(name string) string // "site.css" -> "/assets/site.1a2b3c.css"
	UpdatedAt string                   // RFC 3339, "" when not known
	Brand     Brand

	Title       string // without the service's name
	Description string // plain text, about 70 to 155 characters
	Path        string // canonical, beginning with "/"
	JSON        string // path of the same data as JSON, "" if none
	Feed        string // path of an RSS feed, "" if none
	Crumbs      []Crumb
	LinkedData  []byte // one JSON-LD document, escaped by EscapeLinkedData
	NoIndex     bool
	Script      string // module asset of the page, "" if none
	Shortlist   bool   // the page has buttons of the shortlist, and so its script
	Meta        []Meta // further metadata for machines
	Card        string // path of the image for link previews; "" is the general one
}

// Brand is what an operator sets for every page.
type Brand struct {
	Paper, PaperDark      string // background colours, "#rrggbb"; "" if not set
	Logo                  string // asset name; "" is the printer's mark
	LogoWidth, LogoHeight int    // in pixels
	Contact               string // address, "" if none
	Pages                 []Crumb

	BadgeWidth, BadgeHeight int // in pixels; 0: there is no badge
}

// Meta is one meta element.
type Meta struct{ Name, Content string }

// Crumb is a link of the breadcrumb above the current page.
type Crumb struct{ Label, Path string }

// The most characters of texts.
const (
	TitleLimit       = 60
	DescriptionLimit = 155
	NameLimit        = 120
	TitleTextLimit   = 300
	NoteLimit        = 600
	ProseLimit       = 2000
)

// Fill returns f with its empty fields taken from d.
func (f SiteFrame) Fill(d SiteFrame) SiteFrame {
	fillString(&f.Name, "Colophon")
	fillString(&f.Title, d.Title)
	fillString(&f.Description, d.Description)
	fillString(&f.Path, d.Path)
	fillString(&f.JSON, d.JSON)
	fillString(&f.Feed, d.Feed)
	fillString(&f.Script, d.Script)
	if f.Crumbs == nil {
		f.Crumbs = d.Crumbs
	}
	if f.LinkedData == nil {
		f.LinkedData = d.LinkedData
	}
	if f.Meta == nil {
		f.Meta = d.Meta
	}
	f.NoIndex = f.NoIndex || d.NoIndex
	f.Shortlist = f.Shortlist || d.Shortlist
	return f
}

func fillString(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// AssetPath returns the published path of an asset of package site.
func (f SiteFrame) AssetPath(name string) string {
	if f.Asset == nil {
		return "/assets/" + name
	}
	return f.Asset(name)
}

// card returns the path of the image for link previews.
func (f SiteFrame) card() string {
	if f.Card != "" {
		return f.Card
	}
	return f.AssetPath("card.png")
}

func (f SiteFrame) canonical() string { return f.Base + f.Path }

// headTitle returns the text of the title element: it is within the limit and
// ends with the service's name.
func (f SiteFrame) headTitle() string {
	if f.Title == "" || f.Title == f.Name {
		return f.Name
	}
	suffix := " · " + f.Name
	return CleanEnds(f.Title, TitleLimit-len([]rune(suffix))) + suffix
}

// CleanEnds is like prose.Clean, but shortens a text that is too long in the
// middle: the titles of one site often differ only at the end.
func CleanEnds(s string, limit int) string {
	whole := prose.Clean(s, 400)
	runes := []rune(whole)
	if len(runes) <= limit {
		return whole
	}
	head := prose.Clean(whole, limit-limit/3)
	tail := string(runes[len(runes)-limit/3+1:])
	if _, words, found := strings.Cut(tail, " "); found && words != "" {
		tail = words
	}
	return head + " " + prose.Clean(tail, limit/3)
}

func (f SiteFrame) headDescription() string {
	return cutWords(prose.Clean(f.Description, 400), DescriptionLimit)
}

// cutWords shortens s to at most limit characters, at a word boundary.
func cutWords(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	r := []rune(s)
	cut := string(r[:limit-1])
	if i := strings.LastIndexByte(cut, ' '); i > limit/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:·-") + "…"
}
