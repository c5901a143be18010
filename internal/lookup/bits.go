package lookup

import "math/bits"

// bits of a stream, lowest first.
type bitWriter struct {
	b   []byte
	acc uint64
	n   uint
}

func (w *bitWriter) putBits(v uint64, n uint) {
	w.acc |= v << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.b = append(w.b, byte(w.acc))
		w.acc >>= 8
	}
}

// putGap writes v as exponential Golomb codes have it: v plus 1<<width in binary
// without its first 1, after that 1 and a 0 for each bit beyond width.
func (w *bitWriter) putGap(v uint32, width uint) {
	x := uint64(v) + 1<<width
	n := uint(bits.Len64(x)) - 1
	w.putBits(0, n-width)
	w.putBits(1, 1)
	w.putBits(x-1<<n, n)
}

func (w *bitWriter) flush() []byte {
	if w.n > 0 {
		w.b = append(w.b, byte(w.acc))
		w.acc, w.n = 0, 0
	}
	return w.b
}

type bitReader struct {
	b   []byte
	acc uint64
	n   uint
	bad bool
}

func (r *bitReader) readBits(n uint) uint64 {
	for r.n < n {
		if len(r.b) == 0 {
			r.bad = true
			return 0
		}
		r.acc |= uint64(r.b[0]) << r.n
		r.b = r.b[1:]
		r.n += 8
	}
	v := r.acc & (1<<n - 1)
	r.acc >>= n
	r.n -= n
	return v
}

// readGap reads what bitWriter.putGap writes.
func (r *bitReader) readGap(width uint) uint64 {
	n := width
	for r.acc == 0 {
		if n += r.n; len(r.b) == 0 || n > 32 {
			r.bad = true
			return 0
		}
		r.acc, r.n, r.b = uint64(r.b[0]), 8, r.b[1:]
	}
	zeros := uint(bits.TrailingZeros64(r.acc))
	r.acc >>= zeros + 1
	r.n -= zeros + 1
	if n += zeros; n > 32 {
		r.bad = true
		return 0
	}
	return 1<<n - 1<<width + r.readBits(n)
}
