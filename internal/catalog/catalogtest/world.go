// Package catalogtest publishes an invented catalog for tests.
package catalogtest

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/release"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Files are published files in memory.
type Files map[string][]byte

// Read returns a file.
func (f Files) Read(_ context.Context, key string) ([]byte, error) {
	if b, ok := f[key]; ok {
		return b, nil
	}
	return nil, fs.ErrNotExist
}

// tester is a test or a property.
type tester interface {
	Helper()
	Fatal(...any)
}

// Build builds a source, beside what is published already.
func Build(t tester, into Files, src corpus.Source) staticindex.Index {
	t.Helper()
	x, err := BuildIndex(context.Background(), src, indexbuild.Options{Put: func(k exports.Key, data []byte) error {
		if _, twice := into[string(k)]; twice && k != staticindex.IndexKey {
			return errors.New(string(k) + " is put twice")
		}
		into[string(k)] = data
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// BuildIndex makes an index of src, holds it in memory, and then puts its files
// one after the other, named by their digests, and staticindex.IndexKey last.
func BuildIndex(ctx context.Context, src corpus.Source, opt indexbuild.Options) (x staticindex.Index, err error) {
	put, mu, files := opt.Put, sync.Mutex{}, map[string][]byte{}
	opt.Put = func(key exports.Key, data []byte) error {
		mu.Lock()
		defer mu.Unlock()
		files[string(key)] = bytes.Clone(data)
		return nil
	}
	b, err := indexbuild.New(src.Source, opt)
	if err != nil {
		return x, err
	}
	defer b.Close()
	if src.Entries != nil {
		for e, err := range src.Entries {
			if err = errors.Join(err, ctx.Err()); err != nil {
				return x, err
			}
			if _, err := b.AddEntry(&e); err != nil {
				return x, err
			}
		}
	}
	if x, _, err = b.Write(ctx, src.Release); err != nil {
		return x, err
	}
	folder := staticindex.Prefix(staticindex.Unnamed)
	var listed []release.File
	for name, data := range files {
		if strings.HasPrefix(name, folder) {
			listed = append(listed, release.FileOf(name, data))
		}
	}
	_, x.Current.Gen, _ = indexbuild.ListFiles(folder, listed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := put(exports.Key(strings.Replace(name, folder, staticindex.Prefix(x.Current.Gen), 1)), files[name]); err != nil {
			return x, err
		}
	}
	err = put(staticindex.IndexKey, wire.Append(nil, &x))
	return x, err
}

// World is a catalog and what it was made of.
type World struct {
	Corpus *corpus.Generator
	Files  Files
	Index  staticindex.Index
	*catalog.Reader
}

// NewWorld publishes a corpus.
func NewWorld(t testing.TB, publishers, pages int, seed uint64) *World {
	t.Helper()
	w := &World{Corpus: corpus.New(corpus.Options{Publishers: publishers, Pages: pages, Seed: seed}), Files: Files{}}
	w.Index = Build(t, w.Files, w.Corpus.Source())
	w.Reader = catalog.New(w.Files, time.Now)
	return w
}

// Root opens an index.
func (w *World) Root(t testing.TB, name string) *searchindex.Root {
	t.Helper()
	root, err := searchindex.DecodeRoot(w.Files[string(searchindex.RootKey(w.Index.Current.Gen, name))])
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// Numbered returns all registered pages of the index in the order of their
// numbers.
func (w *World) Numbered(t testing.TB) []searchindex.Doc {
	t.Helper()
	gen := w.Index.Current.Gen
	var out []searchindex.Doc
	root := w.Root(t, searchindex.Entries)
	for number := range uint32(root.Slots()) {
		id, line := root.BlockOf(number)
		k, err := staticindex.DecodeBlock(w.Files[string(searchindex.BlockKey(gen, searchindex.Entries, id))], id.Group, id.N)
		if err != nil {
			t.Fatal(err)
		}
		d, err := searchindex.LoadDoc(k[line])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// CodeOf returns the code of an error of the catalog, "" for another one or
// none.
func CodeOf(err error) string {
	var e *staticindex.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Touched records which files a question reads.
type Touched struct {
	Files
	Keys map[string]bool
}

// Read returns a file.
func (t Touched) Read(ctx context.Context, key string) ([]byte, error) {
	t.Keys[key] = true
	return t.Files.Read(ctx, key)
}

// Endings returns the words that go on where w ends: the first 96 with it, and
// those that follow in the same leaf; and so many common ones at most.
func Endings(counts map[string]int, root *searchindex.Root, w string, wide int) (out []string) {
	leaf, n := 0, 0
	for _, x := range slices.Sorted(maps.Keys(counts)) {
		if !strings.HasPrefix(x, w) {
			continue
		}
		if counts[x] >= searchindex.CommonFrom {
			if wide--; wide >= 0 && x != w {
				out = append(out, x)
			}
			continue
		}
		at := root.LeafOf(x)
		if at != leaf && n >= 96 {
			continue
		}
		leaf = at
		if n++; x != w {
			out = append(out, x)
		}
	}
	return out
}
