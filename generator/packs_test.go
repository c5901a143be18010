package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"colophon/exports"
	"colophon/generator/brand"
	"colophon/generator/target"
	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/blob"
	"colophon/internal/blob/document"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/release"
	"colophon/internal/staticindex"
	"colophon/templates/entrypage"
)

// folderSource reads a build and counts the reads.
type folderSource struct {
	blob.Folder
	reads *int
}

func newFolderSource(dir string) folderSource { return folderSource{blob.Folder(dir), new(int)} }

func (f folderSource) Read(ctx context.Context, key string) ([]byte, error) {
	*f.reads++
	return f.Folder.Read(ctx, key)
}

func (f folderSource) ReadBlob(ctx context.Context, at blob.Location) ([]byte, error) {
	*f.reads++
	return f.Folder.ReadBlob(ctx, at)
}

func buildForm(tb testing.TB, store origin.Catalog, dir string, form Form, packSize int64) Report {
	tb.Helper()
	opt := testOptions(tb, 3)
	opt.Form, opt.PackSize = form, packSize
	r, err := Build(context.Background(), store, dir, opt)
	must(tb, err)
	return r
}

// inPacks returns a registry with n entries of each of two publishers, built in
// packs.
func inPacks(tb testing.TB, n int, packSize int64) (store *originsql.Store, dir string, entries []origin.Page) {
	tb.Helper()
	store, dir = newRegistry(tb)
	entries = addEntries(tb, store, n)
	buildForm(tb, store, dir, FormPacks, packSize)
	return store, dir, entries
}

func isPackFile(name string) bool {
	return name == blob.RootKey || strings.HasPrefix(name, exports.PackPrefix)
}

// differsByForm reports whether a file may differ between the forms: the
// packs, the notes and the list of files may.
func differsByForm(name string) bool {
	return isPackFile(name) || strings.HasPrefix(name, target.NotesDir+"/") ||
		name == release.ListKey || strings.HasPrefix(name, release.TilesFolder)
}

// isSiblingOfFile reports whether a file is the compressed sibling of one that
// is a file in both forms. It returns false for assets.
func isSiblingOfFile(name string) bool {
	plain, compressed := strings.CutSuffix(name, ".gz")
	_, ofEntry := document.ParseKey(plain)
	return compressed && !ofEntry && !exports.Packed(exports.Key(plain)) && !strings.HasPrefix(plain, "assets/")
}

// compareForms is like compareAnswers, but fails if there are no entries.
func compareForms(t *testing.T, files, packs string) {
	t.Helper()
	if compareAnswers(t, files, packs) == 0 {
		t.Error("there are no entries to compare")
	}
}

// compareAnswers compares everything that two builds of one origin answer: each
// file of the one must be a file of the other or be made from its packs, with
// the same bytes, and nothing else may be made. It returns the number of
// entries, which is 0 if every publisher is suspended.
func compareAnswers(t *testing.T, files, packs string) int {
	t.Helper()
	dropExpired(t, files) // packs need not answer files that are only kept for readers of earlier pages
	want, have := readTree(t, files), readTree(t, packs)
	source := newFolderSource(packs)
	reader := document.Files{Source: source, SpellPage: entrypage.Spell, Compress: CompressSibling}
	spelled := 0
	entries := map[string]bool{}
	for name, data := range want {
		if differsByForm(name) {
			continue
		}
		if isSiblingOfFile(name) {
			if have[name] != nil {
				t.Errorf("%s is a compressed sibling beside packs", name)
			}
			continue
		}
		*source.reads = 0
		got, err := reader.Read(t.Context(), name)
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%s: %v; got\n%s\nwant\n%s", name, err, got, data)
		}
		_, isFile := have[name]
		if !isFile {
			spelled++
		}
		if isFile && exports.Packed(exports.Key(name)) {
			t.Errorf("%s is a file", name)
		}
		if *source.reads > document.MaxReads {
			t.Errorf("%s took %d reads", name, *source.reads)
		}
		if d, ok := document.ParseKey(strings.TrimSuffix(name, ".gz")); ok {
			entries[d.EntryID] = true
		}
	}
	for name := range have {
		if _, ok := want[name]; !ok && !differsByForm(name) {
			t.Errorf("only the build with packs has the file %s", name)
		}
	}
	for id := range entries {
		for _, name := range documentNames(id) {
			_, wanted := want[name]
			_, err := reader.Read(t.Context(), name)
			if !wanted && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is answered (%v), but is no file", name, err)
			}
		}
	}
	checkKeys(t, packs, want, entries)
	compareAudits(t, files, packs)
	if spelled < len(entries) {
		t.Errorf("only %d documents of %d entries came from packs", spelled, len(entries))
	}
	return len(entries)
}

// checkKeys reports values in packs that belong to no entry and to no file.
func checkKeys(t *testing.T, packs string, want map[string][]byte, entries map[string]bool) {
	t.Helper()
	gen := publishedGeneration(t, packs)
	for key := range valuesIn(t, packs) {
		kind, name, _ := strings.Cut(key, "/")
		if rest, ofIndex := strings.CutPrefix(name, staticindex.Folder); ofIndex {
			name = staticindex.Prefix(gen) + rest
		}
		_, entry, _ := strings.Cut(name, "/")
		entry, _, _ = strings.Cut(entry, "/v/")
		known := kind == "file" && want[name] != nil || kind == "id" && entries[name] || kind == "site" && entries[entry]
		if !known {
			t.Errorf("the value under %q is of no file and no entry", key)
		}
	}
}

// valuesIn returns the values in the packs of a build, by key.
func valuesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	must(t, packsOf(t, dir).EachValue(t.Context(), func(v blob.Value) error {
		out[v.Key] = string(v.Data)
		return nil
	}))
	return out
}

// packsOf opens the packs of a build. It returns nil if there are none.
func packsOf(t *testing.T, dir string) *blob.Reader {
	t.Helper()
	r, err := openPacks(t.Context(), dir)
	must(t, err)
	return r
}

// tableOf returns the index of the packs of a build.
func tableOf(t *testing.T, dir string) *blob.Table {
	t.Helper()
	table, err := blob.ReadTable(t.Context(), packsOf(t, dir))
	must(t, err)
	return table
}

// compareAudits verifies both builds as a stranger would: they must have the
// same numbers of records, proofs and addresses, and no faults.
func compareAudits(t *testing.T, files, packs string) {
	t.Helper()
	want, err := verify.Release(files)
	must(t, err)
	got, err := verify.Release(packs)
	must(t, err)
	if len(got.Findings) > 0 || len(want.Findings) > 0 {
		t.Fatalf("findings %q, as files %q", got.Findings, want.Findings)
	}
	want.Addresses++ // the root of the packs holds the frame, which has the address of the service
	if got.Records != want.Records || got.Proofs != want.Proofs || got.Links != want.Links || got.Addresses != want.Addresses {
		t.Errorf("the audit of packs is %+v, of files %+v", got, want)
	}
}

// documentNames returns the keys of the documents that an entry may have, with
// those of its versions below 6.
func documentNames(id string) []string {
	var out []string
	for _, path := range []string{exports.RecordPath(id), exports.CitationPath(id), exports.CitationPage(id)} {
		out = append(out, string(exports.KeyOf(path)))
	}
	for v := range int64(6) {
		out = append(out, string(exports.KeyOf(exports.RecordVersionPath(id, v))), string(exports.KeyOf(exports.PlacePath(id, v))))
	}
	return out
}

// addEntries adds two publishers with n pages each, and returns the pages.
func addEntries(tb testing.TB, store origin.Catalog, n int) (entries []origin.Page) {
	tb.Helper()
	for _, id := range []string{"alpha", "beta"} {
		addSite(tb, store, id)
		for i := range n {
			entries = append(entries, addPage(tb, store, id, i))
		}
	}
	return entries
}

// rounds returns the number of builds of a history: COLOPHON_PACK_ROUNDS, or 6
// if that is not set.
func rounds(t *testing.T) int {
	text := os.Getenv("COLOPHON_PACK_ROUNDS")
	if text == "" {
		return 6
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

func readRoot(t *testing.T, dir string) *blob.Root {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(blob.RootKey)))
	must(t, err)
	root, err := blob.ParseRoot(data)
	must(t, err)
	return root
}

// TestOneChangeIsSmall withdraws one of 300 entries: the build must write one
// new pack, and every pack that the previous root names must still exist. A
// further build must change nothing.
func TestOneChangeIsSmall(t *testing.T) {
	t.Parallel()
	store, dir, entries := inPacks(t, 150, LargePacks)
	before, was := readTree(t, dir), tableOf(t, dir)

	p := entries[7]
	p.State, p.ChangedAt = "withdrawn", "2026-09-01T00:00:00Z"
	must(t, store.PutPage(t.Context(), p, nil))
	if r := buildForm(t, store, dir, FormPacks, LargePacks); r.Due != 1 {
		t.Errorf("%d entries were due", r.Due)
	}
	after := readTree(t, dir)
	added := 0
	for name := range after {
		if strings.HasPrefix(name, exports.PackPrefix) && before[name] == nil {
			added++
		}
	}
	if added != 1 {
		t.Errorf("one change wrote %d packs", added)
	}
	for name := range before {
		if strings.HasPrefix(name, exports.PackPrefix) && after[name] == nil {
			t.Errorf("%s is gone, though the root before names it", name)
		}
	}
	old := map[string]blob.ID{}
	for _, row := range was.Below(document.SitePrefix) {
		old[row.Key] = row.At.Digest
	}
	changed := 0
	for _, row := range tableOf(t, dir).Below(document.SitePrefix) {
		if old[row.Key] != row.At.Digest {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("one change of an entry changed %d blobs of %d", changed, len(old))
	}

	r := buildForm(t, store, dir, FormPacks, LargePacks)
	if again := readTree(t, dir); !r.Unchanged || !maps.EqualFunc(again, after, bytes.Equal) {
		t.Errorf("a build without a change changed something, or rendered everything (unchanged: %v)", r.Unchanged)
	}
	whole := testOptions(t, 3)
	whole.Form, whole.PackSize, whole.Whole = FormPacks, LargePacks, true
	_, err := Build(t.Context(), store, dir, whole)
	must(t, err)
	wantSameTable(t, store, dir, LargePacks)
}

// TestKeptRecords checks that after changes of pages and of publishers the index in
// packs is that of a whole build, although a change of pages keeps the records of
// all other publishers as they are published.
func TestKeptRecords(t *testing.T) {
	t.Parallel()
	ctx, store, opt := t.Context(), newStore(t), testOptions(t, 2)
	opt.Form = FormPacks
	var last origin.Page
	for _, id := range []string{"alpha", "beta", "gamma"} {
		addSite(t, store, id)
		addPage(t, store, id, 1)
		last = addPage(t, store, id, 2)
	}
	dir := filepath.Join(t.TempDir(), "out")
	_, err := Build(ctx, store, dir, opt)
	must(t, err)
	alter := func(state origin.SiteState, approvedAt string) {
		site, err := store.Site(ctx, "alpha")
		must(t, err)
		site.State, site.ApprovedAt = state, approvedAt
		must(t, store.PutSite(ctx, site))
	}
	for i, step := range []struct {
		name  string
		alter func()
	}{
		{"a page changed", func() {}},
		{"a publisher is gone", func() { alter(origin.Suspended, "2026-01-02T00:00:00Z") }},
		{"it is back", func() { alter(origin.Approved, "2026-01-02T00:00:00Z") }},
		{"it became public later", func() { alter(origin.Approved, "2026-01-03T00:00:00Z") }},
		{"another is gone and one is new", func() {
			suspendSite(t, store, "beta", origin.Suspended)
			addSite(t, store, "aardvark")
			addPage(t, store, "aardvark", 1)
		}},
	} {
		step.alter()
		change(t, store, last, fmt.Sprint("Title ", i), fmt.Sprintf("2026-10-0%dT00:00:00Z", i+1))
		_, err := Build(ctx, store, dir, opt)
		must(t, err)
		whole := filepath.Join(t.TempDir(), "whole")
		_, err = Build(ctx, store, whole, opt)
		must(t, err)
		want := valuesIn(t, whole)
		for key, value := range valuesIn(t, dir) {
			if strings.HasPrefix(key, document.FileKey(staticindex.Folder)) && want[key] != value {
				t.Errorf("%s: %s is not that of a whole build", step.name, key)
			}
		}
	}
}

// TestFrameStandsOnce changes the name and the colours of the service: the
// facts of entries must stay the same, and every page must show the change.
func TestFrameStandsOnce(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	entries := addEntries(t, store, 30)
	root := t.TempDir()
	files, dir := filepath.Join(root, "files"), filepath.Join(root, "packs")
	buildForm(t, store, dir, FormPacks, SmallPacks)
	before := entryValues(t, dir)

	opt := testOptions(t, 3)
	opt.Name = "Another <name> & colour"
	opt.Brand = brand.Identity{
		Contact: "mailto:desk@registry.example", Pages: []brand.Page{{Slug: "imprint", Title: "Imprint", URL: "https://operator.example/imprint"}},
		Logo: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>`), LogoName: "logo.svg", LogoWidth: 32,
	}
	for form, to := range map[Form]string{FormFiles: files, FormPacks: dir} {
		opt.Form = form
		_, err := Build(t.Context(), store, to, opt)
		must(t, err)
	}
	if after := entryValues(t, dir); len(before) < 60 || !maps.Equal(before, after) {
		t.Errorf("the facts of entries changed: %d values, before %d", len(after), len(before))
	}
	compareForms(t, files, dir)
	key := string(exports.KeyOf(exports.CitationPage(entries[0].EntryID)))
	page, err := document.Files{Source: newFolderSource(dir), SpellPage: entrypage.Spell, Compress: CompressSibling}.Read(t.Context(), key)
	must(t, err)
	for _, want := range []string{"<span>Another &lt;name&gt; &amp; colour</span>", `href="https://operator.example/imprint"`, `src="/assets/logo.`, `href="mailto:desk@registry.example"`} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// entryValues returns the values of entries in the packs of a build.
func entryValues(t *testing.T, dir string) map[string]string {
	t.Helper()
	values := valuesIn(t, dir)
	maps.DeleteFunc(values, func(key, _ string) bool { return !strings.HasPrefix(key, document.SitePrefix) })
	return values
}

func onlyPacks(tree map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, data := range tree {
		if isPackFile(name) {
			out[name] = data
		}
	}
	return out
}

// TestFullPacksAreReproducible builds one origin twice, with different numbers
// of workers: the packs must be the same.
func TestFullPacksAreReproducible(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	addEntries(t, store, 80)
	root := t.TempDir()
	var trees []map[string][]byte
	for i, workers := range []int{1, 7} {
		opt := testOptions(t, workers)
		opt.Form = FormPacks
		dir := filepath.Join(root, fmt.Sprint(i))
		_, err := Build(t.Context(), store, dir, opt)
		must(t, err)
		trees = append(trees, onlyPacks(readTree(t, dir)))
	}
	if len(trees[0]) < 2 || !maps.EqualFunc(trees[0], trees[1], bytes.Equal) {
		t.Errorf("two full builds differ: %d and %d files of packs", len(trees[0]), len(trees[1]))
	}
}

// TestVerifyChecksFilesInPacks signs a list of files that names other content
// for a file in packs, and a file that does not exist: verify must report
// both.
func TestVerifyChecksFilesInPacks(t *testing.T) {
	t.Parallel()
	_, dir, _ := inPacks(t, 3, SmallPacks)
	const name = "publishers/alpha/index.html"
	relist(t, dir, func(files []release.File) []release.File {
		for i := range files {
			if files[i].Name == name {
				files[i].SHA256 = [32]byte{}
			}
		}
		return append(files, release.File{Name: "v1/public/sites/zeta/rights.json", Size: 1})
	})
	audit, err := verify.Release(dir)
	must(t, err)
	want := []string{name + ": not as it was published", "v1/public/sites/zeta/rights.json: missing in the packs"}
	assert.EqualSlices(t, audit.Findings, want, "findings")
}

// TestVerifyFindsHarmedPacks damages each pack of a build and its root in
// turn: verify must report the file.
func TestVerifyFindsHarmedPacks(t *testing.T) {
	t.Parallel()
	_, dir, _ := inPacks(t, 3, SmallPacks)
	findings := func() string {
		t.Helper()
		audit, err := verify.Release(dir)
		must(t, err)
		return strings.Join(audit.Findings, "\n")
	}
	if got := findings(); got != "" {
		t.Fatal(got)
	}
	for name, sound := range onlyPacks(readTree(t, dir)) {
		flipped := bytes.Clone(sound)
		flipped[len(flipped)/2] ^= 1
		for _, harmed := range [][]byte{flipped, sound[:len(sound)-1], {}} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			must(t, os.WriteFile(path, harmed, 0o600))
			assert.Contains(t, name+" harmed: findings", findings(), name+": not as it was published")
			must(t, os.WriteFile(path, sound, 0o600))
		}
	}
}

// TestVerifyFindsForeignValues changes the values in packs in ways that no
// build does: verify must report each.
func TestVerifyFindsForeignValues(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	entries := addEntries(t, store, 3)
	sound := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, sound, FormPacks, SmallPacks)
	id := entries[0].EntryID
	for want, harm := range map[string]func(values map[string]string){
		"the entry " + id + " of alpha has no facts":            func(v map[string]string) { delete(v, document.FactsKey("alpha", id)) },
		"the packs do not name alpha as the publisher of " + id: func(v map[string]string) { v[document.IDKey(id)] = "beta" },
		"the facts of " + id + " stand under another key":       func(v map[string]string) { v[document.VersionKey("alpha", id, 99)] = v[document.FactsKey("alpha", id)] },
		`the entry under "alpha/ent_2" cannot be read`:          func(v map[string]string) { v[document.FactsKey("alpha", "ent_2")] = "?" },
		`there is a value under the key "other/1"`:              func(v map[string]string) { v["other/1"] = "" },
		"categories/of-nobody.html: not in the build's list":    func(v map[string]string) { v[document.FileKey("categories/of-nobody.html")] = "<p>" },
	} {
		dir := filepath.Join(t.TempDir(), "out")
		must(t, os.CopyFS(dir, os.DirFS(sound)))
		values := valuesIn(t, dir)
		harm(values)
		writeValues(t, dir, values)
		audit, err := verify.Release(dir)
		must(t, err)
		assert.Contains(t, "findings", strings.Join(audit.Findings, "\n"), want)
	}
}

// writeValues replaces the values in the packs of a build.
func writeValues(t *testing.T, dir string, values map[string]string) {
	t.Helper()
	z, err := flate.NewWriter(nil, blobLevel)
	must(t, err)
	put := func(key string, data []byte) error {
		path := filepath.Join(dir, filepath.FromSlash(key))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		return os.WriteFile(path, data, 0o600)
	}
	w := blob.Writer{PackSize: SmallPacks, Put: put, Deflater: z, Starts: document.StartsBlob, Alone: document.StandsAlone}
	root, _, err := w.Write(t.Context(), nil, func(do func(blob.Change) error) error {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if err := do(blob.Change{Value: blob.Value{Key: key, Data: []byte(values[key])}}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	was := readRoot(t, dir)
	root.Facts, root.Frame = was.Facts, was.Frame
	must(t, put(blob.RootKey, root.Append(nil)))
}

// TestDamagedPacksAreBuiltAgain damages a published pack: a whole build must
// repair it.
func TestDamagedPacksAreBuiltAgain(t *testing.T) {
	t.Parallel()
	store, dir, _ := inPacks(t, 40, SmallPacks)
	sound := onlyPacks(readTree(t, dir))
	pack := filepath.Join(dir, filepath.FromSlash(blob.PackKey(tableOf(t, dir).Rows[0].At.Pack)))
	must(t, os.WriteFile(pack, []byte("damaged"), 0o600))
	whole := testOptions(t, 3)
	whole.Form, whole.PackSize, whole.Whole = FormPacks, SmallPacks, true
	_, err := Build(t.Context(), store, dir, whole)
	must(t, err)
	if !maps.EqualFunc(onlyPacks(readTree(t, dir)), sound, bytes.Equal) {
		t.Error("the damaged packs were not replaced")
	}
}
