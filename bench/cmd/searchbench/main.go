// Command searchbench measures the static index: it builds one from a synthetic
// corpus, sends it queries, and prints what the build cost and how many files
// and bytes each query read.
//
//	searchbench -pages 100000 -publishers 1000
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"colophon/exports"
	"colophon/internal/catalog/catalogtest"
	"colophon/internal/demo/corpus"
	"colophon/internal/indexbuild"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "searchbench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("searchbench", flag.ContinueOnError)
	pages := fs.Int("pages", 10_000, "registered pages")
	publishers := fs.Int("publishers", 0, "publishers; 0 is a hundredth of the pages")
	seed := fs.Uint64("seed", 1, "seed of the corpus")
	queries := fs.Int("queries", 1000, "questions to ask")
	dir := fs.String("dir", "", "folder for the index; \"\" is a temporary one that is removed")
	figures := fs.String("json", "", "also write the figures that tools/search compares into this file")
	base := fs.String("base", "", "only ask the service at this address, which has the index in -dir")
	only := fs.Bool("index", false, "only build the index into -dir")
	pagesTo := fs.String("html", "", "only write the corpus as HTML pages into this folder")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *publishers == 0 {
		*publishers = max(1, *pages/100)
	}
	c := corpus.New(corpus.Options{Publishers: *publishers, Pages: *pages, Seed: *seed})
	if *pagesTo != "" {
		return writeHTML(c, *pagesTo, *queries)
	}
	if *base != "" {
		return served(ctx, c, *base, *dir, *queries, out)
	}
	if *dir == "" {
		tmp, err := os.MkdirTemp("", "searchbench-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		*dir = tmp
	}
	used := cpuSeconds()
	stats, seconds, err := build(ctx, c, *dir, out)
	if err != nil {
		return err
	}
	if *only {
		return nil
	}
	if *figures != "" {
		if err := compare(ctx, c, *dir, stats, seconds, cpuSeconds()-used, *figures); err != nil {
			return err
		}
	}
	if err := ask(ctx, c, *dir, *queries, out); err != nil {
		return err
	}
	if err := lookUp(ctx, c, *dir, *queries, out); err != nil {
		return err
	}
	return judge(ctx, out)
}

// build builds the index into a folder.
func build(ctx context.Context, c *corpus.Generator, dir string, out io.Writer) (sizes, float64, error) {
	from := time.Now()
	cpu := cpuSeconds()
	made := map[string]bool{}
	stats := sizes{}
	_, err := catalogtest.BuildIndex(ctx, c.Source(), indexbuild.Options{Temp: dir, Put: func(k exports.Key, data []byte) error {
		stats.add(k, len(data))
		name := filepath.Join(dir, filepath.FromSlash(string(k)))
		if parent := filepath.Dir(name); !made[parent] {
			if err := os.MkdirAll(parent, 0o755); err != nil {
				return err
			}
			made[parent] = true
		}
		return os.WriteFile(name, data, 0o644)
	}})
	if err != nil {
		return stats, 0, err
	}
	wall := time.Since(from).Seconds()
	fmt.Fprintf(out, "pages %d  publishers %d\n", c.Pages, c.Options.Publishers)
	fmt.Fprintf(out, "build %.1f s wall, %.1f s CPU, %.0f pages/s, peak %d MiB (corpus made on the fly)\n", wall, cpuSeconds()-cpu, float64(c.Pages)/wall, peakMiB())
	families(out, stats, c.Pages)
	return stats, wall, nil
}
