package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"syscall"

	"colophon/exports"
)

// size is how many files of an index there are and how many bytes they have.
type size struct{ files, bytes int64 }

// sizes has the files of an index by family, such as e/t or p.
type sizes map[string]size

// add counts a file.
func (s sizes) add(key exports.Key, bytes int) {
	parts := strings.Split(string(key), "/") // _ix/0123456789abcdef/e/t/x74.idx
	if len(parts) < 4 {
		return
	}
	family := parts[2]
	if strings.Contains("eclmob", family) && len(family) == 1 {
		family += "/" + parts[3]
	}
	n := s[family]
	s[family] = size{n.files + 1, n.bytes + int64(bytes)}
}

// families prints files and bytes by family; e/ is the search index.
func families(out io.Writer, s sizes, pages int) {
	var files, bytes, allFiles, allBytes int64
	for _, name := range slices.Sorted(maps.Keys(s)) {
		n := s[name]
		fmt.Fprintf(out, "  %-12s %7d files %11d B  mean %7d B  %6.1f B a page\n", name, n.files, n.bytes, n.bytes/n.files, float64(n.bytes)/float64(max(1, pages)))
		allFiles, allBytes = allFiles+n.files, allBytes+n.bytes
		if strings.HasPrefix(name, "e/") {
			files, bytes = files+n.files, bytes+n.bytes
		}
	}
	fmt.Fprintf(out, "  all %d files, %d B, %.0f B a page\n", allFiles, allBytes, float64(allBytes)/float64(max(1, pages)))
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
