package staticindex

import (
	"encoding/binary"
	"errors"
)

// ErrMalformed is the error of every malformed file of the index: truncated, out of order,
// out of range, or with bytes left over. It means a damaged or foreign file.
var ErrMalformed = errors.New("malformed index file")

// Reader decodes a file of the index. After the first failure it returns
// zeroes; the caller checks for the failure once, at the end.
type Reader struct {
	b   []byte
	bad bool
}

// ExpectMagic reads four bytes that name the format and its version.
func (r *Reader) ExpectMagic(want string) {
	if len(r.b) < 4 || string(r.b[:4]) != want {
		r.Fail()
		return
	}
	r.b = r.b[4:]
}

// ExpectNumber checks that a file is the n-th of its kind, so that one never stands
// in for another.
func (r *Reader) ExpectNumber(n int) {
	if r.ReadUint(n) != n {
		r.Fail()
	}
}

// NewReader reads a file.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// Failed reports whether a read has failed.
func (r *Reader) Failed() bool { return r.bad }

// Len returns how many bytes are left.
func (r *Reader) Len() int { return len(r.b) }

// Rest reads all that is left.
func (r *Reader) Rest() []byte { return r.ReadBytes(len(r.b)) }

// Fail marks the file as malformed, because of something the caller found.
func (r *Reader) Fail() { r.b, r.bad = nil, true }

// ReadUint reads an unsigned varint of at most most, in its shortest form.
func (r *Reader) ReadUint(most int) int { return int(r.ReadUint64(uint64(max(0, most)))) }

// ReadUint64 is ReadUint for values below 1<<63.
func (r *Reader) ReadUint64(most uint64) uint64 {
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
	r.Fail()
	return 0
}

// ReadInt reads a signed varint, as binary.AppendVarint writes it.
func (r *Reader) ReadInt() int64 {
	n := r.ReadUint64(1<<63 - 1)
	return int64(n>>1) ^ -int64(n&1)
}

// ReadBytes reads n bytes, which stay part of the file.
func (r *Reader) ReadBytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.Fail()
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

// ReadString reads a text with its length before it.
func (r *Reader) ReadString() string { return string(r.ReadBytes(r.ReadUint(len(r.b)))) }

// Finish reports what went wrong, bytes left over included.
func (r *Reader) Finish() error {
	if r.bad || len(r.b) > 0 {
		return ErrMalformed
	}
	return nil
}

// AppendUint writes an unsigned varint after b.
func AppendUint(b []byte, x int) []byte { return AppendUint64(b, uint64(x)) }

// AppendUint64 is AppendUint for 64 bits.
func AppendUint64(b []byte, x uint64) []byte { return binary.AppendUvarint(b, x) }

// AppendText writes a text with its length before it.
func AppendText(b []byte, s string) []byte { return append(AppendUint(b, len(s)), s...) }
