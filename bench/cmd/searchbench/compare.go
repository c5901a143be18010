package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"time"

	"colophon/internal/catalog"
	"colophon/internal/demo/corpus"
	"colophon/internal/staticindex"
)

// compare writes the figures that tools/search/pagefind.mjs compares with its
// own: seconds of the whole build minus those of inventing the pages, files and
// bytes of the search index by kind (words, records), and for the first hundred
// queries the bytes and files of a first query with ten hits, including the
// opening of the index.
func compare(ctx context.Context, c *corpus.Generator, dir string, s sizes, seconds, cpu float64, to string) error {
	began, used := time.Now(), cpuSeconds()
	for _, err := range c.Source().Entries {
		if err != nil {
			return err
		}
	}
	seconds, cpu = seconds-time.Since(began).Seconds(), cpu-(cpuSeconds()-used)
	x := struct {
		Pages   int                 `json:"pages"`
		Seconds float64             `json:"seconds"`
		CPU     float64             `json:"cpu"`
		Index   map[string][2]int64 `json:"index"`
		Bytes   []int64             `json:"bytes"`
		Files   []int64             `json:"files"`
		Found   int                 `json:"found"`
	}{Pages: c.Pages, Seconds: seconds, CPU: cpu, Index: map[string][2]int64{}}
	for family, n := range s {
		kind, ok := map[string]string{"e/root.idx": "words", "e/t": "words", "e/l": "words", "e/d": "records"}[family]
		if ok {
			had := x.Index[kind]
			x.Index[kind] = [2]int64{had[0] + n.files, had[1] + n.bytes}
		}
	}
	for k := range 100 {
		f := &folder{dir: dir}
		a, err := catalog.New(f, time.Now).SearchCatalog(ctx, staticindex.Ask{Q: c.Query(k).Q, Limit: "10"})
		if err != nil {
			return err
		}
		x.Bytes, x.Files = append(x.Bytes, f.bytes), append(x.Files, f.reads)
		if a.Page.Total > 0 {
			x.Found++
		}
	}
	var b strings.Builder
	if err := json.NewEncoder(&b).Encode(&x); err != nil {
		return err
	}
	return os.WriteFile(to, []byte(b.String()), 0o644)
}
