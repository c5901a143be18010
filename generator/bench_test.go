package generator

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/generator/target"
	"colophon/internal/origin"
	"colophon/internal/processcost"
)

// BenchmarkBuild builds 1,000 and 20,000 pages, builds again without changes
// and with 100 changed pages, and for comparison writes the same files with the
// same bytes. It reports pages per second, CPU time per page, peak memory, the
// ratio of building to writing, and the times of the small builds.
func BenchmarkBuild(b *testing.B) {
	var perPage []float64
	for _, pages := range []int{1000, 20000} {
		b.Run(fmt.Sprintf("pages=%d", pages), func(b *testing.B) {
			for b.Loop() {
				perPage = append(perPage, measureBuild(b, pages))
			}
		})
	}
	if len(perPage) == 2 {
		b.Logf("memory per page: %.0f B at 1,000 pages, %.0f B at 20,000", perPage[0], perPage[1])
	}
}

// measureBuild returns by how many bytes of memory for each page a build grew.
func measureBuild(b *testing.B, pages int) float64 {
	root := b.TempDir()
	store := openStore(b, filepath.Join(root, "origin.db"))
	for _, id := range []string{"alpha", "beta", "gamma", "delta"} {
		addSite(b, store, id)
		for n := range pages / 4 {
			addPage(b, store, id, n)
		}
	}
	dir := filepath.Join(root, "dist")
	debug.FreeOSMemory()
	before := resident()
	peak := watchMemory()
	cpu := processcost.CPU()
	report := build1(b, store, dir, runtime.GOMAXPROCS(0))
	cpu = processcost.CPU() - cpu
	grown := peak() - before
	again := build1(b, store, dir, runtime.GOMAXPROCS(0))
	editPages(b, store, 100)
	edited := build1(b, store, dir, runtime.GOMAXPROCS(0))
	floor := writeSame(b, dir, filepath.Join(root, "floor"))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(pages)/report.Duration.Seconds(), "pages/s")
	b.ReportMetric(float64(again.Duration.Milliseconds()), "ms-unchanged")
	b.ReportMetric(float64(edited.Duration.Milliseconds()), "ms-100-changed")
	b.ReportMetric(float64(edited.Changed), "files-100-changed")
	b.ReportMetric(float64(cpu.Microseconds())/float64(pages), "cpu-us/page")
	b.ReportMetric(float64(grown)/(1<<20), "peak-MiB")
	b.ReportMetric(report.Duration.Seconds()/floor.Seconds(), "x-floor")
	b.ReportMetric(float64(report.Files), "files")
	return float64(grown) / float64(pages)
}

// editPages gives n pages of the site alpha another title.
func editPages(b *testing.B, store origin.Catalog, n int) {
	pages, err := store.PagesOf(context.Background(), "alpha", "", n)
	must(b, err)
	for _, p := range pages {
		change(b, store, p, p.Title+", edited", "2026-09-01T00:00:00Z")
	}
}

// writeSame writes the files of a build from memory, with two writers.
func writeSame(b *testing.B, from, to string) time.Duration {
	files := readTree(b, from)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	start := time.Now()
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < len(names); i += 2 {
				path := filepath.Join(to, filepath.FromSlash(names[i]))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					b.Error(err)
				}
				if err := os.WriteFile(path, files[names[i]], 0o644); err != nil {
					b.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	must(b, target.SyncTree(to))
	return time.Since(start)
}

// resident returns the memory of this process, in bytes.
func resident() int64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var total, rss int64
	fmt.Sscan(strings.TrimSpace(string(data)), &total, &rss)
	return rss * int64(os.Getpagesize())
}

// watchMemory samples the memory until the returned function is called, which
// returns the peak.
func watchMemory() func() int64 {
	stop, out := make(chan struct{}), make(chan int64)
	go func() {
		peak := resident()
		for {
			select {
			case <-stop:
				out <- max(peak, resident())
				return
			case <-time.After(5 * time.Millisecond):
				peak = max(peak, resident())
			}
		}
	}()
	return func() int64 { close(stop); return <-out }
}
