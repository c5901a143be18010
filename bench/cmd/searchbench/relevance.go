package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/catalog"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
)

// The relevance set: pages in several languages, and queries with the pages
// that a person would want, graded 1 to 3.
var (
	//go:embed relevance/pages.tsv
	judgedPages string
	//go:embed relevance/queries.tsv
	judgedQueries string
)

// memory is a set of published files in memory.
type memory map[string][]byte

// Read returns a file.
func (m memory) Read(_ context.Context, key string) ([]byte, error) {
	if b, ok := m[key]; ok {
		return b, nil
	}
	return nil, fs.ErrNotExist
}

// relevance runs every judged query and returns the mean nDCG@10 and that of
// each query.
func relevance(ctx context.Context) (mean float64, each map[string]float64, err error) {
	published, names := memory{}, map[string]string{}
	src := corpus.Source{Release: exports.Release{Name: "judged", GeneratedAt: "2026-01-01T00:00:00Z"}}
	src.Entries = func(yield func(indexbuild.Entry, error) bool) {
		lines := strings.Split(strings.TrimSpace(judgedPages), "\n")
		slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(strings.Split(a, "\t")[1], strings.Split(b, "\t")[1]) })
		for _, line := range lines {
			e := judged(strings.Split(line, "\t"))
			names[e.EntryID] = line[:3]
			if !yield(e, nil) {
				return
			}
		}
	}
	put := func(k exports.Key, b []byte) error {
		published[string(k)] = b
		return nil
	}
	if _, err := catalogtest.BuildIndex(ctx, src, indexbuild.Options{Put: put}); err != nil {
		return 0, nil, err
	}
	c := catalog.New(published, time.Now)
	each = map[string]float64{}
	for _, line := range strings.Split(strings.TrimSpace(judgedQueries), "\n") {
		q, wanted, _ := strings.Cut(line, "\t")
		r, err := c.SearchCatalog(ctx, staticindex.Ask{Q: q, Limit: "10"})
		if err != nil {
			return 0, nil, err
		}
		var got []string
		for i := range r.Data {
			got = append(got, names[r.Data[i].EntryID])
		}
		each[q] = gain(got, wanted)
		mean += each[q]
	}
	return mean / float64(len(each)), each, nil
}

func judged(f []string) indexbuild.Entry {
	var e indexbuild.Entry
	e.SiteID, e.Publisher, e.Section, e.Language, e.Title = f[1], f[2], f[3], f[4], f[5]
	e.Terms = strings.Split(f[6], ", ")
	e.URL = "https://" + e.SiteID + ".example/" + f[0]
	e.EntryID = urlkey.EntryID(e.SiteID, e.URL)
	e.RegisteredAt, e.RightsVector, e.ContentFormat = "2026-01-01T00:00:00Z", "UUUUUUUU", "html"
	return e
}

// gain returns nDCG@10 with gains 2^grade - 1.
func gain(got []string, wanted string) float64 {
	grades := map[string]int{}
	var ideal []int
	for _, w := range strings.Fields(wanted) {
		g := int(w[4] - '0')
		grades[w[:3]] = g
		ideal = append(ideal, g)
	}
	slices.Sort(ideal)
	slices.Reverse(ideal)
	dcg := func(n int, grade func(i int) int) (sum float64) {
		for i := range min(n, 10) {
			sum += (math.Exp2(float64(grade(i))) - 1) / math.Log2(float64(i+2))
		}
		return sum
	}
	return dcg(len(got), func(i int) int { return grades[got[i]] }) / dcg(len(ideal), func(i int) int { return ideal[i] })
}

func judge(ctx context.Context, out io.Writer) error {
	mean, each, err := relevance(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "relevance: nDCG@10 %.3f over %d judged questions", mean, len(each))
	for q, g := range each {
		if g < 0.5 {
			fmt.Fprintf(out, "; %q %.2f", q, g)
		}
	}
	fmt.Fprintln(out)
	return nil
}
