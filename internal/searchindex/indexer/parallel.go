package indexer

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"colophon/exports"
	"colophon/internal/staticindex"

	"github.com/klauspost/compress/flate"
)

// Output takes the files of a generation, each once and from one goroutine.
type Output struct {
	Gen   string
	Put   func(key exports.Key, data []byte) error
	hands []*hand
}

// object is one file.
type object struct {
	key  exports.Key
	data []byte
}

// level is how hard packed texts are compressed: a twelfth more bytes than the
// best, for half of its time.
const level = 3

// batch is how many files are made before they are put: enough for all processors,
// as few as that allows, since they are held.
const batch = 64

// putOrdered makes objects 0..n-1 on all processors and puts them in order.
func (o *Output) putOrdered(ctx context.Context, n int, make func(i int, h *hand) (object, error)) error {
	var made [batch]object
	for lo := 0; lo < n; lo += batch {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(batch, n-lo)
		err := o.eachParallel(k, func(i int, h *hand) (err error) {
			made[i], err = make(lo+i, h)
			return err
		})
		if err != nil {
			return err
		}
		for i := range k {
			if err := o.Put(made[i].key, made[i].data); err != nil {
				return err
			}
			made[i] = object{}
		}
	}
	return nil
}

// eachParallel does something for 0..n-1 on all processors, and gives one of the
// errors.
func (o *Output) eachParallel(n int, do func(i int, h *hand) error) error {
	hands := o.allHands()
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
	z staticindex.Deflater
}

// allHands are one for each processor.
func (o *Output) allHands() []*hand {
	for len(o.hands) < runtime.GOMAXPROCS(0) {
		z, _ := flate.NewWriter(nil, level) // the level is valid
		o.hands = append(o.hands, &hand{z: z})
	}
	return o.hands
}
