package generator

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/generator/verify"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	"colophon/internal/release"
	"colophon/internal/staticindex"
)

// TestIndexOfErased erases an entry from the origin: after the next build a
// look-up must no longer find it, but must still find the other entry.
func TestIndexOfErased(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "origin.db")
	store, opt := openStore(t, path), testOptions(t, 2)
	opt.Accept = map[string]bool{"vanished": true, "rollback": true}
	addSite(t, store, "alpha")
	gone, stays := addPage(t, store, "alpha", 1), addPage(t, store, "alpha", 2)
	dir := filepath.Join(t.TempDir(), "out")
	_, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	erasePage(t, path, gone.EntryID)
	_, err = Build(t.Context(), store, dir, opt)
	must(t, err)
	published := catalog.New(document.Files{Source: newFolderSource(dir)}, time.Now)
	if _, err := published.Resolve(t.Context(), lookup.Query{EntryID: gone.EntryID}); catalogtest.CodeOf(err) != "no_match" {
		t.Errorf("the erased entry is answered with %v", err)
	}
	if _, err := published.Resolve(t.Context(), lookup.Query{EntryID: stays.EntryID}); err != nil {
		t.Errorf("the other one is answered with %v", err)
	}
}

// TestIndexOfClosed builds an index of two publishers, one of which takes no
// inquiries: the hits of a search must say which.
func TestIndexOfClosed(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addSite(t, store, "alpha")
	addSite(t, store, "shut", func(s *origin.Site) { s.AcceptsInquiries = false })
	addPage(t, store, "alpha", 1)
	addPage(t, store, "shut", 1)
	dir := filepath.Join(t.TempDir(), "out")
	build1(t, store, dir, 2)
	published := catalog.New(document.Files{Source: newFolderSource(dir)}, time.Now)
	hits, err := published.SearchCatalog(t.Context(), staticindex.Ask{Q: "tides"})
	must(t, err)
	closed := map[string]bool{}
	for _, h := range hits.Data {
		closed[h.SiteID] = h.Closed
	}
	if want := map[string]bool{"alpha": false, "shut": true}; !maps.Equal(closed, want) {
		t.Errorf("closed to inquiries are %v, not %v", closed, want)
	}
}

// TestVerifyMissesGeneration deletes the files of the index and takes them out
// of the list of files: verify must report that the index names them.
func TestVerifyMissesGeneration(t *testing.T) {
	t.Parallel()
	h := newHistory(t, 12)
	dir := filepath.Join(t.TempDir(), "out")
	_, err := Build(t.Context(), h.store, dir, h.opt)
	must(t, err)
	gen := publishedGeneration(t, dir)
	must(t, os.RemoveAll(filepath.Join(dir, "_ix", gen)))
	relist(t, dir, func(files []release.File) []release.File {
		return slices.DeleteFunc(files, func(f release.File) bool { return strings.HasPrefix(f.Name, "_ix/"+gen+"/") })
	})
	a, err := verify.Release(dir)
	must(t, err)
	if !slices.ContainsFunc(a.Findings, func(f string) bool { return strings.Contains(f, "names the generation "+gen) }) {
		t.Errorf("findings %q", a.Findings)
	}
}

// TestVerifyComparesGenerations alters the generation in the root of the packs:
// verify must report it, and readers must not find the index.
func TestVerifyComparesGenerations(t *testing.T) {
	store, dir := newStore(t), filepath.Join(t.TempDir(), "out")
	populate(t, store, 3)
	buildForm(t, store, dir, FormPacks, 0)
	wantSound(t, dir)
	path := filepath.Join(dir, filepath.FromSlash(blob.RootKey))
	text, err := os.ReadFile(path)
	must(t, err)
	root, err := blob.ParseRoot(text)
	must(t, err)
	file := staticindex.Prefix(root.Generation) + "e/root.idx"
	reader := document.Files{Source: newFolderSource(dir)}
	if _, err := reader.Read(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	root.Generation = strings.Repeat("0", 16)
	must(t, os.WriteFile(path, root.Append(nil), 0o600))
	if _, err := reader.Read(t.Context(), file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of another generation: %v", err)
	}
	a, err := verify.Release(dir)
	must(t, err)
	if !slices.ContainsFunc(a.Findings, func(f string) bool { return strings.Contains(f, "has the generation") }) {
		t.Errorf("findings %q", a.Findings)
	}
}
