package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"colophon/internal/catalog"
	"colophon/internal/demo/corpus"
	"colophon/internal/lookup"
	"colophon/internal/staticindex"
)

// folder reads files and counts its reads.
type folder struct {
	dir          string
	reads, bytes int64
}

func (f *folder) Read(_ context.Context, key string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(f.dir, filepath.FromSlash(key)))
	f.reads++
	f.bytes += int64(len(b))
	return b, err
}

func (f *folder) reset() { f.reads, f.bytes = 0, 0 }

// figures are the costs of queries of one kind.
type figures struct {
	reads, bytes, micros, totals []int64
	missing                      int
}

func ask(ctx context.Context, c *corpus.Generator, dir string, n int, out io.Writer) error {
	f := &folder{dir: dir}
	q := catalog.New(f, time.Now)
	if _, err := q.SearchCatalog(ctx, staticindex.Ask{Q: "warm", Limit: "0"}); err != nil {
		return err
	}
	fmt.Fprintf(out, "opening reads %d files, %d B, once for each isolate\n", f.reads, f.bytes)
	for _, limit := range []string{"10", "20"} {
		by := map[string]*figures{}
		for k := range n {
			one := c.Query(k)
			if err := measure(ctx, q, f, one, limit, by, one.Kind, "all"); err != nil {
				return err
			}
		}
		fmt.Fprintf(out, "limit %s   %-7s %33s   %31s   %31s   %31s\n", limit, "", "files p50 p95 p99 worst", "bytes p50 p95 p99 worst", "micros p50 p95 p99 worst", "total p50 p95 p99 worst")
		for _, kind := range []string{"one", "two", "three", "prefix", "typo", "common", "all"} {
			if x := by[kind]; x != nil {
				fmt.Fprintf(out, "  %-7s %5d   %s   %s   %s   %s   not found %d\n", kind, len(x.reads), spread(x.reads), spread(x.bytes), spread(x.micros), spread(x.totals), x.missing)
			}
		}
	}
	return nil
}

func measure(ctx context.Context, q *catalog.Reader, f *folder, one corpus.Query, limit string, by map[string]*figures, kinds ...string) error {
	f.reset()
	from := time.Now()
	a, err := q.SearchCatalog(ctx, staticindex.Ask{Q: one.Q, Limit: limit})
	if err != nil {
		return fmt.Errorf("%q: %w", one.Q, err)
	}
	micros := time.Since(from).Microseconds()
	seen := a.Page.Total > int64(len(a.Data))
	for i := range a.Data {
		seen = seen || a.Data[i].EntryID == one.From
	}
	for _, kind := range kinds {
		x := by[kind]
		if x == nil {
			x = &figures{}
			by[kind] = x
		}
		x.reads = append(x.reads, f.reads)
		x.bytes = append(x.bytes, f.bytes)
		x.micros = append(x.micros, micros)
		x.totals = append(x.totals, a.Page.Total)
		if !seen && one.Kind != "common" {
			x.missing++
		}
	}
	return nil
}

// lookUp measures lookups of addresses, entries and fingerprints.
func lookUp(ctx context.Context, c *corpus.Generator, dir string, n int, out io.Writer) error {
	f := &folder{dir: dir}
	q := catalog.New(f, time.Now)
	if _, err := q.Find(ctx, lookup.Query{EntryID: "none"}); err != nil {
		return err
	}
	var x figures
	for k := range n {
		e := c.Page(int(uint64(k) * 2654435761 % uint64(c.Pages)))
		l := []lookup.Query{{URL: e.URL}, {EntryID: e.EntryID}, {Fingerprint: e.Digest}, {Fingerprint: e.Registry}}[k%4]
		f.reset()
		from := time.Now()
		r, err := q.Resolve(ctx, l)
		if err != nil {
			return err
		}
		x.micros = append(x.micros, time.Since(from).Microseconds())
		if len(r.Candidates) != 1 || r.Candidates[0].EntryID != e.EntryID {
			x.missing++
		}
		x.reads = append(x.reads, f.reads)
		x.bytes = append(x.bytes, f.bytes)
	}
	fmt.Fprintf(out, "lookup     files %s   bytes %s   micros %s   not found %d\n", spread(x.reads), spread(x.bytes), spread(x.micros), x.missing)
	return nil
}

var _ staticindex.Assets = (*folder)(nil)
