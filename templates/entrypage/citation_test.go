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
		{"apa", apa, c, "Mast, M., Keel, A., & 小林 波. (2026, January 2). Tide tables 2026. Harbor Ledger. https://harbor-ledger.example/tides"},
		{"apa, no author or date", apa, bare, "Is it high water? (n.d.). Harbor Ledger. https://harbor-ledger.example/tides"},
		{"mla", mla, c, "Mast, M., et al. “Tide tables 2026.” Harbor Ledger, 2 Jan. 2026, https://harbor-ledger.example/tides."},
		{"mla, one author", mla, one, "Mast, M., Jr. “Tide tables 2026.” Harbor Ledger, 30 Sept. 2026, https://harbor-ledger.example/tides."},
		{"mla, no author or date", mla, bare, "“Is it high water?” Harbor Ledger, https://harbor-ledger.example/tides."},
		{"chicago", chicago, c, "Mast, M., Ann Keel, and 小林 波. “Tide tables 2026.” Harbor Ledger, January 2, 2026. https://harbor-ledger.example/tides."},
		{"chicago, no author or date", chicago, bare, "Harbor Ledger. “Is it high water?” https://harbor-ledger.example/tides."},
	} {
		if got := x.form(x.c); got != x.want {
			t.Errorf("%s:\n%s\nwant\n%s", x.name, got, x.want)
		}
	}
}

// TestStylesAgainstCSL compares citations with those of a CSL processor for the
// same facts as a web page: citeproc 2.4.63 with the styles APA 7th edition,
// MLA Handbook 9th edition and Chicago Manual of Style 17th edition (notes and
// bibliography). In APA style it writes "Retrieved" before the address of an
// undated page, without the date that should follow; that word is left out.
func TestStylesAgainstCSL(t *testing.T) {
	for _, x := range []struct {
		name, title, published string
		byline                 []string
		apa, mla, chicago      string
	}{
		{"one", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Mara Lindqvist"},
			"Lindqvist, M. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"two", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Mara Lindqvist", "Pieter van Wessel"},
			"Lindqvist, M., & van Wessel, P. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara, and Pieter van Wessel. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara, and Pieter van Wessel. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"three", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Mara Lindqvist", "Pieter van Wessel", "Ada Okafor"},
			"Lindqvist, M., van Wessel, P., & Okafor, A. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara, et al. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara, Pieter van Wessel, and Ada Okafor. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"four", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Mara Lindqvist", "Pieter van Wessel", "Ada Okafor", "Jon Berg"},
			"Lindqvist, M., van Wessel, P., Okafor, A., & Berg, J. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara, et al. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara, Pieter van Wessel, Ada Okafor, and Jon Berg. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"none", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", nil,
			"Tide Tables of the Northern Harbours. (2026, November 18). Harbor Ledger. https://harbor-ledger.example/a",
			"“Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Harbor Ledger. “Tide Tables of the Northern Harbours.” November 18, 2026. https://harbor-ledger.example/a."},
		{"nodate", "Tide Tables of the Northern Harbours", "", []string{"Mara Lindqvist"},
			"Lindqvist, M. (n.d.). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara. “Tide Tables of the Northern Harbours.” Harbor Ledger, https://harbor-ledger.example/a.",
			"Lindqvist, Mara. “Tide Tables of the Northern Harbours.” Harbor Ledger. https://harbor-ledger.example/a."},
		{"none nodate", "Tide Tables of the Northern Harbours", "", nil,
			"Tide Tables of the Northern Harbours. (n.d.). Harbor Ledger. https://harbor-ledger.example/a",
			"“Tide Tables of the Northern Harbours.” Harbor Ledger, https://harbor-ledger.example/a.",
			"Harbor Ledger. “Tide Tables of the Northern Harbours.” https://harbor-ledger.example/a."},
		{"org", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Harbour Research Institute"},
			"Harbour Research Institute. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Harbour Research Institute. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Harbour Research Institute. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"org nodate", "Tide Tables of the Northern Harbours", "", []string{"Harbour Research Institute"},
			"Harbour Research Institute. (n.d.). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Harbour Research Institute. “Tide Tables of the Northern Harbours.” Harbor Ledger, https://harbor-ledger.example/a.",
			"Harbour Research Institute. “Tide Tables of the Northern Harbours.” Harbor Ledger. https://harbor-ledger.example/a."},
		{"person and org", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Mara Lindqvist", "Harbour Research Institute"},
			"Lindqvist, M. & Harbour Research Institute. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara and Harbour Research Institute. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara and Harbour Research Institute. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"org and person", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Harbour Research Institute", "Mara Lindqvist"},
			"Harbour Research Institute, & Lindqvist, M. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Harbour Research Institute, and Mara Lindqvist. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Harbour Research Institute, and Mara Lindqvist. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"two orgs", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Harbour Research Institute", "Pier Four Press"},
			"Harbour Research Institute & Pier Four Press. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Harbour Research Institute and Pier Four Press. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Harbour Research Institute and Pier Four Press. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"initials", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"J. R. Tolk"},
			"Tolk, J. R. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Tolk, J. R. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Tolk, J. R. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"middle initial", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Mara K. Lindqvist"},
			"Lindqvist, M. K. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara K. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara K. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"hyphen", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Jean-Luc Moreau"},
			"Moreau, J.-L. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Moreau, Jean-Luc. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Moreau, Jean-Luc. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"particles", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Anna van den Berg", "Ada Okafor"},
			"van den Berg, A., & Okafor, A. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"van den Berg, Anna, and Ada Okafor. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Berg, Anna van den, and Ada Okafor. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"suffix", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Martin King Jr."},
			"King, M., Jr. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"King, Martin, Jr. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"King, Martin, Jr. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"question", "Who Keeps the Tide?", "2026-11-18T08:00:00Z", []string{"Mara Lindqvist"},
			"Lindqvist, M. (2026, November 18). Who Keeps the Tide? Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara. “Who Keeps the Tide?” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara. “Who Keeps the Tide?” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"one word", "Tide Tables of the Northern Harbours", "2026-11-18T08:00:00Z", []string{"Banksy"},
			"Banksy. (2026, November 18). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Banksy. “Tide Tables of the Northern Harbours.” Harbor Ledger, 18 Nov. 2026, https://harbor-ledger.example/a.",
			"Banksy. “Tide Tables of the Northern Harbours.” Harbor Ledger, November 18, 2026. https://harbor-ledger.example/a."},
		{"two nodate", "Tide Tables of the Northern Harbours", "", []string{"Mara Lindqvist", "Ada Okafor"},
			"Lindqvist, M., & Okafor, A. (n.d.). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara, and Ada Okafor. “Tide Tables of the Northern Harbours.” Harbor Ledger, https://harbor-ledger.example/a.",
			"Lindqvist, Mara, and Ada Okafor. “Tide Tables of the Northern Harbours.” Harbor Ledger. https://harbor-ledger.example/a."},
		{"may", "Tide Tables of the Northern Harbours", "2026-05-03T08:00:00Z", []string{"Mara Lindqvist"},
			"Lindqvist, M. (2026, May 3). Tide Tables of the Northern Harbours. Harbor Ledger. https://harbor-ledger.example/a",
			"Lindqvist, Mara. “Tide Tables of the Northern Harbours.” Harbor Ledger, 3 May 2026, https://harbor-ledger.example/a.",
			"Lindqvist, Mara. “Tide Tables of the Northern Harbours.” Harbor Ledger, May 3, 2026. https://harbor-ledger.example/a."},
	} {
		c := exports.Citation{CanonicalURL: "https://harbor-ledger.example/a", Publisher: "Harbor Ledger", SiteID: "harbor-ledger",
			Source: exports.CitedSource{Title: x.title, Byline: x.byline, Language: "en", PublishedAt: x.published}}
		for _, s := range []struct {
			style     string
			got, want string
		}{{"apa", apa(c), x.apa}, {"mla", mla(c), x.mla}, {"chicago", chicago(c), x.chicago}} {
			if s.got != s.want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", s.style, x.name, s.got, s.want)
			}
		}
	}
}

// TestNamesThatStayWhole checks that a name is not split if it may be an
// organization's or its parts cannot be distinguished.
func TestNamesThatStayWhole(t *testing.T) {
	for _, name := range []string{
		"Harbor Ledger", "News Desk", "The Editors", "Gabriel García Márquez", "小林 波", "AFP", "BBC News", "Banksy", "Anna B.", "Reporter 7", "ada okafor",
		"ACME GmbH", "Мария Иванова", "Jr.", "van Berg",
	} {
		if n := tellName(name, "en"); !n.isWhole() {
			t.Errorf("%s is read as %+v", name, n)
		}
	}
	if n := tellName("Kovács Anna", "hu-HU"); !n.isWhole() {
		t.Errorf("in Hungarian %+v", n)
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
