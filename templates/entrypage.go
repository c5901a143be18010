package templates

import (
	"bytes"
	"context"
	"io"

	"colophon/exports"
)

// entryAssets are the assets that the page of an entry may name, beside the
// logo of the brand.
var entryAssets = []string{"card.png", "copy.js", "icon-192.png", "shortlist.js", "site.css"}

// PageFrame is what the pages of all entries take from a frame.
func (f SiteFrame) PageFrame() *exports.PageFrame {
	b := &f.Brand
	out := &exports.PageFrame{
		BaseURL: f.Base, Name: f.Name, Contact: b.Contact, Paper: b.Paper, PaperDark: b.PaperDark,
		Logo: b.Logo, LogoWidth: int64(b.LogoWidth), LogoHeight: int64(b.LogoHeight), BadgeWidth: int64(b.BadgeWidth), BadgeHeight: int64(b.BadgeHeight),
	}
	for _, p := range b.Pages {
		out.Pages = append(out.Pages, exports.FramePage(p))
	}
	names := entryAssets
	if b.Logo != "" {
		names = append([]string{b.Logo}, names...)
	}
	for _, name := range names {
		out.Assets = append(out.Assets, exports.FrameAsset{Name: name, Path: f.asset(name)})
	}
	return out
}

// siteFrame is the frame of a page with what all of them share.
func siteFrame(f *exports.PageFrame) SiteFrame {
	b := Brand{
		Paper: f.Paper, PaperDark: f.PaperDark, Contact: f.Contact, Logo: f.Logo, LogoWidth: int(f.LogoWidth), LogoHeight: int(f.LogoHeight),
		BadgeWidth: int(f.BadgeWidth), BadgeHeight: int(f.BadgeHeight),
	}
	for _, p := range f.Pages {
		b.Pages = append(b.Pages, Crumb(p))
	}
	return SiteFrame{Base: f.BaseURL, Name: f.Name, Asset: f.AssetPath, Brand: b}
}

// WriteEntryPage writes the page of an entry, which has a citation. The build
// publishes what it writes, and readers of segments answer with it.
func WriteEntryPage(w io.Writer, f *exports.PageFrame, e *exports.EntryFacts) error {
	record, err := e.CurrentRecord()
	if err != nil {
		return err
	}
	v := CitationPage{Site: siteFrame(f), Citation: *e.Citation, Record: record, Asks: e.Asks, Terms: e.Terms}
	v.Site.UpdatedAt = e.Citation.GeneratedAt
	v.Site.Card = e.Card
	return Citation(v).Render(context.Background(), w)
}

// SpellEntryPage is what WriteEntryPage writes.
func SpellEntryPage(f *exports.PageFrame, e *exports.EntryFacts) ([]byte, error) {
	var page bytes.Buffer
	if err := WriteEntryPage(&page, f, e); err != nil {
		return nil, err
	}
	return page.Bytes(), nil
}
