package query_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/generator/corpus"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/query"
)

// asks are questions that together read every family of file.
func asks(w *world) map[string]func(c *query.Catalog) (int64, error) {
	ctx := context.Background()
	e := w.corpus.Page(3)
	total := func(p exports.Page, err error) (int64, error) { return p.Total, err }
	return map[string]func(c *query.Catalog) (int64, error){
		"one word": func(c *query.Catalog) (int64, error) {
			r, err := c.SearchCatalog(ctx, query.Ask{Q: "news"})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"two words": func(c *query.Catalog) (int64, error) {
			r, err := c.SearchCatalog(ctx, query.Ask{Q: strings.Join(searchindex.Words(e.Title)[:2], " ")})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"feed": func(c *query.Catalog) (int64, error) {
			r, err := c.Feed(ctx, query.Ask{Offset: "120"}, false)
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"inventory": func(c *query.Catalog) (int64, error) {
			r, err := c.Inventory(ctx, e.SiteID, query.Ask{})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"url": func(c *query.Catalog) (int64, error) {
			r, err := c.Resolve(ctx, query.Lookup{URL: e.URL})
			if err != nil {
				return 0, err
			}
			return int64(len(r.Candidates)), nil
		},
		"fingerprint": func(c *query.Catalog) (int64, error) {
			r, err := c.Resolve(ctx, query.Lookup{Fingerprint: e.Digest})
			if err != nil {
				return 0, err
			}
			return int64(len(r.Candidates)), nil
		},
		"publishers": func(c *query.Catalog) (int64, error) {
			r, err := c.PartnerCatalog(ctx, query.Ask{}, query.PublisherFilter{Verified: "1"})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
	}
}

// touched records which files a question reads.
type touched struct {
	files
	keys map[string]bool
}

func (t touched) Read(ctx context.Context, key string) ([]byte, error) {
	t.keys[key] = true
	return t.files.Read(ctx, key)
}

// TestMissingAndDamagedFiles: a file that is missing, cut, emptied or swapped
// is an outage, never another answer.
func TestMissingAndDamagedFiles(t *testing.T) {
	w := newWorld(t, 10, 2500, 1)
	for name, ask := range asks(w) {
		seen := touched{w.files, map[string]bool{}}
		want, err := ask(query.New(seen, time.Now))
		if err != nil || want == 0 {
			t.Fatalf("%s: %d, %v", name, want, err)
		}
		for key := range seen.keys {
			good := w.files[key]
			for _, bad := range [][]byte{nil, {}, good[:len(good)/2], good[:len(good)-1], append(bytes.Clone(good), 'x'), append([]byte("x"), good...)} {
				w.files[key] = bad
				if bad == nil {
					delete(w.files, key)
				}
				if got, err := ask(query.New(w.files, time.Now)); codeOf(err) != "index_unavailable" {
					t.Errorf("%s, %s of %d bytes instead of %d: %d, %v", name, key, len(bad), len(good), got, err)
				}
			}
			for other, b := range w.files {
				if other != key && !bytes.Equal(b, good) && family(other) == family(key) {
					w.files[key] = b
					if got, err := ask(query.New(w.files, time.Now)); err == nil && got != want {
						t.Errorf("%s, %s swapped for %s: %d, want %d", name, key, other, got, want)
					}
					break
				}
			}
			w.files[key] = good
		}
	}
}

func family(key string) string { return key[:strings.LastIndexByte(key, '/')] }

// TestSameBytes: the number of processors does not matter, nor the folder.
func TestSameBytes(t *testing.T) {
	c := corpus.New(corpus.Options{Publishers: 20, Pages: 3000, Seed: 4})
	one, many := files{}, files{}
	before := runtime.GOMAXPROCS(1)
	built(t, one, c.Source(), nil)
	runtime.GOMAXPROCS(4)
	built(t, many, c.Source(), nil)
	runtime.GOMAXPROCS(before)
	if len(one) != len(many) {
		t.Fatalf("%d and %d files", len(one), len(many))
	}
	for key, b := range one {
		if !bytes.Equal(b, many[key]) {
			t.Errorf("%s differs", key)
		}
	}
}
