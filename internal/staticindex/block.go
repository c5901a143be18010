package staticindex

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// Deflater writes DEFLATE (RFC 1951), afresh after each Reset.
type Deflater interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// Block is a file of records, each a text of JSON without line breaks.
type Block [][]byte

// MaxRecords bounds the records of one index.
const MaxRecords = 1 << 28

const (
	blockMagic   = "CBL4"
	maxBlockText = 4 << 20
	maxInBlock   = 1 << 14
)

// Append writes block n of a group after b: both numbers and the number of
// lines, all unsigned varints, then a packed text: the records, each with a line
// break after it. The line of a record that is gone is empty.
func (k Block) Append(b []byte, group, n int, z Deflater) []byte {
	b = AppendUint(append(b, blockMagic...), group)
	b = AppendUint(b, n)
	b = AppendUint(b, len(k))
	text := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(text)
	text.Reset()
	for _, record := range k {
		text.Write(record)
		text.WriteByte('\n')
	}
	return AppendPacked(b, text.Bytes(), z)
}

// DecodeBlock reads block n of a group. It fails with ErrMalformed.
func DecodeBlock(b []byte, group, n int) (Block, error) {
	r := NewReader(b)
	r.ExpectMagic(blockMagic)
	r.ExpectNumber(group)
	r.ExpectNumber(n)
	k := make(Block, r.ReadUint(maxInBlock))
	text := r.ReadPacked(maxBlockText)
	if err := r.Finish(); err != nil {
		return nil, err
	}
	for i := range k {
		line, rest, ok := bytes.Cut(text, []byte("\n"))
		if !ok {
			return nil, ErrMalformed
		}
		k[i] = line
		text = rest
	}
	if len(text) > 0 {
		return nil, ErrMalformed
	}
	return k, nil
}

// buffers are buffers that no goroutine uses at the moment.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// AppendPacked writes a packed text after b. z writes nothing else afterwards.
func AppendPacked(b, text []byte, z Deflater) []byte {
	b = AppendUint(b, len(text))
	out := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(out)
	out.Reset()
	z.Reset(out)
	z.Write(text) // a bytes.Buffer never fails
	z.Close()
	if out.Len() >= len(text) {
		return append(AppendUint(b, 0), text...)
	}
	return append(AppendUint(b, out.Len()), out.Bytes()...)
}

// ReadPacked reads a text of at most most bytes; see AppendPacked.
func (r *Reader) ReadPacked(most int) []byte {
	size := r.ReadUint(most)
	packed := r.ReadUint(len(r.b))
	if packed == 0 {
		return r.ReadBytes(size)
	}
	// DEFLATE compresses by at most a factor of 1032: a larger claim is false.
	if size/1100 > packed {
		r.Fail()
		return nil
	}
	from := bytes.NewReader(r.ReadBytes(packed))
	z := flate.NewReader(from)
	out := make([]byte, size)
	_, err := io.ReadFull(z, out)
	var one [1]byte
	if n, end := z.Read(one[:]); err != nil || n != 0 || end != io.EOF || from.Len() != 0 {
		r.Fail()
		return nil
	}
	return out
}
