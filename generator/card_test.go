package generator

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"colophon/generator/brand"
	"colophon/internal/assert"
)

// TestCards checks that each publisher has one card, that its pages show it,
// and that a build after another change keeps it.
func TestCards(t *testing.T) {
	t.Parallel()
	store, dir := populated(t, 3)
	opt := testOptions(t, 2)
	opt.Brand.Cards = true
	_, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	files := readTree(t, dir)
	cards := map[string]bool{}
	for name := range files {
		if strings.HasPrefix(name, "assets/card-") {
			cards["/"+name] = true
		}
	}
	listed := regexp.MustCompile(`property="og:image" content="[^"]*(/assets/card-[^"]+)"`)
	pages := 0
	for name, data := range files {
		if !strings.HasPrefix(name, "citations/") && !regexp.MustCompile(`^publishers/[a-z]+/index.html$`).MatchString(name) || !strings.HasSuffix(name, ".html") {
			continue
		}
		pages++
		if m := listed.FindSubmatch(data); m == nil || !cards[string(m[1])] {
			t.Errorf("%s shows %q", name, m)
		}
	}
	if len(cards) != 3 || pages < 6 {
		t.Errorf("%d cards, %d pages", len(cards), pages)
	}

	opt.Brand.Contact = "mailto:desk@registry.example"
	before := map[string]os.FileInfo{}
	for name := range cards {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		before[name] = info
	}
	_, err = Build(t.Context(), store, dir, opt)
	must(t, err)
	for name, was := range before {
		is, err := os.Stat(filepath.Join(dir, name))
		if err != nil || !os.SameFile(was, is) {
			t.Errorf("%s was drawn again: %v", name, err)
		}
	}
}

// TestEntryCards checks that with entry_cards each active page shows its own
// card. A page that is not due keeps its card, a page with a new title gets
// another, and cards that no page shows are removed. In packs there are none.
func TestEntryCards(t *testing.T) {
	t.Parallel()
	listed := regexp.MustCompile(`property="og:image" content="[^"]*(/citations/[^"]+/card\.[0-9a-f]{10}\.png)"`)
	cardsOf := func(dir string) map[string]os.FileInfo {
		out := map[string]os.FileInfo{}
		files := readTree(t, dir)
		for name, data := range files {
			if !strings.HasPrefix(name, "citations/") || !strings.HasSuffix(name, "/index.html") {
				continue
			}
			m := listed.FindSubmatch(data)
			if m == nil {
				t.Fatalf("%s shows no card of its own", name)
			}
			path := strings.TrimPrefix(string(m[1]), "/")
			if img, err := png.DecodeConfig(bytes.NewReader(files[path])); err != nil || img.Width != 1200 || img.Height != 630 {
				t.Fatalf("%s: %v", path, err)
			}
			info, err := os.Stat(filepath.Join(dir, path))
			must(t, err)
			out[path] = info
		}
		for name := range files {
			if strings.HasPrefix(name, "citations/") && strings.HasSuffix(name, ".png") && out[name] == nil {
				t.Errorf("no page shows %s", name)
			}
		}
		return out
	}
	store, dir := populated(t, 3)
	opt := testOptions(t, 2)
	opt.Brand.Cards, opt.Brand.EntryCards = true, true
	_, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	before := cardsOf(dir)
	if len(before) < 3 {
		t.Fatalf("%d cards", len(before))
	}
	entry := ""
	for path := range before {
		entry = strings.Split(path, "/")[1]
	}
	page, err := store.Page(t.Context(), entry)
	must(t, err)
	page.Title = "Another title of this page"
	must(t, store.PutPage(t.Context(), page, nil))
	_, err = Build(t.Context(), store, dir, opt)
	must(t, err)
	after := cardsOf(dir)
	changed := 0
	for path, is := range after {
		if was := before[path]; was == nil {
			changed++
		} else if !os.SameFile(was, is) {
			t.Errorf("%s was drawn again", path)
		}
	}
	if changed != 1 || len(after) != len(before) {
		t.Errorf("%d of %d cards are new", changed, len(after))
	}
	opt.Form = FormPacks
	three := filepath.Join(t.TempDir(), "three")
	_, err = Build(t.Context(), store, three, opt)
	must(t, err)
	for name := range readTree(t, three) {
		if strings.HasPrefix(name, "citations/") && strings.HasSuffix(name, ".png") {
			t.Errorf("packs have %s", name)
		}
	}
}

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
