package generator

import (
	"strings"
	"testing"

	"colophon/generator/brand"
	"colophon/internal/assert"
)

// TestBrandIsOnEveryPage checks that pages, and the shells of pages that are
// answered live, show the name, the logo and the operator's own links.
func TestBrandIsOnEveryPage(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 3)
	own := map[string]string{"logo.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24"><path d="M0 0h48"/></svg>`, "imprint.md": "# Who we are\n\nPier 4. <script>alert(1)</script>\n"}
	b, err := brand.Read(brand.Config{Accent: "#0b5394", Logo: "logo.svg", Imprint: "imprint.md", Terms: "https://desk.example/terms"}, "desk@registry.example",
		func(name string) ([]byte, error) { return []byte(own[name]), nil })
	must(t, err)
	opt := testOptions(t, 2)
	opt.Name, opt.Brand = "Tidewater Registry", b
	_, err = Build(t.Context(), store, dir, opt)
	must(t, err)

	pages, style := 0, false
	for name, data := range readTree(t, dir) {
		text := string(data)
		style = style || strings.HasPrefix(name, "assets/site.") && strings.HasSuffix(name, ".css") && strings.Contains(text, "--red:#0b5394")
		if !strings.HasSuffix(name, ".html") || strings.Contains(name, "/pack/") {
			continue
		}
		pages++
		for _, want := range []string{"<span>Tidewater Registry</span>", `<img src="/assets/logo.`, `width="48" height="24"`, `href="/imprint/">Imprint`, `href="https://desk.example/terms">Terms`, `href="mailto:desk@registry.example">Contact`, `href="/manifest.json"`, `name="theme-color"`} {
			assert.Contains(t, name+" is without", text, want)
		}
	}
	if pages < 50 || !style {
		t.Errorf("%d pages; the style sheet has the colour: %v", pages, style)
	}
	badge := string(readTree(t, dir)["badge.svg"])
	assert.Contains(t, "the badge", badge, ">rights on Tidewater Registry</text>", "#0b5394")
	imprint := string(readTree(t, dir)["imprint/index.html"])
	if strings.Count(imprint, "<h1") != 1 || !strings.Contains(imprint, "Who we are</h1>") || strings.Contains(imprint, "alert(1)</script>") {
		t.Errorf("the imprint is %s", imprint)
	}
	if readTree(t, dir)["favicon.svg"] == nil || !strings.Contains(string(readTree(t, dir)["favicon.svg"]), "M0 0h48") {
		t.Error("the icon is not the logo")
	}
}

// TestBrandIsRenderedAnew checks that a build after a change of the brand shows
// the new brand.
func TestBrandIsRenderedAnew(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 2)
	opt := testOptions(t, 2)
	_, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	opt.Brand.Contact = "mailto:desk@registry.example"
	r, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	if r.Unchanged || !strings.Contains(string(readTree(t, dir)["index.html"]), "mailto:desk@registry.example") {
		t.Errorf("the change does not show: %+v", r)
	}
}
