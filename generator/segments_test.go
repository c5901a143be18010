package generator

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/brand"
	"colophon/generator/target"
	"colophon/internal/origin"
	"colophon/internal/release"
	"colophon/internal/segment"
	"colophon/internal/segment/document"
	"colophon/internal/segment/entryfacts"
	"colophon/internal/staticindex"
	"colophon/templates/entrypage"
)

// folderSource reads a build, ranges too, and counts what it read.
type folderSource struct {
	dir   string
	reads *int
}

func newFolderSource(dir string) folderSource { return folderSource{dir, new(int)} }

func (f folderSource) Read(_ context.Context, key string) ([]byte, error) {
	*f.reads++
	return os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(key)))
}

func (f folderSource) ReadRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	data, err := f.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	if offset < 0 || offset+length > int64(len(data)) {
		return nil, errors.New("range not satisfiable")
	}
	return data[offset : offset+length], nil
}

func buildForm(tb testing.TB, store origin.Catalog, dir string, form Form, profile segment.Profile) Report {
	tb.Helper()
	opt := testOptions(tb, 3)
	opt.Form, opt.Profile = form, profile
	r, err := Build(context.Background(), store, dir, opt)
	must(tb, err)
	return r
}

func isSegmentFile(name string) bool {
	return name == segment.RootKey || strings.HasPrefix(name, segment.ObjectPrefix) || isIndexObject(name)
}

// isIndexObject reports whether a file is an object of the index, or the root of one
// of its generations.
func isIndexObject(name string) bool {
	folder, ok := document.IndexFolder(name)
	rest := strings.TrimPrefix(name, folder)
	return ok && (name == document.IndexRootKey(folder) || len(rest) == len("00/.idx")+62 && rest[2] == '/')
}

// differsByForm reports whether a file is about the form of a build: its
// segments, its notes, and the list of the files that it has.
func differsByForm(name string) bool {
	return isSegmentFile(name) || strings.HasPrefix(name, target.NotesDir+"/") ||
		name == release.ListKey || strings.HasPrefix(name, release.TilesFolder)
}

// isSiblingOfFile reports whether a file is the compressed sibling of one that is a
// file in each form, and no asset.
func isSiblingOfFile(name string) bool {
	plain, compressed := strings.CutSuffix(name, ".gz")
	_, ofEntry := document.ParseKey(plain)
	return compressed && !ofEntry && !exports.Packed(exports.Key(plain)) && !strings.HasPrefix(plain, "assets/")
}

// compareForms is compareAnswers of builds that have entries.
func compareForms(t *testing.T, files, segments string) {
	t.Helper()
	if compareAnswers(t, files, segments) == 0 {
		t.Error("there are no entries to compare")
	}
}

// compareAnswers compares all that two builds of one origin answer: each file of
// the one is a file of the other or spelled from its segments, in the same bytes,
// and nothing is spelled that is not a file. It returns how many entries there are:
// none where every publisher is suspended.
func compareAnswers(t *testing.T, files, segments string) int {
	t.Helper()
	want, have := readTree(t, files), readTree(t, segments)
	source := newFolderSource(segments)
	reader := document.Files{Source: source, SpellPage: entrypage.Spell, Compress: CompressSibling}
	spelled := 0
	entries := map[string]bool{}
	for name, data := range want {
		if differsByForm(name) {
			continue
		}
		if isSiblingOfFile(name) {
			if have[name] != nil {
				t.Errorf("%s is a compressed sibling beside segments", name)
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
		if _, ofIndex := document.IndexFolder(name); ofIndex && isFile == strings.HasSuffix(name, ".idx") {
			t.Errorf("%s is a file: %v", name, isFile)
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
			t.Errorf("only the build with segments has the file %s", name)
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
	checkKeys(t, segments, want, entries)
	compareAudits(t, files, segments)
	if spelled < len(entries) {
		t.Errorf("only %d documents of %d entries came from segments", spelled, len(entries))
	}
	return len(entries)
}

// checkKeys reports values of segments that are of no entry and of no file.
func checkKeys(t *testing.T, segments string, want map[string][]byte, entries map[string]bool) {
	t.Helper()
	known := map[segment.Key]bool{}
	for name := range want {
		if exports.Packed(exports.Key(name)) {
			known[segment.KeyOf(name)] = true
		}
	}
	for id := range entries {
		known[segment.KeyOf(entryfacts.EntryFactsName(id))] = true
		for v := range int64(200) {
			known[segment.KeyOf(entryfacts.VersionFactsName(id, v))] = true
		}
	}
	reader := readSegments(t.Context(), segments, readRoot(t, segments).Profile)
	for first := range 256 {
		values, err := reader.Slice(t.Context(), byte(first))
		must(t, err)
		for _, v := range values {
			if !known[v.Key] {
				t.Errorf("the value under %x is of no file: %.80q", v.Key, v.Data)
			}
		}
	}
}

// compareAudits lets both builds be verified as strangers would: they have as
// many records, proofs and addresses, and nothing is wrong.
func compareAudits(t *testing.T, files, segments string) {
	t.Helper()
	want, err := Verify(files)
	must(t, err)
	got, err := Verify(segments)
	must(t, err)
	if len(got.Findings) > 0 || len(want.Findings) > 0 {
		t.Fatalf("findings %q, as files %q", got.Findings, want.Findings)
	}
	want.Addresses++ // that of the service, in the frame that the root has
	if got.Records != want.Records || got.Proofs != want.Proofs || got.Links != want.Links || got.Addresses != want.Addresses {
		t.Errorf("the audit of segments is %+v, of files %+v", got, want)
	}
}

// documentNames are the keys that an entry may have.
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

// entryHistory changes an origin as time does.
type entryHistory struct {
	tb    testing.TB
	store origin.Catalog
	*rand.Rand
	pages []origin.Page
	tick  int
}

func newEntryHistory(tb testing.TB, store origin.Catalog, seed uint64, pages int) *entryHistory {
	h := &entryHistory{tb: tb, store: store, Rand: rand.New(rand.NewPCG(seed, 4))}
	for _, id := range []string{"alpha", "beta"} {
		addSite(tb, store, id)
		for n := range pages {
			h.pages = append(h.pages, addPage(tb, store, id, n))
		}
	}
	return h
}

// step makes one random change.
func (h *entryHistory) step() {
	h.tick++
	at := fmt.Sprintf("2026-08-01T00:%02d:%02dZ", h.tick/60, h.tick%60)
	p := &h.pages[h.IntN(len(h.pages))]
	p.ChangedAt = at
	switch h.IntN(6) {
	case 0, 1:
		p.Title = fmt.Sprintf("Edited %d \"%s\" & <more>", h.tick, p.SiteID)
	case 2:
		p.State = "withdrawn"
	case 3:
		p.State = "active"
	case 4:
		p.Byline = []string{"First Author", "Второй {автор}"}
		p.ModifiedAt = at
	case 5:
		h.pages = append(h.pages, addPage(h.tb, h.store, p.SiteID, 5000+h.tick, func(p *origin.Page) { p.ChangedAt = at }))
		return
	}
	must(h.tb, h.store.PutPage(context.Background(), *p, nil))
}

// changeSite suspends a site, or takes it back.
func (h *entryHistory) changeSite(state origin.SiteState) {
	h.tick++
	site, err := h.store.Site(context.Background(), "beta")
	must(h.tb, err)
	site.State = state
	site.ChangedAt = fmt.Sprintf("2026-08-01T01:00:%02dZ", h.tick%60)
	must(h.tb, h.store.PutSite(context.Background(), site))
}

// rounds is how many builds a history has: a few, or COLOPHON_SEGMENT_ROUNDS.
func rounds(t *testing.T) int {
	text := os.Getenv("COLOPHON_SEGMENT_ROUNDS")
	if text == "" {
		return 4
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

// TestSegmentsAnswerAsFiles changes an origin and builds it in both forms, each
// upon what it built before.
func TestSegmentsAnswerAsFiles(t *testing.T) {
	allowDeltas(t, 80)
	for _, profile := range []segment.Profile{segment.Pages, segment.Packs} {
		t.Run(string(profile), func(t *testing.T) {
			store := newStore(t)
			h := newEntryHistory(t, store, 1, 30)
			root := t.TempDir()
			files, dir := filepath.Join(root, "files"), filepath.Join(root, "segments")
			deltas := 0
			for round := range rounds(t) {
				for range 1 + round%3 {
					h.step()
				}
				switch round {
				case 2:
					h.changeSite(origin.Suspended)
				case 3:
					h.changeSite(origin.Approved)
				}
				mergePercent = 80
				if round%4 == 3 { // now and then the base is due, of which most is only published
					mergePercent = 0
				}
				buildForm(t, store, dir, FormSegments, profile)
				buildForm(t, store, files, FormFiles, "")
				compareForms(t, files, dir)
				if len(readRoot(t, dir).Layers) > 1 {
					deltas++
				}
			}
			if deltas == 0 {
				t.Error("no build wrote a delta")
			}
		})
	}
}

// allowDeltas lets deltas be large for the length of a test: one page of a small
// catalog changes a good part of its files.
func allowDeltas(t *testing.T, percent int64) {
	t.Helper()
	usual := mergePercent
	t.Cleanup(func() { mergePercent = usual })
	mergePercent = percent
}

func readRoot(t *testing.T, dir string) *segment.Root {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(segment.RootKey)))
	must(t, err)
	root, err := segment.ParseRoot(data)
	must(t, err)
	return root
}

// TestOneChangeIsASmallDelta withdraws one of 300 entries: a few new objects,
// and all that the root before named is still there.
func TestOneChangeIsASmallDelta(t *testing.T) {
	allowDeltas(t, 80)
	store := newStore(t)
	h := newEntryHistory(t, store, 2, 150)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	before := readTree(t, dir)

	p := h.pages[7]
	p.State, p.ChangedAt = "withdrawn", "2026-09-01T00:00:00Z"
	must(t, store.PutPage(t.Context(), p, nil))
	buildForm(t, store, dir, FormSegments, segment.Pages)
	after := readTree(t, dir)

	var added []string
	size := 0
	for name, data := range after {
		if strings.HasPrefix(name, segment.ObjectPrefix) && before[name] == nil {
			added = append(added, name)
			size += len(data)
		}
	}
	if len(added) == 0 || len(added) > 4 || size > 300<<10 {
		t.Errorf("one change wrote %d objects of %d bytes", len(added), size)
	}
	for name := range before {
		if strings.HasPrefix(name, segment.ObjectPrefix) && after[name] == nil {
			t.Errorf("%s is gone, though the root before names it", name)
		}
	}

	r := buildForm(t, store, dir, FormSegments, segment.Pages)
	if again := readTree(t, dir); !r.Unchanged || !maps.EqualFunc(again, after, bytes.Equal) {
		t.Errorf("a build without a change changed something, or rendered everything (unchanged: %v)", r.Unchanged)
	}
	whole := testOptions(t, 3)
	whole.Form, whole.Profile, whole.Whole = FormSegments, segment.Pages, true
	_, err := Build(t.Context(), store, dir, whole)
	must(t, err)
	again := onlySegments(readTree(t, dir))
	if !bytes.Equal(again[segment.RootKey], after[segment.RootKey]) {
		t.Error("a whole build without a change changed the root of the segments")
	}
	for name, data := range again { // what the withdrawal was published with ahead of its build is gone
		if !bytes.Equal(data, after[name]) {
			t.Errorf("a whole build without a change wrote %s", name)
		}
	}
}

// TestFrameStandsOnce gives the service another name and other colours: the facts of
// entries stay as they were, and every page shows them.
func TestFrameStandsOnce(t *testing.T) {
	store := newStore(t)
	h := newEntryHistory(t, store, 5, 30)
	root := t.TempDir()
	files, dir := filepath.Join(root, "files"), filepath.Join(root, "segments")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	before := entryValues(t, dir)

	opt := testOptions(t, 3)
	opt.Name = "Another <name> & colour"
	opt.Brand = brand.Brand{
		Contact: "mailto:desk@registry.example", Pages: []brand.Page{{Slug: "imprint", Title: "Imprint", URL: "https://operator.example/imprint"}},
		Logo: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>`), LogoName: "logo.svg", LogoWidth: 32,
	}
	for form, to := range map[Form]string{FormFiles: files, FormSegments: dir} {
		opt.Form = form
		_, err := Build(t.Context(), store, to, opt)
		must(t, err)
	}
	if after := entryValues(t, dir); len(before) < 60 || !maps.Equal(before, after) {
		t.Errorf("the facts of entries changed: %d values, before %d", len(after), len(before))
	}
	compareForms(t, files, dir)
	key := string(exports.KeyOf(exports.CitationPage(h.pages[0].EntryID)))
	page, err := document.Files{Source: newFolderSource(dir), SpellPage: entrypage.Spell, Compress: CompressSibling}.Read(t.Context(), key)
	must(t, err)
	for _, want := range []string{"<span>Another &lt;name&gt; &amp; colour</span>", `href="https://operator.example/imprint"`, `src="/assets/logo.`, `href="mailto:desk@registry.example"`} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// entryValues are the values of entries that stand in the segments of a build.
func entryValues(t *testing.T, dir string) map[segment.Key]string {
	t.Helper()
	reader := readSegments(t.Context(), dir, readRoot(t, dir).Profile)
	out := map[segment.Key]string{}
	for first := range 256 {
		values, err := reader.Slice(t.Context(), byte(first))
		must(t, err)
		for _, v := range values {
			if !document.IsFile(v.Data) {
				out[v.Key] = string(v.Data)
			}
		}
	}
	return out
}

func onlySegments(tree map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, data := range tree {
		if isSegmentFile(name) {
			out[name] = data
		}
	}
	return out
}

// TestFullSegmentsAreReproducible builds one origin twice, with other numbers of
// workers, and once over a spool that went to disk.
func TestFullSegmentsAreReproducible(t *testing.T) {
	store := newStore(t)
	newEntryHistory(t, store, 3, 80)
	root := t.TempDir()
	var trees []map[string][]byte
	for i, workers := range []int{1, 7} {
		opt := testOptions(t, workers)
		opt.Form = FormSegments
		dir := filepath.Join(root, fmt.Sprint(i))
		_, err := Build(t.Context(), store, dir, opt)
		must(t, err)
		trees = append(trees, onlySegments(readTree(t, dir)))
	}
	if len(trees[0]) < 3 || !maps.EqualFunc(trees[0], trees[1], bytes.Equal) {
		t.Errorf("two full builds differ: %d and %d segment files", len(trees[0]), len(trees[1]))
	}
}

// TestVerifyChecksFilesInSegments lets the list of a build name another content of a
// file, and a file that does not exist.
func TestVerifyChecksFilesInSegments(t *testing.T) {
	store := newStore(t)
	newEntryHistory(t, store, 5, 3)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	const name = "publishers/alpha/index.html"
	relist(t, dir, func(files []release.File) []release.File {
		for i := range files {
			if files[i].Name == name {
				files[i].SHA256 = [32]byte{}
			}
		}
		return append(files, release.File{Name: "v1/public/sites/zeta/rights.json", Size: 1})
	})
	audit, err := Verify(dir)
	must(t, err)
	want := []string{name + ": not as it was published", "v1/public/sites/zeta/rights.json: missing in the segments"}
	if !slices.Equal(audit.Findings, want) {
		t.Errorf("findings %q, want %q", audit.Findings, want)
	}
}

// TestVerifyChecksTheIndexInSegments harms the index of a build in segments, and what
// its manifest says.
func TestVerifyChecksTheIndexInSegments(t *testing.T) {
	store := newStore(t)
	newEntryHistory(t, store, 6, 3)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	folder := staticindex.Prefix(readIndex(dir).Current.Gen)
	findings := func() string {
		t.Helper()
		audit, err := Verify(dir)
		must(t, err)
		return strings.Join(audit.Findings, "\n")
	}
	harm := func(name string, change func(data []byte) []byte, want ...string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		sound, err := os.ReadFile(path)
		must(t, err)
		must(t, os.WriteFile(path, change(bytes.Clone(sound)), 0o600))
		got := findings()
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s harmed: findings %s, want %q", name, got, w)
			}
		}
		must(t, os.WriteFile(path, sound, 0o600))
	}
	if got := findings(); got != "" {
		t.Fatal(got)
	}
	manifest := folder + indexManifestFile
	harm(manifest, func(data []byte) []byte {
		data[0] ^= 1
		return append(data, strings.Repeat("0", 64)+" 1 zeta.idx\n"...)
	}, "not as it was published", folder+"zeta.idx: missing in the segments of the index")
	harm(manifest, func(data []byte) []byte { return data[bytes.IndexByte(data, '\n')+1:] }, "not in the manifest of the index")
	harm(document.IndexRootKey(folder), func([]byte) []byte { return []byte("{}") }, document.IndexRootKey(folder)+": "+segment.ErrDamaged.Error())
	for name := range readTree(t, dir) {
		if isIndexObject(name) && strings.HasSuffix(name, ".idx") {
			harm(name, func(data []byte) []byte { return data[:len(data)-1] }, "cannot be read: "+segment.ErrDamaged.Error())
		}
	}
}

// TestDamagedSegmentsAreBuiltAnew breaks an object of the published base, which a
// whole build mends.
func TestDamagedSegmentsAreBuiltAnew(t *testing.T) {
	store := newStore(t)
	newEntryHistory(t, store, 4, 40)
	dir := filepath.Join(t.TempDir(), "out")
	buildForm(t, store, dir, FormSegments, segment.Pages)
	sound := onlySegments(readTree(t, dir))
	object := filepath.Join(dir, filepath.FromSlash(segment.ObjectKey(readRoot(t, dir).Layers[0].Entries.Objects[0])))
	must(t, os.WriteFile(object, []byte("damaged"), 0o600))
	whole := testOptions(t, 3)
	whole.Form, whole.Profile, whole.Whole = FormSegments, segment.Pages, true
	_, err := Build(t.Context(), store, dir, whole)
	must(t, err)
	if !maps.EqualFunc(onlySegments(readTree(t, dir)), sound, bytes.Equal) {
		t.Error("the damaged segments were not replaced")
	}
}

func TestValueSpoolSortsFromDisk(t *testing.T) {
	s := newValueSpool(t.TempDir(), 1000)
	defer s.close()
	want := map[segment.Key]string{}
	for i := range 500 {
		v := segment.Value{Key: segment.KeyOf(fmt.Sprint(i)), Data: []byte(strings.Repeat("x", i%40))}
		want[v.Key] = string(v.Data)
		must(t, s.addValue(v))
	}
	must(t, s.flushValues())
	if s.dir == "" {
		t.Fatal("nothing went to disk")
	}
	for range 2 { // it can be read again
		var got []segment.Value
		for first := range 256 {
			part, err := s.valuesWithByte(byte(first))
			must(t, err)
			got = append(got, part...)
		}
		if len(got) != len(want) || !slices.IsSortedFunc(got, func(a, b segment.Value) int { return a.Key.Compare(b.Key) }) {
			t.Fatalf("%d values, want %d by key", len(got), len(want))
		}
		for _, v := range got {
			if want[v.Key] != string(v.Data) {
				t.Fatal("a value changed")
			}
		}
	}
}
