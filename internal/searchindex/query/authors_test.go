package query_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/staticindex"
)

// authored returns a source of pages, one for each byline.
func authored(bylines [][]string) corpus.Source {
	return corpus.Source{
		Release: exports.Release{Name: "r.1", GeneratedAt: "2026-01-01T00:00:00Z", Root: "sha-256:" + strings.Repeat("0", 64)},
		Entries: func(yield func(indexbuild.Entry, error) bool) {
			for i, names := range bylines {
				e := indexbuild.Entry{LedgerIndex: -1, Byline: names}
				e.EntryID, e.SiteID, e.URL = "ent_"+strings.Repeat(strconv.Itoa(i), 26), "tides", "https://tides.example/"+strconv.Itoa(i)
				e.Title, e.RegisteredAt, e.RightsVector = "Page "+strconv.Itoa(i), "2026-01-01T00:00:00Z", "UUUUUUUU"
				if !yield(e, nil) {
					return
				}
			}
		},
		Source: indexbuild.Source{Publishers: []exports.Publisher{{PublisherSummary: exports.PublisherSummary{SiteID: "tides", Name: "Tides"}}}},
	}
}

// TestAuthorsFindTheirPages checks that a name is found however it is typed:
// with or without accents, and in either order.
func TestAuthorsFindTheirPages(t *testing.T) {
	published := catalogtest.Files{}
	catalogtest.Build(t, published, authored([][]string{{"Zoë Ångström"}, {"Łukasz Żółć", "Ada Tern"}, {"Tern, Ada"}, {"Nguyễn Thị Minh Khai"}, {"山田 太郎"}, nil}))
	c := catalog.New(published, time.Now)
	for q, want := range map[string][]string{
		"Zoë Ångström": {"Page 0"}, "zoe angstrom": {"Page 0"}, "Ångström, Zoë": {"Page 0"}, "ANGSTROM": {"Page 0"},
		"Łukasz Żółć": {"Page 1"}, "lukasz zolc": {"Page 1"}, "Żółć, Łukasz": {"Page 1"},
		"Ada Tern": {"Page 1", "Page 2"}, "Tern, Ada": {"Page 1", "Page 2"},
		"nguyen thi minh khai": {"Page 3"}, "Minh Khai": {"Page 3"}, "山田": {"Page 4"}, "太郎": {"Page 4"},
		"Ada Żółć": {"Page 1"}, "Ada Ångström": nil,
	} {
		got, err := c.SearchCatalog(context.Background(), staticindex.Ask{Q: q})
		must(t, err)
		var titles []string
		for _, h := range got.Data {
			titles = append(titles, h.Title)
		}
		slices.Sort(titles)
		if !slices.Equal(titles, want) {
			t.Errorf("%q finds %v, want %v", q, titles, want)
		}
	}
}
