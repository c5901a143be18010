package generator

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/origin"
	"colophon/internal/release"
)

func TestSiteOfFile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"publishers/alpha/index.html":                                         "alpha",
		"publishers/alpha/pages/2/index.html.gz":                              "alpha",
		"publishers/alpha/pack/robots.txt":                                    "alpha",
		"rights-map/alpha/index.html":                                         "alpha",
		"v1/public/sites/alpha/policy-history.json":                           "alpha",
		"v1/public/sites/alpha/policy-history.json.gz":                        "alpha",
		"v1/public/sites/alpha/rights.json":                                   "",
		"v1/licensing-marketplace/publishers/alpha.json":                      "",
		"publishers/index.html":                                               "",
		"rights-map/index.html":                                               "",
		"v1/licensing-marketplace/publishers/alpha/content-inventory.json":    "alpha",
		"v1/licensing-marketplace/publishers/alpha/content-inventory.json.gz": "alpha",
		"v1/public/sites/alpha/contentdna-provenance.json":                    "alpha",
		"citations/ent_000000000000000000000000/index.html":                   "",
		"_sandbox/publishers/sandbox-gazette/pack/robots.txt":                 "",
		"sitemap-citations-alpha.xml":                                         "alpha",
		"sitemap-citations-alpha-2.17.xml":                                    "alpha-2",
		"sitemap-citations-alpha.xml.gz":                                      "alpha",
		"sitemap-pages.xml":                                                   "",
		"sitemap.xml":                                                         "",
	} {
		site, ok := siteOfFile(name)
		if ok != (want != "") || ok && site != want {
			t.Errorf("%s is of %q (%v), want %q", name, site, ok, want)
		}
	}
}

// TestFilesOfUnchangedPublishersStay checks that a build after a change to one
// publisher does not render the files of the others, and that all files equal
// those of a whole build.
func TestFilesOfUnchangedPublishersStay(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	var pages []origin.Page
	for _, id := range []string{"alpha", "beta", pagesFolder} {
		addSite(t, store, id, func(s *origin.Site) { s.Categories = []string{"news"} })
		for n := range 3 {
			pages = append(pages, addPage(t, store, id, n))
		}
	}
	must(t, store.PutCategory(t.Context(), origin.Category{Slug: "news", Label: "News", ChangedAt: "2026-01-01T00:00:00Z"}))
	root := t.TempDir()
	dir, other := filepath.Join(root, "one"), filepath.Join(root, "two")
	both := func() {
		t.Helper()
		build1(t, store, dir, 2)
		whole := testOptions(t, 2)
		whole.Whole = true
		_, err := Build(t.Context(), store, other, whole)
		must(t, err)
	}
	build := func() {
		t.Helper()
		both()
		compareTrees(t, "", dir, other)
	}
	build()

	// A build compares each file that it renders with the list. If the digests
	// differ, it writes the file and lists its digest. A wrong digest therefore
	// stays in the list only if the build does not render the file.
	page := string(exports.KeyOf(exports.PublisherPage("beta")))
	listed := func(name string) [32]byte {
		t.Helper()
		list, err := target.ReadFiles(os.DirFS(dir))
		must(t, err)
		note, ok := list.Find(name)
		if !ok {
			t.Fatalf("%s is not listed", name)
		}
		return note.SHA256
	}
	list := func(name string, sum [32]byte) {
		t.Helper()
		relist(t, dir, func(files []release.File) []release.File {
			for i := range files {
				if files[i].Name == name {
					files[i].SHA256 = sum
				}
			}
			return files
		})
	}
	for n, name := range []string{page, string(exports.KeyOf(exports.CitationSitemap("beta", 1)))} {
		sound, marked := listed(name), [32]byte{1}
		list(name, marked)
		change(t, store, pages[0], "Edited", fmt.Sprintf("2026-09-01T00:0%d:00Z", n))
		both()
		if listed(name) != marked {
			t.Errorf("%s, of a publisher of whom nothing changed, was spelled", name)
		}
		list(name, sound)
		change(t, store, pages[0], "Edited again", fmt.Sprintf("2026-09-01T00:0%d:01Z", n))
		build()
	}

	must(t, store.PutCategory(t.Context(), origin.Category{Slug: "news", Label: "Chronicles", ChangedAt: "2026-09-02T00:00:00Z"}))
	build()
	if data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(page))); !strings.Contains(string(data), "Chronicles") {
		t.Error("the page of a publisher has the old name of a category")
	}

	site, err := store.Site(t.Context(), "beta")
	must(t, err)
	site.Name, site.ChangedAt = "Another name", "2026-09-03T00:00:00Z"
	must(t, store.PutSite(t.Context(), site))
	build()
}
