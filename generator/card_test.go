package generator

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
