package document

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"colophon/internal/segment"
)

const generation = "_ix/0123456789abcdef/"

func TestIndexFolder(t *testing.T) {
	for key, want := range map[string]string{
		generation + "e/root.idx":               generation,
		generation + "root.json":                generation,
		generation:                              generation,
		"_ix/0123456789abcdef":                  "",
		"_ix/0123/e/root.idx":                   "",
		"_sandbox/_ix/0123456789abcdef/e/1.idx": "", // always files
		"_other/_ix/0123456789abcdef/e/1.idx":   "",
		"v1/_index.json":                        "",
	} {
		if got, ok := IndexFolder(key); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", key, got, ok, want)
		}
	}
}

// publishIndex puts 300 files into the segments of a generation, in 32 objects that
// a directory names.
func publishIndex(t *testing.T, f *files, profile segment.Profile) (names []string) {
	t.Helper()
	var values []segment.Value
	for i := range 300 {
		name := fmt.Sprintf("%se/t/00/%02x.idx", generation, i)
		names = append(names, name)
		values = segment.Merge(values, []segment.Value{{Key: segment.KeyOf(name), Data: AppendFile(nil, name, indexFile(i))}})
	}
	put := func(key string, data []byte) error { return f.put(segment.KeyBelow(generation, key), data) }
	s, err := segment.WriteShape(t.Context(), segment.Shape{PrefixBits: 5, BucketBits: 5}, segment.SlicesOf(values), put)
	if err != nil {
		t.Fatal(err)
	}
	s.Bytes = 32 * 200 << 10 // as if they were large: packs are read by range
	root := segment.Root{Profile: profile, Layers: []segment.Layer{{Entries: s}}}
	f.data[IndexRootKey(generation)] = root.Append(nil)
	return names
}

func indexFile(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i) } // the first one is empty

func TestFilesOfTheIndex(t *testing.T) {
	for _, profile := range []segment.Profile{segment.Pages, segment.Packs} {
		f := &files{data: map[string][]byte{}}
		names := publishIndex(t, f, profile)
		manifest := generation + "files.txt"
		f.data[manifest] = []byte("a file beside them")
		index := &Generations{}
		for i, name := range names {
			f.reads = nil
			got, err := Files{Source: ranged{f}, Index: index}.Read(t.Context(), name)
			if err != nil || !bytes.Equal(got, indexFile(i)) {
				t.Fatalf("%s: %q, %v", name, got, err)
			}
			most := MaxIndexReads
			if i == 0 { // the missing file and the root
				most += 2
			}
			if len(f.reads) > most {
				t.Errorf("%s took %d reads: %q", name, len(f.reads), f.reads)
			}
			got, err = Files{Source: ranged{f}}.Read(t.Context(), name)
			if err != nil || !bytes.Equal(got, indexFile(i)) {
				t.Fatalf("%s, with nothing remembered: %q, %v", name, got, err)
			}
		}
		reader := Files{Source: ranged{f}, Index: index}
		for _, key := range []string{manifest, IndexRootKey(generation)} {
			if got, err := reader.Read(t.Context(), key); err != nil || !bytes.Equal(got, f.data[key]) {
				t.Errorf("%s: %q, %v", key, got, err)
			}
		}
		for _, key := range []string{generation + "e/none.idx", "_ix/fedcba9876543210/e/root.idx"} {
			if got, err := reader.Read(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %q, %v; want none", key, got, err)
			}
		}
	}
}

// TestFaultsOfTheIndex harms what a reader knows, and what it does not know yet: a
// file of the index is never told as missing by that, and comes back.
func TestFaultsOfTheIndex(t *testing.T) {
	objects := func(f *files, harm func(key string)) {
		for key := range maps.Clone(f.data) {
			if strings.HasSuffix(key, ".idx") {
				harm(key)
			}
		}
	}
	for name, harm := range map[string]func(*files){
		"missing objects": func(f *files) { objects(f, func(key string) { delete(f.data, key) }) },
		"damaged objects": func(f *files) { objects(f, func(key string) { f.data[key] = []byte("CSG1") }) },
		"a damaged root": func(f *files) {
			f.data[IndexRootKey(generation)] = []byte("{}")
			objects(f, func(key string) { delete(f.data, key) })
		},
	} {
		for _, known := range []bool{false, true} {
			f := &files{data: map[string][]byte{}}
			names := publishIndex(t, f, segment.Pages)
			sound := maps.Clone(f.data)
			reader := Files{Source: f, Index: &Generations{}}
			if known {
				if _, err := reader.Read(t.Context(), names[1]); err != nil {
					t.Fatal(err)
				}
			}
			harm(f)
			got, err := reader.Read(t.Context(), names[2])
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s, known before %v: %q, %v", name, known, got, err)
			}
			f.data = sound
			if got, err = reader.Read(t.Context(), names[2]); err != nil || !bytes.Equal(got, indexFile(2)) {
				t.Errorf("%s, mended: %q, %v", name, got, err)
			}
		}
	}
}

// TestIndexInAnotherForm publishes a generation again: its name does not depend on
// the form.
func TestIndexInAnotherForm(t *testing.T) {
	packed := &files{data: map[string][]byte{}}
	names := publishIndex(t, packed, segment.Pages)
	plain := map[string][]byte{}
	for i, name := range names {
		plain[name] = indexFile(i)
	}
	f := &files{data: plain}
	reader := Files{Source: f, Index: &Generations{}}
	for _, published := range []map[string][]byte{plain, packed.data, plain, packed.data} {
		f.data = published
		for i, name := range names {
			if got, err := reader.Read(t.Context(), name); err != nil || !bytes.Equal(got, indexFile(i)) {
				t.Fatalf("%s: %q, %v", name, got, err)
			}
		}
	}
}
