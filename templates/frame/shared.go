package frame

import "colophon/internal/blob"

// sharedAssets are the assets that the page of an entry may use, besides the
// brand's logo.
var sharedAssets = []string{"card.png", "copy.js", "icon-192.png", "shortlist.js", "site.css"}

// Shared returns the part of a frame that the pages of all entries use.
func (f SiteFrame) Shared() *blob.PageFrame {
	b := &f.Brand
	out := &blob.PageFrame{
		BaseURL: f.Base, Name: f.Name, Contact: b.Contact, Paper: b.Paper, PaperDark: b.PaperDark,
		Logo: b.Logo, LogoWidth: int64(b.LogoWidth), LogoHeight: int64(b.LogoHeight), BadgeWidth: int64(b.BadgeWidth), BadgeHeight: int64(b.BadgeHeight),
	}
	for _, p := range b.Pages {
		out.Pages = append(out.Pages, blob.FramePage(p))
	}
	names := sharedAssets
	if b.Logo != "" {
		names = append([]string{b.Logo}, names...)
	}
	for _, name := range names {
		out.Assets = append(out.Assets, blob.FrameAsset{Name: name, Path: f.AssetPath(name)})
	}
	return out
}

// FromShared returns the frame of an entry's page, from the part that all of
// them share.
func FromShared(f *blob.PageFrame) SiteFrame {
	b := Brand{
		Paper: f.Paper, PaperDark: f.PaperDark, Contact: f.Contact, Logo: f.Logo, LogoWidth: int(f.LogoWidth), LogoHeight: int(f.LogoHeight),
		BadgeWidth: int(f.BadgeWidth), BadgeHeight: int(f.BadgeHeight),
	}
	for _, p := range f.Pages {
		b.Pages = append(b.Pages, Crumb(p))
	}
	return SiteFrame{Base: f.BaseURL, Name: f.Name, Asset: f.AssetPath, Brand: b}
}
