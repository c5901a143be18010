package searchindex

import (
	"bytes"
	"compress/flate"
	"io"
	"strings"
)

// Block is a file of records, all of which have as many texts and as many
// numbers.
type Block []Stored

// Stored is one record of a block: texts, which are compressed with those of
// its neighbours, numbers below 1<<53, which are packed into as few bits as
// those of the block need, and bytes that do not compress, such as digests.
// No text has the byte 0xff, which UTF-8 never has.
type Stored struct {
	Texts []string
	Ints  []uint64
	Raw   []byte
}

// Text is the first text, all that a record in JSON has.
func (s *Stored) Text() []byte {
	if len(s.Texts) == 0 {
		return nil
	}
	return []byte(s.Texts[0])
}

const (
	blockMagic   = "CBL2"
	maxBlockText = 4 << 20
	maxRecords   = 1 << 14
	maxColumns   = 16
	endOfText    = 0xff
)

// Append writes block n after b: its number, the number of records, of texts
// and of numbers in each, then a column for each text, each number and the
// length of the raw bytes, see column. The packed texts follow, record by
// record, each with 0xff after it. The bits of the columns come next, lowest
// first, record by record, and after the last whole byte the raw bytes of all
// records. Lengths and counts are unsigned varints.
//
// The column of a text has its place among those of this column that have been
// kept, in the order of the records. The text is only there when it is not
// among them, and it is kept when its place is the next.
func (k Block) Append(b []byte, n int, z *flate.Writer) []byte {
	texts, ints := 0, 0
	if len(k) > 0 {
		texts, ints = len(k[0].Texts), len(k[0].Ints)
	}
	b = appendUint(append(b, blockMagic...), n)
	b = appendUint(appendUint(appendUint(b, len(k)), texts), ints)
	columns := k.packColumns(texts, ints)
	for c := range columns {
		b = columns[c].append(b)
	}
	var text, raw []byte
	var bits bitWriter
	kept := make([]uint64, texts)
	for i, s := range k {
		for c := range columns {
			columns[c].putBits(&bits, i)
			if c < texts && columns[c].values[i] >= kept[c] {
				text = append(append(text, s.Texts[c]...), endOfText)
				if columns[c].values[i] == kept[c] {
					kept[c]++
				}
			}
		}
		raw = append(raw, s.Raw...)
	}
	b = appendPacked(b, text, z)
	return append(append(b, bits.flush()...), raw...)
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

// DecodeBlock reads block n.
func DecodeBlock(b []byte, n int) (Block, error) {
	r := reader{b: b}
	return r.readBlock(n)
}

// readBlock reads the rest of a file as that block.
func (r *reader) readBlock(number int) (Block, error) {
	r.expectMagic(blockMagic)
	if r.expectNumber(number); r.bad {
		return nil, ErrMalformed
	}
	n, texts, ints := r.readUint(maxRecords), r.readUint(maxColumns), r.readUint(maxColumns)
	columns := make([]column, texts+ints+1)
	for c := range columns {
		columns[c].readColumn(r, c)
	}
	text := r.readPacked(maxBlockText)
	if r.bad {
		return nil, ErrMalformed
	}
	rest, bits := string(text), bitReader{b: r.b}
	kept := make([][]string, texts)
	out := make(Block, n)
	for i := range out {
		s := &out[i]
		s.Texts, s.Ints = make([]string, texts), make([]uint64, len(columns))
		for c := range columns {
			at := columns[c].readNumber(&bits, s.Ints)
			s.Ints[c] = at
			if c >= texts {
				continue
			}
			if at < uint64(len(kept[c])) {
				s.Texts[c] = kept[c][at]
				continue
			}
			end := strings.IndexByte(rest, endOfText)
			if end < 0 {
				return nil, ErrMalformed
			}
			s.Texts[c], rest = rest[:end], rest[end+1:]
			if at == uint64(len(kept[c])) {
				kept[c] = append(kept[c], s.Texts[c])
			}
		}
	}
	if bits.bad || bits.acc != 0 || rest != "" {
		return nil, ErrMalformed
	}
	r.b = bits.b
	for i := range out {
		s := &out[i]
		s.Raw, s.Ints = r.readBytes(int(s.Ints[texts+ints])), s.Ints[texts:texts+ints]
	}
	return out, r.finish()
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
