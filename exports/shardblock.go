package exports

import (
	"bytes"
	"compress/flate"
	"io"
)

// Block is a file of records. Each has a text part, which is compressed with
// those of its neighbours, and a raw part of bytes that do not compress, such
// as digests.
type Block []Stored

// Stored is one record of a block.
type Stored struct{ Text, Raw []byte }

const (
	blockMagic   = "CBL1"
	maxBlockText = 4 << 20
)

// Append writes block n after b: its number, the number of records, the length of the
// text parts before and after compression (raw DEFLATE, RFC 1951), the text
// parts, then the raw parts. Every part has its length before it, as an
// unsigned varint. Text that does not shrink is stored, with 0 as its
// compressed length.
func (k Block) Append(b []byte, n int, z *flate.Writer) []byte {
	var text, raw []byte
	for _, s := range k {
		text = append(appendUint(text, len(s.Text)), s.Text...)
		raw = append(appendUint(raw, len(s.Raw)), s.Raw...)
	}
	b = appendUint(append(b, blockMagic...), n)
	b = appendUint(b, len(k))
	b = appendUint(b, len(text))
	packed := deflate(text, z)
	if len(packed) >= len(text) {
		b = append(appendUint(b, 0), text...)
	} else {
		b = append(appendUint(b, len(packed)), packed...)
	}
	return append(b, raw...)
}

// deflate compresses with z, which writes nothing else afterwards.
func deflate(text []byte, z *flate.Writer) []byte {
	var out bytes.Buffer
	z.Reset(&out)
	z.Write(text) // a bytes.Buffer never fails
	z.Close()
	return out.Bytes()
}

// DecodeBlock reads block n.
func DecodeBlock(b []byte, n int) (Block, error) {
	r := shardReader{b: b}
	r.magic(blockMagic)
	r.number(n)
	return r.block()
}

// block reads the rest of a file as a block.
func (r *shardReader) block() (Block, error) {
	n, size := r.uint(1<<16), r.uint(maxBlockText)
	packed := r.uint(len(r.b))
	if r.bad || n > size {
		return nil, ErrShard
	}
	text, err := r.text(size, packed)
	if err != nil {
		return nil, err
	}
	if n > len(r.b) { // each raw part has its length at least
		return nil, ErrShard
	}
	t := shardReader{b: text}
	out := make(Block, n)
	for i := range out {
		out[i] = Stored{t.bytes(t.uint(len(t.b))), r.bytes(r.uint(len(r.b)))}
	}
	if t.end() != nil {
		return nil, ErrShard
	}
	return out, r.end()
}

func (r *shardReader) text(size, packed int) ([]byte, error) {
	if packed == 0 {
		return r.bytes(size), nil
	}
	// DEFLATE shrinks at most 1032 times: a larger claim is a lie.
	if size/1100 > packed {
		return nil, ErrShard
	}
	from := bytes.NewReader(r.bytes(packed))
	z := flate.NewReader(from)
	out := make([]byte, size)
	if _, err := io.ReadFull(z, out); err != nil {
		return nil, ErrShard
	}
	var one [1]byte
	if n, err := z.Read(one[:]); n != 0 || err != io.EOF || from.Len() != 0 {
		return nil, ErrShard
	}
	return out, nil
}
