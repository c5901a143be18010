package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"testing"

	"colophon/exports"
	"colophon/internal/segment"
	"colophon/internal/segment/entryfacts"
)

// files is a source in memory.
type files struct {
	data  map[string][]byte
	reads []string
}

func (f *files) Read(_ context.Context, key string) ([]byte, error) {
	f.reads = append(f.reads, key)
	data, ok := f.data[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (f *files) put(key string, data []byte) error {
	f.data[key] = data
	return nil
}

func TestParseKey(t *testing.T) {
	for key, want := range map[string]Document{
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
		if ok != (want != Document{}) || ok && got != want {
			t.Errorf("%q: %v %v, want %v", key, got, ok, want)
		}
	}
}

// publish puts entries into f, in one base.
func publish(t *testing.T, f *files, entries map[string]*entryfacts.EntryFacts) {
	t.Helper()
	items := map[segment.Key][]byte{}
	share := func(item []byte) entryfacts.FactRef {
		key := segment.KeyOf(string(item))
		items[key] = bytes.Clone(item)
		return entryfacts.FactRef(key)
	}
	packed := map[segment.Key][]byte{}
	for name, e := range entries {
		packed[segment.KeyOf(name)] = entryfacts.AppendEntryFacts(nil, e, share)
	}
	root := segment.Root{Profile: segment.Pages, Facts: entryfacts.FactsVersion, Layers: make([]segment.Layer, 1), Frame: &exports.PageFrame{Name: "A service"}}
	root.Layers[0].Entries = write(t, f, packed)
	root.Layers[0].Shared = write(t, f, items)
	f.data[segment.RootKey] = root.Append(nil)
}

func write(t *testing.T, f *files, data map[segment.Key][]byte) segment.Segment {
	t.Helper()
	var values []segment.Value
	for k, v := range data {
		values = segment.Merge(values, []segment.Value{{Key: k, Data: v}})
	}
	s, err := segment.Write(t.Context(), segment.Pages, int64(len(values)), segment.Size(values), segment.SlicesOf(values), f.put)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func signed(id string, version int64) *entryfacts.EntryFacts {
	return &entryfacts.EntryFacts{EntryID: id, Version: version, Signed: fmt.Appendf(nil, "%s %d", id, version)}
}

const recordKey = "v1/public/contentdna-provenance/ent_a.json"

func TestFilesComeFirst(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.EntryFacts{"ent_a": signed("ent_a", 1)})
	for _, want := range []string{"ent_a 1", "a file"} {
		got, err := Files{Source: f}.Read(t.Context(), recordKey)
		if err != nil || string(got) != want {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
		f.data[recordKey] = []byte("a file")
	}
}

// TestVersions asks for versions of an entry with two, and of one with a single
// version, which is not published as such.
func TestVersions(t *testing.T) {
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.EntryFacts{
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

// TestFilesInSegments reads files that stand in segments as they are: one of the
// base, one that a delta replaced, one that it removed, and one that was never
// there.
func TestFilesInSegments(t *testing.T) {
	const changed, same, removed, missing = "publishers/a/index.html", "publishers/b/index.html", "v1/public/sites/c/rights.json", "rights-map/d/index.html"
	const tile = "ledger/tile/entries/000"
	f := &files{data: map[string][]byte{}}
	base := map[segment.Key][]byte{}
	for _, name := range []string{changed, same, removed, tile, "robots.txt"} {
		base[segment.KeyOf(name)] = AppendFile(nil, name, []byte("base of "+name))
	}
	delta := []segment.Value{{Key: segment.KeyOf(changed), Data: AppendFile(nil, changed, []byte("delta"))}}
	delta = segment.Merge(delta, []segment.Value{{Key: segment.KeyOf(removed)}})
	root := segment.Root{Profile: segment.Pages, Facts: entryfacts.FactsVersion, Layers: make([]segment.Layer, 2)}
	var err error
	if root.Layers[0].Entries, err = segment.Write(t.Context(), segment.Pages, 2, segment.Size(delta), segment.SlicesOf(delta), f.put); err != nil {
		t.Fatal(err)
	}
	root.Layers[1].Entries = write(t, f, base)
	root.Filter = segment.NewFilter([]segment.Key{segment.KeyOf(changed), segment.KeyOf(removed)})
	f.data[segment.RootKey] = root.Append(nil)

	for key, want := range map[string]string{changed: "delta", same: "base of " + same, tile: "base of " + tile, removed: "", missing: "", "robots.txt": ""} {
		got, err := Files{Source: f}.Read(t.Context(), key)
		if string(got) != want || (want == "") != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, %v; want %q", key, got, err, want)
		}
	}

	compressing := Files{Source: f, Compress: func([]byte) []byte { return []byte("compressed") }}
	if got, err := compressing.Read(t.Context(), same+".gz"); err != nil || string(got) != "compressed" {
		t.Errorf("the sibling of %s: %q, %v", same, got, err)
	}
	if got, err := compressing.Read(t.Context(), tile+".gz"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the sibling of a tile, which has none: %q, %v", got, err)
	}

	delete(f.data, segment.ObjectKey(root.Layers[1].Entries.Objects[0]))
	if got, err := (Files{Source: f}).Read(t.Context(), same); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without its object: %q, %v", got, err)
	}
}

// TestFaultsAreNotAbsence breaks what is published in several ways: none may be
// told as an entry that does not exist.
func TestFaultsAreNotAbsence(t *testing.T) {
	object := func(f *files) string {
		root, err := segment.ParseRoot(f.data[segment.RootKey])
		if err != nil {
			t.Fatal(err)
		}
		return segment.ObjectKey(root.Layers[0].Entries.Objects[0])
	}
	for name, harm := range map[string]func(*files){
		"a missing object": func(f *files) { delete(f.data, object(f)) },
		"a damaged object": func(f *files) { f.data[object(f)] = []byte("CSG1") },
		"a damaged root":   func(f *files) { f.data[segment.RootKey] = []byte("{}") },
		"facts of a later form": func(f *files) {
			f.data[segment.RootKey] = bytes.Replace(f.data[segment.RootKey], fmt.Appendf(nil, `"facts":%d`, entryfacts.FactsVersion), fmt.Appendf(nil, `"facts":%d`, entryfacts.FactsVersion+1), 1)
		},
		"facts of another entry": func(f *files) {
			publish(t, f, map[string]*entryfacts.EntryFacts{"ent_a": signed("ent_b", 1)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &files{data: map[string][]byte{}}
			publish(t, f, map[string]*entryfacts.EntryFacts{"ent_a": signed("ent_a", 1)})
			harm(f)
			got, err := Files{Source: f}.Read(t.Context(), recordKey)
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// replaced is a source whose root and objects are replaced while it is read:
// the first root names objects that are gone.
type replaced struct {
	*files
	old []byte
}

func (r *replaced) Read(ctx context.Context, key string) ([]byte, error) {
	if key == segment.RootKey && r.old != nil {
		root := r.old
		r.old = nil
		return root, nil
	}
	return r.files.Read(ctx, key)
}

func TestReadsTheRootAgain(t *testing.T) {
	before := &files{data: map[string][]byte{}}
	publish(t, before, map[string]*entryfacts.EntryFacts{"ent_a": signed("ent_a", 1)})
	now := &files{data: map[string][]byte{}}
	publish(t, now, map[string]*entryfacts.EntryFacts{"ent_a": signed("ent_a", 2)})
	got, err := Files{Source: &replaced{now, before.data[segment.RootKey]}}.Read(t.Context(), recordKey)
	if err != nil || string(got) != "ent_a 2" {
		t.Errorf("got %q, %v", got, err)
	}
}

// ranged reads parts too, and counts all reads.
type ranged struct{ *files }

func (r ranged) ReadRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	data, err := r.Read(ctx, key)
	if err != nil {
		return nil, err
	}
	return data[offset : offset+length], nil
}

// spread writes values in 32 objects behind a directory, among others, so that
// no two objects are alike.
func spread(t *testing.T, f *files, data map[segment.Key][]byte) segment.Segment {
	t.Helper()
	s := segment.Segment{Shape: segment.Shape{PrefixBits: 5}, Count: int64(len(data)), Bytes: 1 << 30}
	objects := make([][]segment.Value, s.Shape.Objects())
	data = maps.Clone(data)
	for i := range 300 {
		name := fmt.Sprint(len(f.data), " ", i)
		data[segment.KeyOf(name)] = []byte(name)
	}
	for k, v := range data {
		n := s.ObjectOf(k)
		objects[n] = segment.Merge(objects[n], []segment.Value{{Key: k, Data: v}})
	}
	var digests []segment.Digest
	for n, values := range objects {
		object, err := segment.AppendObject(nil, s.Shape, n, values)
		if err != nil {
			t.Fatal(err)
		}
		d := segment.DigestOf(object)
		f.data[segment.ObjectKey(d)] = object
		digests = append(digests, d)
	}
	directory := segment.AppendDirectory(nil, 0, digests)
	d := segment.DigestOf(directory)
	f.data[segment.ObjectKey(d)] = directory
	s.Directories = []segment.Digest{d}
	return s
}

// TestReadsAreBounded asks for the document that takes most reads: of an entry
// in the base, under as many deltas as there may be, all of which have to be
// asked, in either profile.
func TestReadsAreBounded(t *testing.T) {
	for _, profile := range []segment.Profile{segment.Pages, segment.Packs} {
		f := &files{data: map[string][]byte{}}
		items := map[segment.Key][]byte{}
		share := func(item []byte) entryfacts.FactRef {
			key := segment.KeyOf(string(item))
			items[key] = bytes.Clone(item)
			return entryfacts.FactRef(key)
		}
		e := signed("ent_a", 2)
		base := map[segment.Key][]byte{segment.KeyOf("ent_a"): entryfacts.AppendEntryFacts(nil, e, share)}
		if len(items) != 1 {
			t.Fatalf("%d shared items", len(items))
		}
		root := segment.Root{Profile: profile, Facts: entryfacts.FactsVersion, Filter: bytes.Repeat([]byte{255}, 64)}
		for i := range segment.MaxLayers - 1 {
			other := map[segment.Key][]byte{segment.KeyOf(fmt.Sprint("other ", i)): []byte("x")}
			root.Layers = append(root.Layers, segment.Layer{Entries: spread(t, f, other), Shared: spread(t, f, other)})
		}
		root.Layers = append(root.Layers, segment.Layer{Entries: spread(t, f, base), Shared: spread(t, f, items)})
		f.data[segment.RootKey] = root.Append(nil)

		got, err := Files{Source: ranged{f}}.Read(t.Context(), "v1/public/contentdna-provenance/ent_a/v/2.json")
		if err != nil || string(got) != "ent_a 2" {
			t.Fatalf("got %q, %v", got, err)
		}
		if n := len(f.reads); n > MaxReads || n < 15 || MaxReads >= 50 {
			t.Errorf("%s: %d reads, the bound is %d", profile, n, MaxReads)
		}
		t.Logf("%s: %d reads", profile, len(f.reads))
	}
}

// TestPages asks for pages for people: there is one where there is a citation,
// and a reader that cannot spell pages says so.
func TestPages(t *testing.T) {
	cited := signed("ent_a", 1)
	cited.Citation = &exports.Citation{EntryID: "ent_a"}
	cited.Terms, cited.Asks, cited.Card = []string{"tides", "berths"}, true, "/assets/card.png"
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.EntryFacts{"ent_a": cited, "ent_b": signed("ent_b", 1)})
	reader := Files{Source: f, SpellPage: func(frame *exports.PageFrame, e *entryfacts.EntryFacts) ([]byte, error) {
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

// TestPagesNeedAFrame takes the frame away: the page is not told as missing.
func TestPagesNeedAFrame(t *testing.T) {
	cited := signed("ent_a", 1)
	cited.Citation = &exports.Citation{EntryID: "ent_a"}
	f := &files{data: map[string][]byte{}}
	publish(t, f, map[string]*entryfacts.EntryFacts{"ent_a": cited})
	root, err := segment.ParseRoot(f.data[segment.RootKey])
	if err != nil {
		t.Fatal(err)
	}
	root.Frame = nil
	f.data[segment.RootKey] = root.Append(nil)
	reader := Files{Source: f, SpellPage: func(*exports.PageFrame, *entryfacts.EntryFacts) ([]byte, error) { return []byte("a page"), nil }}
	if got, err := reader.Read(t.Context(), "citations/ent_a/index.html"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %q, %v", got, err)
	}
}
