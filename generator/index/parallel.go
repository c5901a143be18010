package index

import (
	"compress/flate"
	"context"
	"runtime"
	"sync"

	"colophon/exports"
)

// object is one file.
type object struct {
	key  exports.Key
	data []byte
}

// batch is how many files are made before they are put.
const batch = 256

// ordered makes objects 0..n-1 on all processors and puts them in order.
func (b *builder) ordered(ctx context.Context, n int, make func(i int, z *flate.Writer) (object, error)) error {
	var made [batch]object
	var errs [batch]error
	for lo := 0; lo < n; lo += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(batch, n-lo)
		var wg sync.WaitGroup
		for w := range b.deflaters() {
			wg.Go(func() {
				for i := w; i < k; i += len(b.flate) {
					made[i], errs[i] = make(lo+i, b.flate[w])
				}
			})
		}
		wg.Wait()
		for i := range k {
			if errs[i] != nil {
				return errs[i]
			}
			if err := b.put(made[i].key, made[i].data); err != nil {
				return err
			}
			made[i] = object{}
		}
	}
	return nil
}

// deflaters are one compressor for each processor.
func (b *builder) deflaters() []*flate.Writer {
	for len(b.flate) < runtime.GOMAXPROCS(0) {
		z, _ := flate.NewWriter(nil, flate.BestCompression) // the level is valid
		b.flate = append(b.flate, z)
	}
	return b.flate
}
