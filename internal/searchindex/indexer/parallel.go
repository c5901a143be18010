package indexer

import (
	"compress/flate"
	"context"
	"errors"
	"runtime"
	"sync"

	"colophon/exports"
)

// object is one file.
type object struct {
	key  exports.Key
	data []byte
}

// level is how hard packed texts are compressed: a twentieth more bytes than the
// best, for half of its time.
const level = 3

// batch is how many files are made before they are put.
const batch = 256

// putOrdered makes objects 0..n-1 on all processors and puts them in order.
func (b *builder) putOrdered(ctx context.Context, n int, make func(i int, h *hand) (object, error)) error {
	var made [batch]object
	for lo := 0; lo < n; lo += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(batch, n-lo)
		err := b.eachParallel(k, func(i int, h *hand) (err error) {
			made[i], err = make(lo+i, h)
			return err
		})
		if err != nil {
			return err
		}
		for i := range k {
			if err := b.putFile(made[i].key, made[i].data); err != nil {
				return err
			}
			made[i] = object{}
		}
	}
	return nil
}

// eachParallel does something for 0..n-1 on all processors, and gives one of the
// errors.
func (b *builder) eachParallel(n int, do func(i int, h *hand) error) error {
	hands := b.allHands()
	errs := make([]error, len(hands))
	var wg sync.WaitGroup
	for w, h := range hands {
		wg.Go(func() {
			for i := w; i < n && errs[w] == nil; i += len(hands) {
				errs[w] = do(i, h)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// hand is one of the goroutines that make files, with what it uses again.
type hand struct {
	z *flate.Writer
}

// allHands are one for each processor.
func (b *builder) allHands() []*hand {
	for len(b.hands) < runtime.GOMAXPROCS(0) {
		z, _ := flate.NewWriter(nil, level) // the level is valid
		b.hands = append(b.hands, &hand{z: z})
	}
	return b.hands
}
