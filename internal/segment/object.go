package segment

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Bounds of the format. A file that exceeds them is damaged.
const (
	MaxPrefixBits = 24
	MaxBucketBits = 24
	MaxValue      = 8 << 20  // bytes of a value
	MaxBucket     = 16 << 20 // bytes of a bucket that is read by range
)

// ErrDamaged says that bytes are not what this format allows, or not what
// their name says.
var ErrDamaged = errors.New("segment: the object is damaged")

const (
	objectMagic = "CSG1"
	headerSize  = 16
)

// Value is a value with its key. A nil Data is a tombstone; an empty one is a
// value of no bytes.
type Value struct {
	Key  Key
	Data []byte
}

// storedSize is what a value takes in an object.
func (v Value) storedSize() int {
	var buf [binary.MaxVarintLen64]byte
	return KeySize + binary.PutUvarint(buf[:], v.lengthWord()) + len(v.Data)
}

// lengthWord is 0 for a tombstone, else the length plus one.
func (v Value) lengthWord() uint64 {
	if v.Data == nil {
		return 0
	}
	return uint64(len(v.Data)) + 1
}

// Shape says how a segment is cut: 2^PrefixBits objects of 2^BucketBits
// buckets.
type Shape struct {
	PrefixBits int
	BucketBits int
}

// isValid tells whether the shape is within the bounds of the format.
func (s Shape) isValid() bool {
	return s.PrefixBits >= 0 && s.PrefixBits <= MaxPrefixBits && s.BucketBits >= 0 && s.BucketBits <= MaxBucketBits
}

// Objects is the number of objects.
func (s Shape) Objects() int { return 1 << s.PrefixBits }

// ObjectOf is the number of the object that holds a key.
func (s Shape) ObjectOf(k Key) int { return int(k.keyBits(0, s.PrefixBits)) }

// BucketOf is the number of the bucket that holds a key in its object.
func (s Shape) BucketOf(k Key) int { return int(k.keyBits(s.PrefixBits, s.BucketBits)) }

// countBuckets is the number of buckets of an object.
func (s Shape) countBuckets() int { return 1 << s.BucketBits }

// tableEnd is where the first bucket of an object begins.
func (s Shape) tableEnd() int { return headerSize + 4*(s.countBuckets()+1) }

// AppendObject spells object number n of a segment. The values must be sorted
// by key, differ, and belong to the object.
func AppendObject(dst []byte, s Shape, n int, values []Value) ([]byte, error) {
	if !s.isValid() || n < 0 || n >= s.Objects() {
		return dst, errors.New("segment: no such object in this shape")
	}
	start := len(dst)
	dst = slices.Grow(dst, s.tableEnd()+int(Size(values)))
	dst = append(dst, objectMagic...)
	dst = append(dst, byte(s.PrefixBits), byte(s.BucketBits), 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(values)))

	table := len(dst)
	dst = append(dst, make([]byte, 4*(s.countBuckets()+1))...)
	setOffset := func(bucket int) {
		binary.LittleEndian.PutUint32(dst[table+4*bucket:], uint32(len(dst)-start))
	}

	next := 0
	for bucket := range s.countBuckets() {
		setOffset(bucket)
		for next < len(values) && s.BucketOf(values[next].Key) == bucket {
			v := values[next]
			if s.ObjectOf(v.Key) != n || next > 0 && values[next-1].Key.Compare(v.Key) >= 0 || len(v.Data) > MaxValue {
				return dst, errors.New("segment: values are unsorted, foreign or too long")
			}
			dst = append(dst, v.Key[:]...)
			dst = binary.AppendUvarint(dst, v.lengthWord())
			dst = append(dst, v.Data...)
			next++
		}
	}
	setOffset(s.countBuckets())

	if next != len(values) {
		return dst, errors.New("segment: values are unsorted, foreign or too long")
	}
	if uint64(len(dst)-start) > 1<<32-1 {
		return dst, errors.New("segment: the object is larger than its offsets can say")
	}
	return dst, nil
}

// checkHeader tells whether an object begins as object n of a shape.
func checkHeader(object []byte, s Shape, n int) error {
	if len(object) < s.tableEnd() || string(object[:4]) != objectMagic {
		return ErrDamaged
	}
	if int(object[4]) != s.PrefixBits || int(object[5]) != s.BucketBits || object[6] != 0 || object[7] != 0 {
		return ErrDamaged
	}
	if binary.LittleEndian.Uint32(object[8:]) != uint32(n) {
		return ErrDamaged
	}
	return nil
}

// offsetOf is where the two offsets around a bucket stand.
func offsetOf(bucket int) int64 { return headerSize + 4*int64(bucket) }

// bucketRange reads the eight bytes at offsetOf.
func bucketRange(pair []byte, s Shape) (from, to int64, err error) {
	if len(pair) != 8 {
		return 0, 0, ErrDamaged
	}
	from = int64(binary.LittleEndian.Uint32(pair))
	to = int64(binary.LittleEndian.Uint32(pair[4:]))
	if from < int64(s.tableEnd()) || to < from {
		return 0, 0, ErrDamaged
	}
	return from, to, nil
}

// FindInObject looks a key up in object n of a segment, read whole. A found
// value of nil is a tombstone. The error is ErrDamaged.
func FindInObject(object []byte, s Shape, k Key) (data []byte, found bool, err error) {
	if !s.isValid() {
		return nil, false, ErrDamaged
	}
	if err := checkHeader(object, s, s.ObjectOf(k)); err != nil {
		return nil, false, err
	}
	at := offsetOf(s.BucketOf(k))
	from, to, err := bucketRange(object[at:at+8], s)
	if err != nil {
		return nil, false, err
	}
	if to > int64(len(object)) {
		return nil, false, ErrDamaged
	}
	return findInBucket(object[from:to], k)
}

// findInBucket looks a key up in a bucket.
func findInBucket(bucket []byte, k Key) (data []byte, found bool, err error) {
	for len(bucket) > 0 {
		v, rest, err := nextValue(bucket)
		if err != nil {
			return nil, false, err
		}
		switch c := v.Key.Compare(k); {
		case c == 0:
			return v.Data, true, nil
		case c > 0:
			return nil, false, nil
		}
		bucket = rest
	}
	return nil, false, nil
}

// nextValue reads the value that begins a bucket. Every value takes at least
// KeySize bytes, so that reading all of them ends.
func nextValue(b []byte) (v Value, rest []byte, err error) {
	if len(b) < KeySize+1 {
		return v, nil, ErrDamaged
	}
	copy(v.Key[:], b)
	b = b[KeySize:]
	word, n := binary.Uvarint(b)
	if n <= 0 || word > MaxValue+1 {
		return v, nil, ErrDamaged
	}
	b = b[n:]
	if word == 0 {
		return v, b, nil
	}
	size := int(word - 1)
	if size > len(b) {
		return v, nil, ErrDamaged
	}
	v.Data = b[:size:size]
	return v, b[size:], nil
}

// Values lists what object n of a segment holds, by key. Unlike FindInObject it
// checks all of the object: that its buckets follow one another, hold the keys
// that belong to them in order, and are as many as the header says. The values
// share memory with the object. The error is ErrDamaged.
func Values(object []byte, s Shape, n int) ([]Value, error) {
	if !s.isValid() || n < 0 || n >= s.Objects() {
		return nil, ErrDamaged
	}
	if err := checkHeader(object, s, n); err != nil {
		return nil, err
	}
	count := int(binary.LittleEndian.Uint32(object[12:]))
	if count > len(object)/(KeySize+1) {
		return nil, ErrDamaged
	}
	out := make([]Value, 0, count)
	end := int64(s.tableEnd())
	for bucket := range s.countBuckets() {
		at := offsetOf(bucket)
		from, to, err := bucketRange(object[at:at+8], s)
		if err != nil || from != end || to > int64(len(object)) {
			return nil, ErrDamaged
		}
		end = to
		for rest := object[from:to]; len(rest) > 0; {
			var v Value
			if v, rest, err = nextValue(rest); err != nil {
				return nil, err
			}
			misplaced := s.ObjectOf(v.Key) != n || s.BucketOf(v.Key) != bucket
			if misplaced || len(out) > 0 && out[len(out)-1].Key.Compare(v.Key) >= 0 {
				return nil, ErrDamaged
			}
			out = append(out, v)
		}
	}
	if end != int64(len(object)) || len(out) != count {
		return nil, ErrDamaged
	}
	return out, nil
}
