package indexer

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"colophon/exports"
	"colophon/internal/staticindex"

	"github.com/klauspost/compress/flate"
	"golang.org/x/sync/errgroup"
)

// Output receives the files of a generation, each once. It is used
// concurrently.
type Output struct {
	Gen string
	Put func(key exports.Key, data []byte) error

	// Keep keeps a block that is published; nil if no record is kept.
	Keep func(key exports.Key) error
}

// level is how hard packed texts are compressed: a twelfth more bytes than the
// best, for half of its time.
const level = 3

// putFiles makes files 0..n-1 on all processors, and puts each, or keeps it if
// make returns no data. It returns one of the errors.
func (o *Output) putFiles(ctx context.Context, n int, make func(i int, z staticindex.Deflater) (exports.Key, []byte, error)) error {
	group, ctx := errgroup.WithContext(ctx)
	next := atomic.Int64{}
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() error {
			z := deflaters.Get().(*flate.Writer)
			defer deflaters.Put(z)
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return ctx.Err()
				}
				key, data, err := make(i, z)
				switch {
				case err != nil:
				case data == nil:
					err = o.Keep(key)
				default:
					err = o.Put(key, data)
				}
				if err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

// deflaters are writers that no goroutine uses at the moment.
var deflaters = sync.Pool{New: func() any {
	z, _ := flate.NewWriter(nil, level) // the level is valid
	return z
}}
