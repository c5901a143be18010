package searchindex

import (
	"bytes"
	"compress/flate"
	"io"
)

// Block is a file of records, each a text of JSON without line breaks.
type Block [][]byte

const (
	blockMagic   = "CBL3"
	maxBlockText = 4 << 20
	maxRecords   = 1 << 14
)

// Append writes block n after b: its number and the number of records, both
// unsigned varints, then a packed text: the records, each with a line break
// after it.
func (k Block) Append(b []byte, n int, z *flate.Writer) []byte {
	b = appendUint(append(b, blockMagic...), n)
	b = appendUint(b, len(k))
	var text []byte
	for _, record := range k {
		text = append(append(text, record...), '\n')
	}
	return appendPacked(b, text, z)
}

// DecodeBlock reads block n. It fails with ErrMalformed.
func DecodeBlock(b []byte, n int) (Block, error) {
	r := reader{b: b}
	r.expectMagic(blockMagic)
	r.expectNumber(n)
	k := make(Block, r.readUint(maxRecords))
	text := r.readPacked(maxBlockText)
	if err := r.finish(); err != nil {
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

// appendPacked writes a packed text after b. z writes nothing else afterwards.
func appendPacked(b, text []byte, z *flate.Writer) []byte {
	b = appendUint(b, len(text))
	var out bytes.Buffer
	z.Reset(&out)
	z.Write(text) // a bytes.Buffer never fails
	z.Close()
	if out.Len() >= len(text) {
		return append(appendUint(b, 0), text...)
	}
	return append(appendUint(b, out.Len()), out.Bytes()...)
}

// readPacked reads a text of at most so many bytes, see appendPacked.
func (r *reader) readPacked(most int) []byte {
	size := r.readUint(most)
	packed := r.readUint(len(r.b))
	if packed == 0 {
		return r.readBytes(size)
	}
	// DEFLATE shrinks at most 1032 times: a larger claim is a lie.
	if size/1100 > packed {
		r.fail()
		return nil
	}
	from := bytes.NewReader(r.readBytes(packed))
	z := flate.NewReader(from)
	out := make([]byte, size)
	_, err := io.ReadFull(z, out)
	var one [1]byte
	if n, end := z.Read(one[:]); err != nil || n != 0 || end != io.EOF || from.Len() != 0 {
		r.fail()
		return nil
	}
	return out
}
