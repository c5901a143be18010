// Package brand holds an operator's branding of its registry: colours, a logo,
// contact and its own texts.
package brand

import (
	"bytes"
	"fmt"
	"image/png"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Identity is a checked brand. The zero value is Colophon's own.
type Identity struct {
	Accent, AccentDark Colour // colours of links and buttons, in the light and the dark theme
	Logo               []byte // nil: the printer's mark
	LogoName           string // "logo.svg" or "logo.png"
	LogoWidth          int    // in pixels, at a height of LogoHeight
	Contact            string // address of the contact, "mailto:" or "https:", "" if none
	Pages              []Page // in the order of the footer
	Cards              bool   // each publisher has a card for link previews
	EntryCards         bool   // so has each entry, if entries are published as files
}

// Page is a text of the operator: Markdown that is published here, or a link to
// a text elsewhere.
type Page struct {
	Slug, Title string // "imprint", "Imprint"
	Markdown    string
	URL         string // instead of Markdown
}

// Path returns the path of the page.
func (p *Page) Path() string { return "/" + p.Slug + "/" }

// Href returns the address for links to the page.
func (p *Page) Href() string {
	if p.URL != "" {
		return p.URL
	}
	return p.Path()
}

// titles are the pages that an operator can have, in the order of the footer.
var titles = [][2]string{{"imprint", "Imprint"}, {"privacy", "Privacy"}, {"terms", "Terms"}}

// LogoHeight is the height at which a logo is shown, in pixels.
const LogoHeight = 24

// The largest sizes of an operator's files, in bytes.
const (
	maxLogo = 64 << 10
	maxPage = 256 << 10
)

// Config is a brand as written in the settings. Its files are in the folder
// "brand" beside the settings.
type Config struct {
	Accent     string `toml:"accent,omitempty" comment:"Colour of links and buttons, #rrggbb."`
	AccentDark string `toml:"accent_dark,omitempty" comment:"The same for dark pages; made from accent without it."`
	Logo       string `toml:"logo,omitempty" comment:"An SVG or PNG file of at most 64 KiB in the folder brand, shown 24 pixels high beside the name."`
	Contact    string `toml:"contact,omitempty" comment:"E-mail or https address that every page names; the contact above without it."`
	Imprint    string `toml:"imprint,omitempty" comment:"A Markdown file in the folder brand, published at /imprint/, or an https address."`
	Privacy    string `toml:"privacy,omitempty" comment:"The same at /privacy/."`
	Terms      string `toml:"terms,omitempty" comment:"The same at /terms/."`
	Cards      bool   `toml:"cards,omitempty" comment:"Draw an image for link previews of each publisher and its pages: one file for each publisher."`
	EntryCards bool   `toml:"entry_cards,omitempty" comment:"One for each registered page too, where pages are published as files."`
}

// Read checks a brand and reads its files with read. An error names the
// setting.
func Read(c Config, contact string, read func(name string) ([]byte, error)) (Identity, error) {
	b := Identity{Contact: contactLink(contact), Cards: c.Cards || c.EntryCards, EntryCards: c.EntryCards}
	if c.Contact != "" {
		if b.Contact = contactLink(c.Contact); b.Contact == "" {
			return b, fmt.Errorf("brand.contact is %q, neither an e-mail address nor an https address", c.Contact)
		}
	}
	if err := b.readColours(c); err != nil {
		return b, err
	}
	if err := b.readLogo(c.Logo, read); err != nil {
		return b, err
	}
	for i, source := range []string{c.Imprint, c.Privacy, c.Terms} {
		if source == "" {
			continue
		}
		p := Page{Slug: titles[i][0], Title: titles[i][1]}
		if err := p.read(source, read); err != nil {
			return b, fmt.Errorf("brand.%s: %w", p.Slug, err)
		}
		b.Pages = append(b.Pages, p)
	}
	return b, nil
}

func (p *Page) read(source string, read func(name string) ([]byte, error)) error {
	if isWebAddress(source) {
		p.URL = source
		return nil
	}
	if strings.Contains(source, "://") {
		return fmt.Errorf("%q is neither a file nor an https address", source)
	}
	data, err := read(source)
	if err != nil {
		return err
	}
	if len(data) > maxPage {
		return fmt.Errorf("%q has more than %d KiB", source, maxPage>>10)
	}
	p.Markdown = string(data)
	return nil
}

func (b *Identity) readLogo(name string, read func(name string) ([]byte, error)) error {
	if name == "" {
		return nil
	}
	data, err := read(name)
	if err != nil {
		return fmt.Errorf("brand.logo: %w", err)
	}
	ext := strings.ToLower(path.Ext(name))
	isSVG := ext == ".svg" && bytes.Contains(data, []byte("<svg"))
	isPNG := ext == ".png" && bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n"))
	switch {
	case !isSVG && !isPNG:
		return fmt.Errorf("brand.logo: %q is neither an SVG nor a PNG file", name)
	case len(data) > maxLogo:
		return fmt.Errorf("brand.logo: %q has more than %d KiB", name, maxLogo>>10)
	}
	b.Logo = data
	b.LogoName = "logo" + ext
	b.LogoWidth = LogoHeight
	if isPNG {
		size, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("brand.logo: %w", err)
		}
		b.LogoWidth = widthAt(float64(size.Width), float64(size.Height))
	} else if box := viewBox.FindSubmatch(data); box != nil {
		w, _ := strconv.ParseFloat(string(box[1]), 64)
		h, _ := strconv.ParseFloat(string(box[2]), 64)
		b.LogoWidth = widthAt(w, h)
	}
	return nil
}

// viewBox matches the width and the height in an SVG's viewBox.
var viewBox = regexp.MustCompile(`viewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)`)

// widthAt returns the width of a logo at LogoHeight, between a tenth of it and
// ten times that.
func widthAt(w, h float64) int {
	if w <= 0 || h <= 0 {
		return LogoHeight
	}
	return int(min(10, max(0.1, w/h)) * LogoHeight)
}

// contactLink returns the link for a contact, an e-mail or https address; it
// returns "" for anything else.
func contactLink(s string) string {
	local, host, ok := strings.Cut(s, "@")
	switch {
	case isWebAddress(s):
		return s
	case ok && local != "" && strings.Contains(host, ".") && !strings.ContainsAny(s, " <>\"'?&/\\"):
		return "mailto:" + s
	}
	return ""
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil
}

// Parts returns everything in the brand on which pages depend, for a digest.
func (b *Identity) Parts() []string {
	parts := []string{b.Accent.String(), b.AccentDark.String(), b.LogoName, string(b.Logo), b.Contact, strconv.FormatBool(b.Cards), strconv.FormatBool(b.EntryCards)}
	for _, p := range b.Pages {
		parts = append(parts, p.Slug, p.Markdown, p.URL)
	}
	return parts
}
