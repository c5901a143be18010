package entrypage

import (
	"net/url"
	"testing"

	"colophon/exports"
)

func TestStyles(t *testing.T) {
	c := exports.Citation{CanonicalURL: "https://harbor-ledger.example/tides", Publisher: "Harbor Ledger", SiteID: "harbor-ledger",
		Source: exports.CitedSource{Title: "Tide tables 2026", Byline: []string{"M. Mast", "Ann Keel", "小林 波"}, PublishedAt: "2026-01-02T08:00:00Z"}}
	bare := c
	bare.Source = exports.CitedSource{Title: "Is it high water?"}
	one := c
	one.Source.Byline = []string{"M. Mast Jr."}
	one.Source.PublishedAt = "2026-09-30T08:00:00Z"
	for _, x := range []struct {
		name string
		form func(exports.Citation) string
		c    exports.Citation
		want string
	}{
		{"apa", apa, c, "M. Mast, Ann Keel & 小林 波 (2026, January 2). Tide tables 2026. Harbor Ledger. https://harbor-ledger.example/tides"},
		{"apa, no author or date", apa, bare, "Is it high water? (n.d.). Harbor Ledger. https://harbor-ledger.example/tides"},
		{"mla", mla, c, "M. Mast, Ann Keel, and 小林 波. “Tide tables 2026.” Harbor Ledger, 2 Jan. 2026, https://harbor-ledger.example/tides."},
		{"mla, one author", mla, one, "M. Mast Jr. “Tide tables 2026.” Harbor Ledger, 30 Sept. 2026, https://harbor-ledger.example/tides."},
		{"mla, no author or date", mla, bare, "“Is it high water?” Harbor Ledger, https://harbor-ledger.example/tides."},
		{"chicago", chicago, c, "M. Mast, Ann Keel, and 小林 波. “Tide tables 2026.” Harbor Ledger. January 2, 2026. https://harbor-ledger.example/tides."},
		{"chicago, no author or date", chicago, bare, "“Is it high water?” Harbor Ledger. https://harbor-ledger.example/tides."},
	} {
		if got := x.form(x.c); got != x.want {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, got, x.want)
		}
	}
}

func TestEscapeQuery(t *testing.T) {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	for _, text := range []string{"", "https://harbor-ledger.example/tides?a=1&b=ü#x", "a b+c/~", string(every)} {
		if got, want := escapeQuery(text), url.QueryEscape(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
