package generator

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCards: each publisher has one card, its pages show it, and a build that
// changes something else keeps it.
func TestCards(t *testing.T) {
	store, dir := newStore(t), filepath.Join(t.TempDir(), "dist")
	populate(t, store, 3)
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
	shown := regexp.MustCompile(`property="og:image" content="[^"]*(/assets/card-[^"]+)"`)
	pages := 0
	for name, data := range files {
		if !strings.HasPrefix(name, "citations/") && !regexp.MustCompile(`^publishers/[a-z]+/index.html$`).MatchString(name) || !strings.HasSuffix(name, ".html") {
			continue
		}
		pages++
		if m := shown.FindSubmatch(data); m == nil || !cards[string(m[1])] {
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
