package query_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/corpus"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/searchindex/query"
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
func built(t tester, into files, src indexer.Source, before *searchindex.Index) searchindex.Index {
	t.Helper()
	var earlier []searchindex.Generation
	if before != nil {
		earlier = append([]searchindex.Generation{before.Current}, before.Earlier...)
	}
	x, _, err := indexer.Build(context.Background(), src, indexer.Options{Earlier: earlier, Put: func(k exports.Key, data []byte) error {
		if _, twice := into[string(k)]; twice && k != searchindex.IndexKey {
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
	index  searchindex.Index
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
func (w *world) root(t testing.TB, name string) *searchindex.Root {
	t.Helper()
	root, err := searchindex.DecodeRoot(w.files[string(searchindex.RootKey(w.index.Current.Gen, name))])
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// numbered are all registered pages of the index in the order of their numbers.
func (w *world) numbered(t testing.TB) []searchindex.Doc {
	t.Helper()
	gen := w.index.Current.Gen
	var out []searchindex.Doc
	for n := range w.root(t, searchindex.Entries).Files() {
		k, err := searchindex.DecodeBlock(w.files[string(searchindex.BlockKey(gen, searchindex.Entries, n))], n)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range k {
			d, err := searchindex.LoadDoc(s)
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
