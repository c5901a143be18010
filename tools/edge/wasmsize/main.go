// Command wasmsize prints what each Go package adds to a Wasm module, and
// fails when the module that ships is over its limit.
//
//	wasmsize [-limit KiB] [-top N] NAMED.wasm SHIPPED.wasm
//
// NAMED still has the name section that tells which function is whose; SHIPPED
// is the same module without it. The limit is on SHIPPED, gzipped.
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"

	"colophon/tools/edge/wasmfile"
)

func main() {
	limit := flag.Int("limit", 672, "most KiB the shipped module may have gzipped")
	top := flag.Int("top", 24, "how many packages to list")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), flag.Arg(1), *limit, *top); err != nil {
		fmt.Fprintln(os.Stderr, "wasmsize:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, named, shipped string, limit, top int) error {
	raw, err := os.ReadFile(named)
	if err != nil {
		return err
	}
	m, err := wasmfile.Parse(raw)
	if err != nil {
		return fmt.Errorf("%q: %w", named, err)
	}
	final, err := os.ReadFile(shipped)
	if err != nil {
		return err
	}
	small, err := gzipped(final)
	if err != nil {
		return err
	}
	list(w, m, top)
	fmt.Fprintf(w, "%-44s %7.1f KiB, %.1f KiB gzipped (limit %d)\n", shipped, kib(len(final)), kib(small), limit)
	if small > limit<<10 {
		return fmt.Errorf("%q has %d bytes gzipped, over the limit of %d KiB", shipped, small, limit)
	}
	return nil
}

func list(w io.Writer, m *wasmfile.Module, top int) {
	packages := sizeByPackage(m)
	names := make([]string, 0, len(packages))
	for name := range packages {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(packages[b]-packages[a], cmp.Compare(a, b))
	})
	fmt.Fprintf(w, "%-44s %7s\n", "code by package", "KiB")
	rest := 0
	for i, name := range names {
		if i >= top {
			rest += packages[name]
			continue
		}
		fmt.Fprintf(w, "  %-42s %7.1f\n", name, kib(packages[name]))
	}
	if rest > 0 {
		fmt.Fprintf(w, "  %-42s %7.1f\n", fmt.Sprintf("%d more", len(names)-top), kib(rest))
	}
	fmt.Fprintf(w, "%-44s %7.1f\n", "constants and globals", kib(m.Data))
}

func kib(n int) float64 { return float64(n) / 1024 }

// gzipped is the size of b by the compressor of published files. That of the
// standard library takes a percent more, gzip(1) -9 a percent less.
func gzipped(b []byte) (int, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return 0, err
	}
	if _, err := z.Write(b); err != nil {
		return 0, err
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return out.Len(), nil
}
