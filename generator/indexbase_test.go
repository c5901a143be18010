package generator

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/generator/target"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	"colophon/internal/searchindex/query"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/staticindex"
)

// newLaidHistory is a history whose index is laid over another however small it is.
func newLaidHistory(tb testing.TB, seed uint64) *history {
	h := newHistory(tb, seed)
	h.opt.LayFrom = 1
	return h
}

// questions are about every page that the history ever had.
func (h *history) questions() catalogtest.Questions {
	q := catalogtest.Questions{Sites: h.sites, Words: []string{"edited", "page", "name", "edi", "section", "page 3"}, Filters: []query.PageFilter{{Use: "rag"}}}
	for i := range h.pages {
		p := &h.pages[i]
		q.Lookups = append(q.Lookups, lookup.Lookup{URL: p.CanonicalURL}, lookup.Lookup{EntryID: p.EntryID}, lookup.Lookup{Fingerprint: p.Registry})
		if p.Portable != "" {
			q.Lookups = append(q.Lookups, lookup.Lookup{Fingerprint: p.Portable})
		}
	}
	return q
}

// build builds what is due of the history.
func (h *history) build(dir string) {
	_, err := Build(context.Background(), h.store, dir, h.opt)
	must(h.tb, err)
}

// edit gives a page another title, and builds.
func (h *history) edit(dir string, n int) {
	h.n++
	h.pages[n].Title = fmt.Sprint("Edited ", h.n)
	h.put(&h.pages[n])
	h.build(dir)
}

// openCatalog opens what is published in a folder, in either form.
func openCatalog(dir string) *catalog.Catalog {
	return catalog.New(document.Files{Source: newFolderSource(dir)}, time.Now)
}

// TestIndexLaidOver changes an origin at random and builds what is due in both forms,
// and everything again into another folder. All three answer alike. There is a second
// history where COLOPHON_HISTORIES is set (make test-histories).
func TestIndexLaidOver(t *testing.T) {
	allowDeltas(t, 80)
	histories := uint64(1)
	if os.Getenv("COLOPHON_HISTORIES") != "" {
		histories = 2
	}
	for seed := range histories {
		h := newLaidHistory(t, 100+seed)
		root := t.TempDir()
		files, segments, whole := filepath.Join(root, "files"), filepath.Join(root, "segments"), filepath.Join(root, "whole")
		laid := 0
		for round := range 6 {
			var steps []string
			for range 1 + h.rnd.IntN(3) {
				steps = append(steps, h.step())
			}
			for _, dir := range []string{files, segments, whole} {
				opt := h.opt
				switch dir {
				case segments:
					opt.Form, opt.Profile = FormSegments, segment.Pages
				case whole:
					opt.Whole = true
				}
				_, err := Build(context.Background(), h.store, dir, opt)
				must(t, err)
			}
			t.Logf("history %d, round %d: %v", seed, round, steps)
			if readIndex(files).Current.Base != nil {
				laid++
			}
			if readIndex(whole).Current.Base != nil {
				t.Fatal("a whole build is laid over another")
			}
			catalogtest.CompareAnswers(t, openCatalog(files), openCatalog(whole), h.questions())
			compareAnswers(t, files, segments)
			if t.Failed() {
				return
			}
		}
		if laid < 2 {
			t.Errorf("history %d: only %d indexes were laid over another", seed, laid)
		}
	}
}

// TestIndexBaseIsMissing takes away, or damages, what has to be known of the base: the
// next build writes all of the index.
func TestIndexBaseIsMissing(t *testing.T) {
	allowDeltas(t, 80)
	for name, harm := range map[string]func(path string) error{
		"no notes":      os.Remove,
		"damaged notes": func(path string) error { return os.Truncate(path, 100) },
		"notes of another generation": func(path string) error {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, []byte(strings.Replace(string(text), " 1 ", " 1 0", 1)), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newLaidHistory(t, 7)
			dir := filepath.Join(t.TempDir(), "out")
			edit := func() { h.edit(dir, 3) }
			edit()
			edit()
			if readIndex(dir).Current.Base == nil {
				t.Fatal("the index is laid over none")
			}
			must(t, harm(factsPath(dir)))
			edit()
			if readIndex(dir).Current.Base != nil {
				t.Error("the index is laid over one that is not known")
			}
			edit()
			if readIndex(dir).Current.Base == nil {
				t.Error("no index is laid over that")
			}
		})
	}
}

// TestIndexBaseStays: the files of a base stay as long as a generation is laid over it,
// and go with the last one.
func TestIndexBaseStays(t *testing.T) {
	allowDeltas(t, 80)
	h := newLaidHistory(t, 8)
	dir := filepath.Join(t.TempDir(), "out")
	edit := func() { h.edit(dir, 3) }
	edit()
	base := readIndex(dir).Current.Gen
	exists := func() bool {
		_, err := os.Stat(filepath.Join(dir, "_ix", base))
		return err == nil
	}
	for range 12 { // more than generations are kept
		edit()
		if x := readIndex(dir); x.Current.Base == nil || x.Current.Base.Gen != base || !exists() {
			t.Fatalf("the index is laid over %v, and %s exists: %v", x.Current.Base, base, exists())
		}
	}
	h.opt.Whole = true
	for range 9 {
		if !exists() {
			t.Fatal("the base is gone before those that are laid over it")
		}
		h.at = h.at.Add(48 * time.Hour)
		edit()
		if x := readIndex(dir); len(x.Earlier) > 0 && x.Earlier[len(x.Earlier)-1].Base == nil {
			break
		}
	}
	edit()
	if exists() {
		t.Error("the base stays without those that were laid over it")
	}
}

// TestIndexIsMerged edits one page after the other: up to a part of all pages the index is
// laid over the same base, and the next one is whole.
func TestIndexIsMerged(t *testing.T) {
	allowDeltas(t, 25)
	h := newLaidHistory(t, 9)
	dir := filepath.Join(t.TempDir(), "out")
	h.build(dir)
	base := readIndex(dir).Current
	limit := int(base.Pages * 25 / 100)
	if limit < 2 {
		t.Fatalf("%d pages are too few", base.Pages)
	}
	for i := range limit {
		h.edit(dir, i)
		if x := readIndex(dir).Current; x.Base == nil || x.Base.Gen != base.Gen {
			t.Fatalf("after %d of %d pages the index is laid over %v", i+1, base.Pages, x.Base)
		}
	}
	h.edit(dir, limit)
	if x := readIndex(dir).Current; x.Base != nil {
		t.Errorf("after %d of %d pages the index is laid over %s", limit+1, base.Pages, x.Base.Gen)
	}
}

// TestIndexNotesOfAnotherBase: where the notes name another base than the index, all of it
// is written.
func TestIndexNotesOfAnotherBase(t *testing.T) {
	allowDeltas(t, 80)
	h := newLaidHistory(t, 9)
	dir := filepath.Join(t.TempDir(), "out")
	h.build(dir)
	path := filepath.Join(dir, filepath.FromSlash(inputsFile))
	in := readInputs(dir)
	in.Index.Base = "0123456789abcdef"
	data, err := json.Marshal(in)
	must(t, err)
	must(t, os.WriteFile(path, data, 0o644))
	h.edit(dir, 3)
	if x := readIndex(dir).Current; x.Base != nil {
		t.Errorf("the index is laid over %s", x.Base.Gen)
	}
	h.edit(dir, 3)
	if readIndex(dir).Current.Base == nil {
		t.Error("no index is laid over the one that was written again")
	}
}

// TestIndexOfReadiness withdraws the only page with a record of a publisher, and gives it
// another: all its pages are found by the level that it then has.
func TestIndexOfReadiness(t *testing.T) {
	allowDeltas(t, 80)
	store, opt := newStore(t), testOptions(t, 2)
	opt.LayFrom = 1
	addSite(t, store, "alpha")
	must(t, store.PutSignal(t.Context(), origin.Signal{SiteID: "alpha", Signal: "urvp", State: "found", CheckedAt: "2026-01-02T00:00:00Z"}))
	for n := range 5 { // without a fingerprint, so without a record
		addPage(t, store, "alpha", n, func(p *origin.Page) { p.Portable, p.Registry = "", "" })
	}
	one := addPage(t, store, "alpha", 9)
	root := t.TempDir()
	dir, whole := filepath.Join(root, "dir"), filepath.Join(root, "whole")
	build := func() {
		t.Helper()
		_, err := Build(t.Context(), store, dir, opt)
		must(t, err)
		all := opt
		all.Whole = true
		_, err = Build(t.Context(), store, whole, all)
		must(t, err)
		catalogtest.CompareAnswers(t, openCatalog(dir), openCatalog(whole), catalogtest.Questions{
			Sites: []string{"alpha"}, Words: []string{"page"}, Filters: []query.PageFilter{{Signals: "attested"}, {Signals: "declared"}},
		})
	}
	build()
	withdrawPage(t, store, one)
	build()
	addPage(t, store, "alpha", 10, func(p *origin.Page) { p.Portable, p.Registry, p.ChangedAt = "", "", "2026-09-02T00:00:00Z" })
	build()
	if readIndex(dir).Current.Base == nil {
		t.Error("the index is laid over none")
	}
	addPage(t, store, "alpha", 11, func(p *origin.Page) { p.ChangedAt = "2026-09-03T00:00:00Z" })
	build()
}

// TestIndexOfErased erases an entry from the origin: nothing tells of it any more.
func TestIndexOfErased(t *testing.T) {
	allowDeltas(t, 80)
	path := filepath.Join(t.TempDir(), "origin.db")
	store, opt := openStore(t, path), testOptions(t, 2)
	opt.LayFrom = 1
	opt.Accept = map[string]bool{"vanished": true, "rollback": true}
	addSite(t, store, "alpha")
	var pages []origin.Page
	for n := range 6 {
		pages = append(pages, addPage(t, store, "alpha", n))
	}
	root := t.TempDir()
	dir, whole := filepath.Join(root, "dir"), filepath.Join(root, "whole")
	_, err := Build(t.Context(), store, dir, opt)
	must(t, err)
	gone := pages[2]
	execOrigin(t, path, "DELETE FROM pages WHERE entry_id = ?", gone.EntryID)
	execOrigin(t, path, "DELETE FROM records WHERE entry_id = ?", gone.EntryID)
	_, err = Build(t.Context(), store, dir, opt)
	must(t, err)
	if readIndex(dir).Current.Base == nil {
		t.Fatal("the index is laid over none")
	}
	all := opt
	all.Whole = true
	_, err = Build(t.Context(), store, whole, all)
	must(t, err)
	h := history{sites: []string{"alpha"}, pages: pages}
	catalogtest.CompareAnswers(t, openCatalog(dir), openCatalog(whole), h.questions())
	if _, err := openCatalog(dir).Resolve(t.Context(), lookup.Lookup{EntryID: gone.EntryID}); catalogtest.CodeOf(err) != "no_match" {
		t.Errorf("the erased entry is answered with %v", err)
	}
}

// TestLostBase loses a file of the base, or cuts it short: the next build writes all of the
// index, and names no generation that cannot be read.
func TestLostBase(t *testing.T) {
	allowDeltas(t, 80)
	for name, harm := range map[string]func(path string) error{
		"lost": os.Remove,
		"cut":  func(path string) error { return os.Truncate(path, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			h := newLaidHistory(t, 5)
			dir := filepath.Join(t.TempDir(), "out")
			edit := func() *staticindex.Index {
				t.Helper()
				h.n++
				p := &h.pages[3]
				p.Title = fmt.Sprint("Edited ", h.n)
				h.put(p)
				_, err := Build(t.Context(), h.store, dir, h.opt)
				must(t, err)
				return readIndex(dir)
			}
			edit()
			base := edit().Current.Base.Gen
			must(t, harm(filepath.Join(dir, "_ix", base, "e", "root.idx")))
			if x := edit(); x.Current.Base != nil || len(x.Earlier) > 0 {
				t.Errorf("the index is laid over %v, with %d before it", x.Current.Base, len(x.Earlier))
			}
			if a, err := Verify(dir); err != nil || len(a.Findings) > 0 {
				t.Errorf("%q, %v", a.Findings, err)
			}
		})
	}
}

// TestIndexOfRenamed renames a publisher, and then changes a page of another: the leaves of
// the policies of the first, which are of no entry, tell its new name from then on.
func TestIndexOfRenamed(t *testing.T) {
	allowDeltas(t, 80)
	h := newLaidHistory(t, 11)
	must(t, h.store.AddPolicy(t.Context(), origin.PolicyVersion{SiteID: "alpha", Version: 1, Digest: "sha-256:" + strings.Repeat("0a", 32), EffectiveFrom: "2026-01-01T00:00:00Z", Vectors: "[]", Facts: `{"offers":[],"preferences":[]}`}))
	root := t.TempDir()
	dir, whole := filepath.Join(root, "dir"), filepath.Join(root, "whole")
	build := func() {
		t.Helper()
		_, err := Build(t.Context(), h.store, dir, h.opt)
		must(t, err)
		all := h.opt
		all.Whole = true
		_, err = Build(t.Context(), h.store, whole, all)
		must(t, err)
		catalogtest.CompareAnswers(t, openCatalog(dir), openCatalog(whole), h.questions())
	}
	build()
	s, err := h.store.Site(t.Context(), "alpha")
	must(t, err)
	s.Name, s.ChangedAt = "Renamed", h.now()
	must(t, h.store.PutSite(t.Context(), s))
	build()
	p := &h.pages[len(h.pages)-1]
	p.Title = "Edited"
	h.put(p)
	build()
	if readIndex(dir).Current.Base == nil {
		t.Error("the index is laid over none")
	}
}

// TestVerifyMissesBase takes a base out of the list of files: verify says that the index
// names it.
func TestVerifyMissesBase(t *testing.T) {
	allowDeltas(t, 80)
	h := newLaidHistory(t, 12)
	dir := filepath.Join(t.TempDir(), "out")
	for range 2 {
		h.n++
		p := &h.pages[3]
		p.Title = fmt.Sprint("Edited ", h.n)
		h.put(p)
		_, err := Build(t.Context(), h.store, dir, h.opt)
		must(t, err)
	}
	base := "_ix/" + readIndex(dir).Current.Base.Gen + "/"
	must(t, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(base))))
	path := filepath.Join(dir, filepath.FromSlash(target.ListFile))
	list, err := os.ReadFile(path)
	must(t, err)
	var kept strings.Builder
	for line := range strings.Lines(string(list)) {
		if !strings.Contains(line, " "+base) {
			kept.WriteString(line)
		}
	}
	must(t, os.WriteFile(path, []byte(kept.String()), 0o600))
	a, err := Verify(dir)
	must(t, err)
	if !slices.ContainsFunc(a.Findings, func(f string) bool { return strings.Contains(f, "names the generation "+base[len("_ix/"):len(base)-1]) }) {
		t.Errorf("findings %q", a.Findings)
	}
}
