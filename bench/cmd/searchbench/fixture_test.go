package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/corpus"
	"colophon/generator/index"
	"colophon/internal/provenance"
	"colophon/worker/query"
)

// files are published files in memory.
type files map[string][]byte

func (f files) Read(_ context.Context, key string) ([]byte, error) {
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

// built builds a source on top of what is published already.
func built(t tester, into files, src index.Source, before *exports.Index) exports.Index {
	t.Helper()
	var earlier []exports.Generation
	if before != nil {
		earlier = append([]exports.Generation{before.Current}, before.Earlier...)
	}
	x, _, err := index.Build(context.Background(), src, index.Options{Earlier: earlier, SpreadFrom: 1, Put: func(k exports.Key, data []byte) error {
		if _, twice := into[string(k)]; twice && k != exports.IndexKey {
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

type world struct {
	corpus *corpus.Corpus
	files  files
	index  exports.Index
	*query.Catalog
}

// newWorld publishes a corpus.
func newWorld(t testing.TB, publishers, pages int, seed uint64) *world {
	t.Helper()
	w := &world{corpus: corpus.New(corpus.Options{Publishers: publishers, Pages: pages, Seed: seed}), files: files{}}
	w.index = built(t, w.files, w.corpus.Source(), nil)
	w.Catalog = query.New(w.files, time.Now)
	return w
}

// root opens an index.
func (w *world) root(t testing.TB, name string) *exports.Root {
	t.Helper()
	root, err := exports.DecodeRoot(w.files[string(exports.RootKey(w.index.Current.Gen, name))])
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// numbered are all registered pages of the index in the order of their numbers.
func (w *world) numbered(t testing.TB) []exports.Doc {
	t.Helper()
	gen := w.index.Current.Gen
	var out []exports.Doc
	for n := range w.root(t, exports.IndexEntries).Files() {
		k, err := exports.DecodeBlock(w.files[string(exports.BlockKey(gen, exports.IndexEntries, n))], n)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range k {
			d, err := exports.LoadDoc(s, provenance.EntryID)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, d)
		}
	}
	return out
}

func (f files) clone() files { return maps.Clone(f) }

func codeOf(err error) string {
	var e *query.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
