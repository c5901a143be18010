package segment

import "context"

// Mean sizes of objects that ChooseShape stays below, and values a bucket.
const (
	pageTarget   = 96 << 10
	largePage    = 256 << 10 // once there are 2^manyPageBits pages
	manyPageBits = 13
	packTarget   = 48 << 20
	bucketWidth  = 4

	bucketsOfFile = 4
)

// ChooseShape cuts a segment of that many values and bytes: pages of 48 to 96
// KiB up to 8,192 of them and up to 256 KiB beyond, packs of 24 to 48 MiB, and
// some two to four values a bucket.
func ChooseShape(p Profile, count, size int64) Shape {
	var s Shape
	for s.PrefixBits < MaxPrefixBits && size>>s.PrefixBits > targetSize(p, s.PrefixBits) {
		s.PrefixBits++
	}
	for s.BucketBits < MaxBucketBits && count>>(s.PrefixBits+s.BucketBits) > bucketWidth {
		s.BucketBits++
	}
	return s
}

// ChooseFileShape cuts a segment of files of some ten KiB: pages of 128 to 256
// KiB, packs as ChooseShape does. It has two to four buckets for each file, since a
// bucket is what a small reader takes into its memory.
func ChooseFileShape(p Profile, count, size int64) Shape {
	target := int64(largePage)
	if p == Packs {
		target = packTarget
	}

	var s Shape
	for s.PrefixBits < MaxPrefixBits && size>>s.PrefixBits > target {
		s.PrefixBits++
	}
	for s.BucketBits < MaxBucketBits && bucketsOfFile*count>>(s.PrefixBits+s.BucketBits) > 1 {
		s.BucketBits++
	}
	return s
}

// targetSize is the mean size above which 2^prefixBits objects are too few.
func targetSize(p Profile, prefixBits int) int64 {
	switch {
	case p == Packs:
		return packTarget
	case prefixBits >= manyPageBits:
		return largePage
	}
	return pageTarget
}

// Put stores an immutable file under its key. The same key may be put again
// with the same bytes.
type Put func(key string, data []byte) error

// Slices gives the values of a segment in 256 parts, each sorted by key: part i
// has the keys that begin with the byte i. It is called once for each, in order.
type Slices func(first byte) ([]Value, error)

// SlicesOf cuts a list that is sorted by key. What it returns serves one segment.
func SlicesOf(sorted []Value) Slices {
	return func(first byte) ([]Value, error) {
		var part []Value
		for len(sorted) > 0 && sorted[0].Key[0] == first {
			part = append(part, sorted[0])
			sorted = sorted[1:]
		}
		return part, nil
	}
}

// Size is what a list of values takes in a segment, without its tables.
func Size(values []Value) (size int64) {
	for _, v := range values {
		size += int64(v.storedSize())
	}
	return size
}

// Write writes the objects and directories of a segment of that many values and
// bytes, and returns what the root says of it. It holds one object and one slice of
// the values in memory.
func Write(ctx context.Context, p Profile, count, size int64, slices Slices, put Put) (Segment, error) {
	shape := ChooseShape(p, count, size)
	if count == 0 {
		return Segment{Shape: shape}, nil
	}
	return WriteShape(ctx, shape, slices, put)
}

// WriteShape writes a segment that is cut as shape says, as Write does.
func WriteShape(ctx context.Context, shape Shape, slices Slices, put Put) (Segment, error) {
	s := Segment{Shape: shape}
	w := &writer{segment: &s, put: put}
	for first := range 256 {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		values, err := slices(byte(first))
		if err != nil {
			return s, err
		}
		if err := w.addValues(values); err != nil {
			return s, err
		}
	}
	if err := w.finishSegment(); err != nil {
		return s, err
	}
	return s, nil
}

// writer collects the values of the object that is written next.
type writer struct {
	segment *Segment
	put     Put
	pending []Value
	digests []Digest // of the objects so far
}

func (w *writer) addValues(values []Value) error {
	for _, v := range values {
		n := w.segment.ObjectOf(v.Key)
		for len(w.digests) < n {
			if err := w.flushObject(); err != nil {
				return err
			}
		}
		w.pending = append(w.pending, v)
		w.segment.Count++
	}
	return nil
}

// flushObject writes the next object.
func (w *writer) flushObject() error {
	object, err := AppendObject(nil, w.segment.Shape, len(w.digests), w.pending)
	if err != nil {
		return err
	}
	d := DigestOf(object)
	if err := w.put(ObjectKey(d), object); err != nil {
		return err
	}
	w.digests = append(w.digests, d)
	w.segment.Bytes += int64(len(object))
	w.pending = nil
	return nil
}

// finishSegment writes what is left, and directories where the root would be long.
func (w *writer) finishSegment() error {
	for len(w.digests) < w.segment.Shape.Objects() {
		if err := w.flushObject(); err != nil {
			return err
		}
	}
	if len(w.digests) <= MaxInline {
		w.segment.Objects = w.digests
		return nil
	}
	for n := 0; n*DirectorySize < len(w.digests); n++ {
		part := w.digests[n*DirectorySize : min((n+1)*DirectorySize, len(w.digests))]
		directory := AppendDirectory(nil, n, part)
		d := DigestOf(directory)
		if err := w.put(ObjectKey(d), directory); err != nil {
			return err
		}
		w.segment.Directories = append(w.segment.Directories, d)
	}
	return nil
}

// Diff lists what must be laid over old to make it current: values that are new
// or differ, and tombstones for those that are gone. All lists are sorted.
func Diff(old, current []Value) []Value {
	var out []Value
	for len(old) > 0 || len(current) > 0 {
		c := 0
		switch {
		case len(old) == 0:
			c = 1
		case len(current) == 0:
			c = -1
		default:
			c = old[0].Key.Compare(current[0].Key)
		}
		switch {
		case c < 0:
			out = append(out, Value{Key: old[0].Key})
			old = old[1:]
		case c > 0:
			out = append(out, current[0])
			current = current[1:]
		default:
			if string(old[0].Data) != string(current[0].Data) {
				out = append(out, current[0])
			}
			old, current = old[1:], current[1:]
		}
	}
	return out
}
