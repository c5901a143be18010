package templates

import (
	"bytes"
	"slices"
	"testing"

	"colophon/exports"
	"colophon/internal/wire"
)

// TestEntryPageOfAFrame spells pages from a frame that was written and read,
// and compares them with those of the frame it was made of. Pages name no asset
// that the frame has not.
func TestEntryPageOfAFrame(t *testing.T) {
	brand := Brand{
		Paper: "#ffffff", PaperDark: "#000000", Logo: "logo.png", LogoWidth: 80, LogoHeight: 32, Contact: "mailto:desk@registry.example",
		Pages: []Crumb{{"Imprint", "/imprint/"}, {"Terms <&>", "https://registry.example/terms"}}, BadgeWidth: 200, BadgeHeight: 32,
	}
	for _, own := range []Brand{{}, brand} {
		for _, n := range sampleNames {
			site := SiteFrame{Base: "https://registry.example", Name: "A <registry>", Brand: own}
			named := map[string]bool{}
			site.Asset = func(name string) string {
				named[name] = true
				return "/assets/1a2b." + name
			}
			var frame exports.PageFrame
			if err := wire.Decode(wire.Append(nil, site.PageFrame()), &frame, wire.Trusted); err != nil {
				t.Fatal(err)
			}
			for name := range named {
				delete(named, name)
			}

			c := sampleCitation(n)
			c.GeneratedAt = "2026-10-30T08:20:00Z"
			record := &exports.Record{Version: 3, Passport: exports.Passport{HolderName: n.name}, Proof: exports.Proof{Created: "2026-10-30T08:20:00Z"}}
			facts := &exports.EntryFacts{EntryID: c.EntryID, Citation: &c, Record: record, Asks: true, Terms: []string{"tides", n.name}, Card: "/assets/card-a.png"}
			got, err := SpellEntryPage(&frame, facts)
			if err != nil {
				t.Fatal(err)
			}
			site.UpdatedAt = c.GeneratedAt
			site.Card = facts.Card
			want := render(t, Citation(CitationPage{Site: site, Citation: c, Record: record, Asks: true, Terms: facts.Terms}))
			if !bytes.Equal(got, want) {
				t.Errorf("%s: got\n%s\nwant\n%s", n.id, got, want)
			}
			for name := range named {
				if name != own.Logo && !slices.Contains(entryAssets, name) {
					t.Errorf("the page names the asset %s, which no frame has", name)
				}
			}
		}
	}
}
