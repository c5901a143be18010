package main

import (
	"fmt"
	"io"
	"slices"
	"syscall"

	"colophon/internal/indexbuild"
)

// families prints files and bytes by family; e/ is the search index.
func families(out io.Writer, s *indexbuild.Stats, pages int) {
	var names []string
	var files, bytes int64
	for name := range s.FilesBy {
		names = append(names, name)
		if len(name) > 2 && name[:2] == "e/" {
			files += s.FilesBy[name]
			bytes += s.BytesBy[name]
		}
	}
	slices.Sort(names)
	for _, name := range names {
		n := max(1, s.FilesBy[name])
		fmt.Fprintf(out, "  %-12s %7d files %11d B  mean %7d B  %6.1f B a page\n", name, s.FilesBy[name], s.BytesBy[name], s.BytesBy[name]/n, float64(s.BytesBy[name])/float64(max(1, pages)))
	}
	fmt.Fprintf(out, "  search index %d files, %d B, %.0f B a page\n", files, bytes, float64(bytes)/float64(max(1, pages)))
}

func usage() syscall.Rusage {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // it cannot fail for this process
	return r
}

func cpuSeconds() float64 {
	r := usage()
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

func peakMiB() int64 { return usage().Maxrss / 1024 }

// spread returns the quantiles of a figure.
func spread(v []int64) string {
	slices.Sort(v)
	at := func(p float64) int64 { return v[min(len(v)-1, int(p*float64(len(v))))] }
	return fmt.Sprintf("%7d %7d %7d %7d", at(0.5), at(0.95), at(0.99), v[len(v)-1])
}
