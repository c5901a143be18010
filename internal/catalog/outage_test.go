package catalog_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/listing"
	"colophon/internal/lookup"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// asks are queries that together read every family of files.
func asks(w *catalogtest.World) map[string]func(c *catalog.Reader) (int64, error) {
	ctx := context.Background()
	e := w.Corpus.Page(3)
	total := func(p exports.Page, err error) (int64, error) { return p.Total, err }
	return map[string]func(c *catalog.Reader) (int64, error){
		"one word": func(c *catalog.Reader) (int64, error) {
			r, err := c.SearchCatalog(ctx, staticindex.Ask{Q: "news"})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"two words": func(c *catalog.Reader) (int64, error) {
			r, err := c.SearchCatalog(ctx, staticindex.Ask{Q: strings.Join(searchindex.Words(e.Title)[:2], " ")})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"feed": func(c *catalog.Reader) (int64, error) {
			r, err := c.Feed(ctx, staticindex.Ask{Offset: "120"}, false)
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"inventory": func(c *catalog.Reader) (int64, error) {
			r, err := c.Inventory(ctx, e.SiteID, staticindex.Ask{})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
		"url": func(c *catalog.Reader) (int64, error) {
			r, err := c.Resolve(ctx, lookup.Query{URL: e.URL})
			if err != nil {
				return 0, err
			}
			return int64(len(r.Candidates)), nil
		},
		"fingerprint": func(c *catalog.Reader) (int64, error) {
			r, err := c.Resolve(ctx, lookup.Query{Fingerprint: e.Digest})
			if err != nil {
				return 0, err
			}
			return int64(len(r.Candidates)), nil
		},
		"publishers": func(c *catalog.Reader) (int64, error) {
			r, err := c.PartnerCatalog(ctx, staticindex.Ask{}, listing.PublisherFilter{Verified: "1"})
			if err != nil {
				return 0, err
			}
			return total(r.Page, nil)
		},
	}
}

// TestMissingAndDamagedFiles checks that a file which is missing, cut, emptied
// or swapped is an outage and never another answer.
func TestMissingAndDamagedFiles(t *testing.T) {
	w := catalogtest.NewWorld(t, 10, 2500, 1)
	for name, ask := range asks(w) {
		seen := catalogtest.Touched{Files: w.Files, Keys: map[string]bool{}}
		want, err := ask(catalog.New(seen, time.Now))
		if err != nil || want == 0 {
			t.Fatalf("%s: %d, %v", name, want, err)
		}
		for key := range seen.Keys {
			good, published := w.Files[key]
			if !published { // nothing is withdrawn
				continue
			}
			for _, bad := range [][]byte{nil, {}, good[:len(good)/2], good[:len(good)-1], append(bytes.Clone(good), 'x'), append([]byte("x"), good...)} {
				w.Files[key] = bad
				if bad == nil {
					delete(w.Files, key)
				}
				if got, err := ask(catalog.New(w.Files, time.Now)); catalogtest.CodeOf(err) != "index_unavailable" {
					t.Errorf("%s, %s of %d bytes instead of %d: %d, %v", name, key, len(bad), len(good), got, err)
				}
			}
			for other, b := range w.Files {
				if other != key && !bytes.Equal(b, good) && family(other) == family(key) {
					w.Files[key] = b
					if got, err := ask(catalog.New(w.Files, time.Now)); err == nil && got != want {
						t.Errorf("%s, %s swapped for %s: %d, want %d", name, key, other, got, want)
					}
					break
				}
			}
			w.Files[key] = good
		}
	}
}

func family(key string) string { return key[:strings.LastIndexByte(key, '/')] }

// TestSameBytes checks that neither the number of processors nor the folder
// changes the bytes.
func TestSameBytes(t *testing.T) {
	c := corpus.New(corpus.Options{Publishers: 20, Pages: 3000, Seed: 4})
	one, many := catalogtest.Files{}, catalogtest.Files{}
	before := runtime.GOMAXPROCS(1)
	catalogtest.Build(t, one, c.Source())
	runtime.GOMAXPROCS(4)
	catalogtest.Build(t, many, c.Source())
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

// TestFormerIndex checks that an index of the previous format is refused at its
// first file.
func TestFormerIndex(t *testing.T) {
	w := catalogtest.NewWorld(t, 2, 20, 1)
	key := string(staticindex.IndexKey)
	first := bytes.Replace(w.Files[key], []byte("static-index.v5"), []byte("static-index.v4"), 1)
	if bytes.Equal(first, w.Files[key]) {
		t.Fatal("the first file does not name its format")
	}
	w.Files[key] = first
	_, err := catalog.New(w.Files, time.Now).SearchCatalog(context.Background(), staticindex.Ask{Q: "news"})
	if catalogtest.CodeOf(err) != "index_unavailable" {
		t.Errorf("%v", err)
	}
}
