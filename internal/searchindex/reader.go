package searchindex

import (
	"errors"
	"math/bits"
)

// ErrMalformed is the error of every malformed file of the index: truncated, out of order,
// out of range, or with bytes left over. It means a damaged or foreign file.
var ErrMalformed = errors.New("malformed shard")

// reader takes a file of the index apart. After the first failure it gives zeroes;
// the caller asks for the failure once, at the end.
type reader struct {
	b   []byte
	bad bool
}

// expectMagic opens a file: four bytes that name the format and its version.
func (r *reader) expectMagic(want string) {
	if len(r.b) < 4 || string(r.b[:4]) != want {
		r.fail()
		return
	}
	r.b = r.b[4:]
}

// expectNumber checks that a file is the n-th of its kind, so that one never stands
// in for another.
func (r *reader) expectNumber(n int) {
	if r.readUint(n) != n {
		r.fail()
	}
}

func (r *reader) fail() { r.b, r.bad = nil, true }

// readUint reads an unsigned varint of at most most, in its shortest form.
func (r *reader) readUint(most int) int { return int(r.readUint64(uint64(max(0, most)))) }

func (r *reader) readUint64(most uint64) uint64 {
	var x uint64
	for i := 0; i < len(r.b) && i < 9; i++ {
		c := r.b[i]
		x |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if c == 0 && i > 0 || x > most {
				break
			}
			r.b = r.b[i+1:]
			return x
		}
	}
	r.fail()
	return 0
}

// readBytes reads n bytes, which stay part of the file.
func (r *reader) readBytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.fail()
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

// readString reads a text with its length before it.
func (r *reader) readString() string { return string(r.readBytes(r.readUint(len(r.b)))) }

// finish reports what went wrong, bytes left over included.
func (r *reader) finish() error {
	if r.bad || len(r.b) > 0 {
		return ErrMalformed
	}
	return nil
}

func appendUint(b []byte, x int) []byte { return appendUint64(b, uint64(x)) }

func appendUint64(b []byte, x uint64) []byte {
	for x >= 0x80 {
		b = append(b, byte(x)|0x80)
		x >>= 7
	}
	return append(b, byte(x))
}

func appendText(b []byte, s string) []byte { return append(appendUint(b, len(s)), s...) }

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
