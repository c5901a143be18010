package document

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/blob"
	"colophon/internal/blob/entryfacts"
	"colophon/internal/staticindex"
)

var must = assert.NoError

// files is a source in memory that counts reads.
type files struct {
	data  map[string][]byte
	reads int
}

func (f *files) Read(_ context.Context, key string) ([]byte, error) {
	f.reads++
	data, ok := f.data[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (f *files) ReadBlob(ctx context.Context, at blob.Location) ([]byte, error) {
	pack, err := f.Read(ctx, blob.PackKey(at.Pack))
	if err != nil {
		return nil, err
	}
	if at.Offset+at.Length > int64(len(pack)) {
		return nil, blob.ErrDamaged
	}
	data := pack[at.Offset:][:at.Length]
	if blob.IDOf(data) != at.Digest {
		return nil, blob.ErrDamaged
	}
	return data, nil
}

func (f *files) put(key string, data []byte) error {
	f.data[key] = bytes.Clone(data)
	return nil
}

func TestParseKey(t *testing.T) {
	for key, want := range map[string]Entry{
		"v1/public/contentdna-provenance/ent_1.json":                        {entryfacts.DocRecord, "ent_1", 0},
		"v1/public/contentdna-provenance/ent_1/v/2.json":                    {entryfacts.DocVersion, "ent_1", 2},
		"v1/public/contentdna-provenance/ent_1/v/12/ledger.json":            {entryfacts.DocPlace, "ent_1", 12},
		"v1/public/citations/ent_1.json":                                    {entryfacts.DocCitation, "ent_1", 0},
		"v1/public/contentdna-provenance/ent_1/v/02.json":                   {},
		"v1/public/contentdna-provenance/ent_1/v/0.json":                    {},
		"v1/public/contentdna-provenance/ent_1/v/-1.json":                   {},
		"v1/public/contentdna-provenance/ent_1/v/1/v/2.json":                {},
		"v1/public/contentdna-provenance/ent_1/v/99999999999999999999.json": {},
		"v1/public/contentdna-provenance/.json":                             {},
		"v1/public/contentdna-provenance/ent_1/ledger.json":                 {},
		"v1/public/citations/ent_1":                                         {},
		"v1/public/citations/a/b.json":                                      {},
		"_sandbox/v1/public/citations/ent_1.json":                           {},
		"": {},
	} {
		got, ok := ParseKey(key)
		if ok != (want != Entry{}) || ok && got != want {
			t.Errorf("%q: %v %v, want %v", key, got, ok, want)
		}
	}
}

// publish puts the entries of a publisher into f, by the last part of their
// facts' keys.
func publish(t *testing.T, f *files, entries map[string]*entryfacts.Facts) {
	t.Helper()
	values := map[string][]byte{}
	for rest, e := range entries {
		id, _, _ := strings.Cut(rest, "/")
		values[IDKey(id)] = []byte("alpha")
		values[FactsKey("alpha", rest)] = entryfacts.Append(nil, e)
	}
	publishValues(t, f, values)
}

func publishValues(t *testing.T, f *files, values map[string][]byte) {
	t.Helper()
	z, err := flate.NewWriter(nil, flate.DefaultCompression)
	must(t, err)
	w := blob.Writer{PackSize: 1 << 16, Put: f.put, Deflater: z, Starts: StartsBlob, Alone: StandsAlone}
	root, _, err := w.Write(t.Context(), nil, func(do func(blob.Change) error) error {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if err := do(blob.Change{Value: blob.Value{Key: key, Data: values[key]}}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, err)
	root.Facts, root.Frame, root.Generation = entryfacts.FactsVersion, &blob.PageFrame{Name: "A service"}, "0123456789abcdef"
	f.data[blob.RootKey] = root.Append(nil)
}

// rootOf returns the root that is published.
func rootOf(t *testing.T, f *files) *blob.Root {
	t.Helper()
	root, err := blob.ParseRoot(f.data[blob.RootKey])
	must(t, err)
	return root
}

func signed(id string, version int64) *entryfacts.Facts {
	return &entryfacts.Facts{EntryID: id, Version: version, Signed: fmt.Appendf(nil, "%s %d", id, version)}
}

const recordKey = "v1/public/contentdna-provenance/ent_a.json"

func TestFilesComeFirst(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 1)})
	for _, want := range []string{"ent_a 1", "a file"} {
		got, err := Files{Source: f}.Read(t.Context(), recordKey)
		if err != nil || string(got) != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
		f.data[recordKey] = []byte("a file")
	}
}

// TestVersions requests versions of an entry with two, and of one with a single
// version, which is not published as a version.
func TestVersions(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.Facts{
		"ent_a": signed("ent_a", 2), "ent_a/v/1": signed("ent_a", 1), "ent_b": signed("ent_b", 1),
	})
	for key, want := range map[string]string{
		"ent_a.json": "ent_a 2", "ent_a/v/1.json": "ent_a 1", "ent_a/v/2.json": "ent_a 2", "ent_a/v/3.json": "",
		"ent_b.json": "ent_b 1", "ent_b/v/1.json": "", "ent_b/v/2.json": "", "ent_c.json": "", "ent_a/v/1/ledger.json": "",
	} {
		got, err := Files{Source: f}.Read(t.Context(), "v1/public/contentdna-provenance/"+key)
		if string(got) != want || (want == "") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; want %q", key, got, err, want)
		}
	}
}

// TestFilesInPacks reads files that stand in packs: two that exist, one that
// never did, and one that would stand beside them.
func TestFilesInPacks(t *testing.T) {
	const page, tile, index, missing = "publishers/b/index.html", "ledger/tile/entries/000", "_ix/0123456789abcdef/t/00.idx", "rights-map/d/index.html"
	f := &files{data: map[string][]byte{}}
	values := map[string][]byte{}
	for _, name := range []string{page, tile, index, "robots.txt"} {
		values[FileKey(inPack(name))] = []byte("text of " + name)
	}
	publishValues(t, f, values)
	for key, want := range map[string]string{page: "text of " + page, tile: "text of " + tile, index: "text of " + index, missing: "", "robots.txt": "",
		"_ix/0123456789abcdee/t/00.idx": "", "_ix/t/00.idx": ""} { // of another generation, and of none
		f.reads = 0
		got, err := Files{Source: f}.Read(t.Context(), key)
		if string(got) != want || (want == "") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; want %q", key, got, err, want)
		}
		if f.reads > MaxFileReads {
			t.Errorf("%s took %d reads", key, f.reads)
		}
	}

	compressing := Files{Source: f, Compress: func([]byte) []byte { return []byte("compressed") }}
	if got, err := compressing.Read(t.Context(), page+".gz"); err != nil || string(got) != "compressed" {
		t.Errorf("the sibling of %s: %q, %v", page, got, err)
	}
	if got, err := compressing.Read(t.Context(), tile+".gz"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the sibling of a tile, which has none: %q, %v", got, err)
	}

	maps.DeleteFunc(f.data, func(key string, _ []byte) bool { return strings.HasPrefix(key, exports.PackPrefix) })
	for _, key := range []string{page, tile, index} {
		if got, err := (Files{Source: f}).Read(t.Context(), key); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s without its pack: %q, %v", key, got, err)
		}
	}
}

// TestFilesAreLookedForOnce reads files of the index one after another, in
// packs and as files: from the second on, a file must be looked for only where
// the one before was found. In a release of packs, the first file of the index,
// which every release replaces, is in packs too.
func TestFilesAreLookedForOnce(t *testing.T) {
	for _, second := range []string{"_ix/0123456789abcdef/b.idx", string(exports.IndexKey)} {
		t.Run(second, func(t *testing.T) { testLookedForOnce(t, second) })
	}
}

// inPack returns the name under which packs have a file.
func inPack(name string) string {
	name, _, _ = staticindex.CutGeneration(name)
	return name
}

func testLookedForOnce(t *testing.T, second string) {
	const first = "_ix/0123456789abcdef/a.idx"
	inFiles := &files{data: map[string][]byte{first: []byte("a"), second: []byte("b")}}
	inPacks := &files{data: map[string][]byte{}}
	publishValues(t, inPacks, map[string][]byte{FileKey(inPack(first)): []byte("a"), FileKey(inPack(second)): []byte("b")})
	reader := Files{Memory: &Memory{}}
	for _, step := range []struct {
		source *files
		reads  int // of the second file
	}{{inFiles, 1}, {inPacks, 2}, {inFiles, 1}, {inPacks, 2}} { // the root, which has the only page, and a blob
		reader.Source = step.source
		for i, key := range []string{first, second} {
			step.source.reads = 0
			got, err := reader.Read(t.Context(), key)
			if err != nil || string(got) != []string{"a", "b"}[i] {
				t.Errorf("%s: %q, %v", key, got, err)
			}
			if i == 1 && step.source.reads != step.reads {
				t.Errorf("%s took %d reads, want %d", key, step.source.reads, step.reads)
			}
		}
	}
}

// TestMissingInPacks reads a missing document after an existing one: the packs
// must be read once, then the document looked for as a file.
func TestMissingInPacks(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 1)})
	reader := Files{Source: f, Memory: &Memory{}}
	must(t, assert.Err(reader.Read(t.Context(), recordKey)))
	f.reads = 0
	got, err := reader.Read(t.Context(), "v1/public/contentdna-provenance/ent_b.json")
	if !errors.Is(err, fs.ErrNotExist) || f.reads > 3 { // the root, a blob and the file
		t.Errorf("got %q, %v after %d reads", got, err, f.reads)
	}
}

// TestFaultsAreNotAbsence damages what is published in several ways: none may
// be reported as an entry that does not exist.
func TestFaultsAreNotAbsence(t *testing.T) {
	pack := func(f *files) string {
		table, err := blob.ReadTable(t.Context(), &blob.Reader{Root: rootOf(t, f), Source: f})
		must(t, err)
		return blob.PackKey(table.Rows[0].At.Pack)
	}
	for name, harm := range map[string]func(*files){
		"a missing pack": func(f *files) { delete(f.data, pack(f)) },
		"a damaged pack": func(f *files) { f.data[pack(f)][0] ^= 1 },
		"a cut pack":     func(f *files) { f.data[pack(f)] = f.data[pack(f)][:10] },
		"a damaged root": func(f *files) { f.data[blob.RootKey] = []byte("{}") },
		"facts of a later form": func(f *files) {
			root := rootOf(t, f)
			root.Facts++
			f.data[blob.RootKey] = root.Append(nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &files{data: map[string][]byte{}}
			publish(t, f, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 1)})
			harm(f)
			got, err := Files{Source: f}.Read(t.Context(), recordKey)
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// replaced is a source whose root and packs are replaced while it is read: the
// first root names packs that are gone.
type replaced struct {
	*files
	old []byte
}

func (r *replaced) Read(ctx context.Context, key string) ([]byte, error) {
	if key == blob.RootKey && r.old != nil {
		root := r.old
		r.old = nil
		return root, nil
	}
	return r.files.Read(ctx, key)
}

func TestReadsTheRootAgain(t *testing.T) {
	before := &files{data: map[string][]byte{}}
	publish(t, before, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 1)})
	now := &files{data: map[string][]byte{}}
	publish(t, now, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 2)})
	got, err := Files{Source: &replaced{now, before.data[blob.RootKey]}}.Read(t.Context(), recordKey)
	if err != nil || string(got) != "ent_a 2" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestReadsAreBounded requests the document that takes most reads, the current
// version by its number, among 12,000 entries.
func TestReadsAreBounded(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	entries := map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 2)}
	for i := range 12_000 {
		id := fmt.Sprintf("ent_%05d", i)
		entries[id] = signed(id, 1)
	}
	publish(t, f, entries)
	got, err := Files{Source: f}.Read(t.Context(), "v1/public/contentdna-provenance/ent_a/v/2.json")
	if err != nil || string(got) != "ent_a 2" {
		t.Fatalf("got %q, %v", got, err)
	}
	if want := 2 + 3*int(rootOf(t, f).Levels); rootOf(t, f).Levels < 2 || f.reads != want || f.reads > MaxReads || MaxReads >= 50 {
		t.Errorf("%d reads, want %d; the bound is %d", f.reads, want, MaxReads)
	}
}

// TestWhereBlobsStart checks which keys never share a blob, and that some
// entries do.
func TestWhereBlobsStart(t *testing.T) {
	for _, pair := range [][2]string{
		{FileKey("a"), FileKey("b")}, {FileKey("a"), FileKey("publishers/b/feed.rss")}, {FileKey("rights-map/b/index.html"), FileKey("z")}, {FileKey("z"), IDKey("ent_1")}, {IDKey("ent_9"), FactsKey("a", "ent_1")},
		{FactsKey("a", "ent_2"), FactsKey("b", "ent_2")}, {FactsKey("a", "ent_2"), FactsKey("a-b", "ent_2")},
	} {
		if !StartsBlob(pair[0], pair[1]) {
			t.Errorf("%s and %s are in one blob", pair[0], pair[1])
		}
	}
	if StartsBlob(FactsKey("a", "ent_1"), VersionKey("a", "ent_1", 1)) {
		t.Error("a version is not in the blob of its entry")
	}
	const entries = 8000
	starts, ids, files := 0, 0, 0
	for i := range entries {
		id := fmt.Sprintf("ent_%04d", i+1)
		if StartsBlob(FileKey("publishers/a/feed.rss"), FileKey("publishers/"+id+"/feed.rss")) {
			files++
		}
		if StartsBlob(FactsKey("a", "ent_0000"), FactsKey("a", id)) {
			starts++
		}
		if StartsBlob(IDKey("ent_0000"), IDKey(id)) {
			ids++
		}
	}
	if starts < entries/entriesInBlob*8/10 || starts > entries/entriesInBlob*12/10 || ids < entries/idsInBlob*6/10 || ids > entries/idsInBlob*14/10 {
		t.Errorf("%d blobs of entries and %d of ids for %d entries", starts, ids, entries)
	}
	if files < entries/filesInBlob*8/10 || files > entries/filesInBlob*12/10 {
		t.Errorf("%d blobs for %d files of publishers", files, entries)
	}
}

// TestPages requests pages for people: an entry with a citation has one, and a
// reader that cannot render pages returns an error.
func TestPages(t *testing.T) {
	cited := signed("ent_a", 1)
	cited.Citation = &exports.Citation{EntryID: "ent_a"}
	cited.Terms, cited.Asks, cited.Card = []string{"tides", "berths"}, true, "/assets/card.png"
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.Facts{"ent_a": cited, "ent_b": signed("ent_b", 1)})
	reader := Files{Source: f, SpellPage: func(frame *blob.PageFrame, e *entryfacts.Facts) ([]byte, error) {
		return fmt.Append(nil, frame.Name, " ", e.EntryID, " ", e.Terms, e.Asks, e.Card), nil
	}}
	for key, want := range map[string]string{
		"citations/ent_a/index.html": "A service ent_a [tides berths] true/assets/card.png",
		"citations/ent_b/index.html": "", "citations/ent_c/index.html": "", "citations/ent_a/other.html": "", "citations/../index.html": "",
	} {
		got, err := reader.Read(t.Context(), key)
		if string(got) != want || (want == "") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; want %q", key, got, err, want)
		}
	}
	const key = "citations/ent_a/index.html"
	if got, err := reader.Read(t.Context(), key+".gz"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a reader that compresses nothing answers %q, %v", got, err)
	}
	reader.Compress = func(page []byte) []byte { return page[:9] }
	if got, err := reader.Read(t.Context(), key+".gz"); err != nil || string(got) != "A service" {
		t.Errorf("the compressed sibling is %q, %v", got, err)
	}
	reader.Compress = func([]byte) []byte { return nil }
	if got, err := reader.Read(t.Context(), key+".gz"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a page without a sibling has %q, %v", got, err)
	}
	got, err := Files{Source: f}.Read(t.Context(), key)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a reader that spells no pages answers %q, %v", got, err)
	}
}

// TestPagesNeedAFrame removes the frame: a page must not be reported as
// missing.
func TestPagesNeedAFrame(t *testing.T) {
	cited := signed("ent_a", 1)
	cited.Citation = &exports.Citation{EntryID: "ent_a"}
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.Facts{"ent_a": cited})
	root := rootOf(t, f)
	root.Frame = nil
	f.data[blob.RootKey] = root.Append(nil)
	reader := Files{Source: f, SpellPage: func(*blob.PageFrame, *entryfacts.Facts) ([]byte, error) { return []byte("a page"), nil }}
	if got, err := reader.Read(t.Context(), "citations/ent_a/index.html"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestRootIsParsedOnce reads documents of one release, of the next one, and of one
// whose root is damaged: what is remembered of a root must not outlive its text.
func TestRootIsParsedOnce(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 1)})
	remembered := &Memory{}
	reader := Files{Source: f, Memory: remembered}
	read := func(want string) {
		t.Helper()
		if got, err := reader.Read(t.Context(), recordKey); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
	read("ent_a 1")
	first := remembered.root
	if read("ent_a 1"); remembered.root != first || first == nil {
		t.Error("the same root was parsed twice")
	}
	publish(t, f, map[string]*entryfacts.Facts{"ent_a": signed("ent_a", 2)})
	if read("ent_a 2"); remembered.root == first {
		t.Error("another root was not parsed")
	}
	f.data[blob.RootKey] = []byte("{}")
	read("")
}
