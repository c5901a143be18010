package exports

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
// negative) and step, the last three as varints.
type column struct {
	width     uint
	zeros     bool
	from      int // place of the other number, or -1
	min, step int64
	values    []uint64 // to be written
	start     []uint64 // what they are counted from
}

const (
	columnZeros = 64
	columnFrom  = 128
)

// read reads column c.
func (k *column) read(r *shardReader, c int) {
	mode := 0
	if b := r.bytes(1); !r.bad {
		mode = int(b[0])
	}
	k.width, k.zeros, k.from = uint(mode%columnZeros), mode&columnZeros != 0, -1
	if mode&columnFrom != 0 {
		k.from = r.uint(c - 1)
	}
	least := int64(r.uint64(2 * maxInt))
	k.min, k.step = least>>1^-(least&1), int64(r.uint64(maxInt))
	if k.width > 53 || k.from >= c {
		r.fail()
	}
}

// get reads the number of a record of which it knows the earlier ones.
func (k *column) get(r *bitReader, earlier []uint64) uint64 {
	if k.zeros && r.get(1) == 0 {
		return 0
	}
	v := k.min + k.step*int64(r.get(k.width))
	if k.from >= 0 {
		v += int64(earlier[k.from])
	}
	if v < 0 || v > maxInt {
		r.bad = true
		return 0
	}
	return uint64(v)
}

// columns finds the shortest form of every number and of the length of raw.
func (k Block) columns(n int) []column {
	values := make([][]uint64, n)
	for c := range values {
		values[c] = make([]uint64, len(k))
		for i, s := range k {
			if values[c][i] = uint64(len(s.Raw)); c < n-1 {
				values[c][i] = s.Ints[c]
			}
		}
	}
	out := make([]column, n)
	for c := range out {
		least := 0
		for from := -1; from < c; from++ {
			for _, zeros := range []bool{false, true} {
				x := column{from: from, zeros: zeros, values: values[c]}
				if from >= 0 {
					x.start = values[from]
				}
				if size := x.fit(); from < 0 && !zeros || size < least {
					out[c], least = x, size
				}
			}
		}
	}
	return out
}

// fit finds min, step and width, and tells how many bits it all takes, which
// is more than any other way takes when there is no such form.
func (k *column) fit() int {
	most, count := int64(0), 0
	for i := range k.values {
		v, ok := k.value(i)
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
	k.step = 0
	for i := range k.values {
		if v, ok := k.value(i); ok && k.step != 1 {
			k.step = divisor(v-k.min, k.step)
		}
	}
	k.width = 0
	if k.step > 0 {
		k.width = uint(bits.Len64(uint64((most - k.min) / k.step)))
	}
	size := 8*len(k.append(nil)) + count*int(k.width)
	if k.zeros {
		size += len(k.values)
	}
	return size
}

// value is number i as it is counted, and whether the bits say it.
func (k *column) value(i int) (v int64, ok bool) {
	v = int64(k.values[i])
	if k.zeros && v == 0 {
		return 0, false
	}
	if k.from >= 0 {
		v -= int64(k.start[i])
	}
	return v, true
}

// divisor is the greatest number that divides both.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (k *column) append(b []byte) []byte {
	mode := byte(k.width)
	if k.zeros {
		mode |= columnZeros
	}
	if k.from < 0 {
		b = append(b, mode)
	} else {
		b = append(b, mode|columnFrom, byte(k.from))
	}
	b = appendUint64(b, uint64(k.min<<1^k.min>>63))
	return appendUint64(b, uint64(k.step))
}

func (k *column) put(w *bitWriter, i int) {
	v, ok := k.value(i)
	if k.zeros {
		if !ok {
			w.put(0, 1)
			return
		}
		w.put(1, 1)
	}
	if k.width > 0 {
		w.put(uint64((v-k.min)/k.step), k.width)
	}
}

// table is how one text of every record is stored.
type table struct {
	mode byte
	at   map[string]int
}

// fewer tells how text c of every record is stored. Its byte is 0 when each
// has its own; otherwise the different ones are numbered as they come and
// every record has the number of its own, in so many bits as the byte says,
// less one. Then the text itself is there only where its number is new.
func (k Block) fewer(c int) table {
	t := table{at: map[string]int{}}
	saved := 0
	for _, s := range k {
		if _, ok := t.at[s.Texts[c]]; ok {
			saved += 8 * min(3, 1+len(s.Texts[c])) // a copy takes about three bytes
		}
		t.at[s.Texts[c]] = 0
	}
	if width := bits.Len(uint(max(1, len(t.at)) - 1)); saved > width*len(k) {
		t.mode = byte(1 + width)
	}
	clear(t.at)
	return t
}

// put writes where text s is, and tells whether it must be written out.
func (t *table) put(w *bitWriter, s string) bool {
	if t.mode == 0 {
		return true
	}
	at, old := t.at[s]
	if !old {
		at = len(t.at)
		t.at[s] = at
	}
	w.put(uint64(at), uint(t.mode-1))
	return !old
}
