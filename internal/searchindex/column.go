package searchindex

import "math/bits"

// maxInt is the largest number of a record, and of JSON.
const maxInt = 1<<53 - 1

// column is how one number of every record is packed: as min plus step times
// what the bits say. The bits of a number that is 0 in some records begin with
// one bit, 0 for those. A column may be counted from an earlier number of the
// same record.
//
// In a file it is a byte, which holds the width in bits, 64 if some are 0 and
// 128 if it is counted from another, then the place of that other one, min
// (doubled, or doubled and less one with the sign turned round when it is
// negative) and, unless the width is 0, step; the last three are varints.
type column struct {
	mode      byte
	from      int // place of the other number, or its own
	min, step int64
}

const (
	columnWidth = 63
	columnZeros = 64
	columnFrom  = 128
)

// readColumn reads column c.
func (k *column) readColumn(r *reader, c int) {
	if b := r.readBytes(1); !r.bad {
		k.mode = b[0]
	}
	k.from = c
	if k.mode&columnFrom != 0 {
		k.from = r.readUint(c)
	}
	least := int64(r.readUint64(2 * maxInt))
	k.min = least>>1 ^ -(least & 1)
	if k.mode&columnWidth != 0 {
		k.step = int64(r.readUint64(maxInt))
	}
}

// readNumber reads the number of a record, of which the earlier ones are known and
// the others 0.
func (k *column) readNumber(r *bitReader, known []uint64) uint64 {
	if k.mode&columnZeros != 0 && r.readBits(1) == 0 {
		return 0
	}
	v := uint64(k.min+k.step*int64(r.readBits(uint(k.mode&columnWidth)))) + known[k.from]
	if v > maxInt {
		r.bad = true
		return 0
	}
	return v
}

// packing is a column to be written.
type packing struct {
	column
	values []uint64
	start  []uint64 // what they are counted from, or nil
}

// packColumns finds the shortest form of every column.
func (k Block) packColumns(texts, ints int) []packing {
	out := make([]packing, texts+ints+1)
	for c := range out {
		values := make([]uint64, len(k))
		for i, s := range k {
			if values[i] = uint64(len(s.Raw)); c >= texts && c < texts+ints {
				values[i] = s.Ints[c-texts]
			}
		}
		first := texts // of those to count from
		if c < texts {
			values, first = k.textPlaces(c), c
		}
		out[c] = packing{column: column{from: c}, values: values}
		least := out[c].chooseWidth()
		for from := first; from <= c; from++ {
			for _, mode := range []byte{0, columnZeros} {
				x := packing{column: column{mode: mode, from: from}, values: values}
				if from < c {
					x.mode |= columnFrom
					x.start = out[from].values
				}
				if size := x.chooseWidth(); size < least {
					out[c], least = x, size
				}
			}
		}
	}
	return out
}

// textPlaces are those of text c: 1 everywhere when none is to be kept, which
// costs no bits, and else from 0 in the order in which they come.
func (k Block) textPlaces(c int) []uint64 {
	out := make([]uint64, len(k))
	at := map[string]uint64{}
	saved := 0
	for i, s := range k {
		n, old := at[s.Texts[c]]
		if !old {
			n = uint64(len(at))
			at[s.Texts[c]] = n
		} else {
			saved += 8 * min(3, 1+len(s.Texts[c])) // a copy takes about three bytes
		}
		out[i] = n
	}
	if saved > bits.Len(uint(max(1, len(at))-1))*len(k) {
		return out
	}
	for i := range out {
		out[i] = 1
	}
	return out
}

// chooseWidth finds min, step and width, and tells how many bits it all takes, which
// is more than any other way takes when there is no such form.
func (k *packing) chooseWidth() int {
	most, count := int64(0), 0
	for i := range k.values {
		v, ok := k.packedValue(i)
		if !ok {
			continue
		}
		if count == 0 {
			k.min, most = v, v
		}
		k.min, most = min(k.min, v), max(most, v)
		count++
	}
	if most-k.min > maxInt {
		return 1 << 30
	}
	for i := range k.values {
		if v, ok := k.packedValue(i); ok && k.step != 1 {
			k.step = greatestCommonDivisor(v-k.min, k.step)
		}
	}
	width := 0
	if k.step > 0 {
		width = bits.Len64(uint64((most - k.min) / k.step))
	}
	k.mode |= byte(width)
	size := 8*len(k.append(nil)) + count*width
	if k.mode&columnZeros != 0 {
		size += len(k.values)
	}
	return size
}

// packedValue is number i as it is counted, and whether the bits say it.
func (k *packing) packedValue(i int) (v int64, ok bool) {
	v = int64(k.values[i])
	if k.mode&columnZeros != 0 && v == 0 {
		return 0, false
	}
	if k.start != nil {
		v -= int64(k.start[i])
	}
	return v, true
}

// greatestCommonDivisor is the greatest number that divides both.
func greatestCommonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (k *column) append(b []byte) []byte {
	b = append(b, k.mode)
	if k.mode&columnFrom != 0 {
		b = append(b, byte(k.from))
	}
	b = appendUint64(b, uint64(k.min<<1^k.min>>63))
	if k.mode&columnWidth != 0 {
		b = appendUint64(b, uint64(k.step))
	}
	return b
}

func (k *packing) putBits(w *bitWriter, i int) {
	v, ok := k.packedValue(i)
	if k.mode&columnZeros != 0 {
		if !ok {
			w.putBits(0, 1)
			return
		}
		w.putBits(1, 1)
	}
	if width := uint(k.mode & columnWidth); width > 0 {
		w.putBits(uint64((v-k.min)/k.step), width)
	}
}
