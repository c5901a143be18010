package segment

import (
	"context"
	"errors"
)

// Source reads published files.
type Source interface {
	// Read returns a whole file; a missing one is fs.ErrNotExist.
	Read(ctx context.Context, key string) ([]byte, error)
}

// RangeSource is a Source that also reads parts of files.
type RangeSource interface {
	Source

	// ReadRange returns length bytes from offset on. Fewer bytes are an error,
	// and a missing file is fs.ErrNotExist.
	ReadRange(ctx context.Context, key string, offset, length int64) ([]byte, error)
}

// ObjectSource is a Source that holds objects itself and hands out parts of
// them, for a reader with little memory. A missing object is fs.ErrNotExist.
type ObjectSource interface {
	Source

	// ReadPart returns length bytes from offset on of an object, which was read
	// whole and verified by its name.
	ReadPart(ctx context.Context, key string, offset, length int64) ([]byte, error)

	// ReadBucket returns the bytes of an object between the two offsets at a
	// place: of one that was read whole and verified by its name, or else by two
	// ranges.
	ReadBucket(ctx context.Context, key string, at int64, whole bool) ([]byte, error)
}

// ErrNoRange says that packs cannot be read from a source without ranges.
var ErrNoRange = errors.New("segment: packs need a source that reads ranges")

// Reader looks values up under one root. It remembers the last objects that it
// read whole. It is for one goroutine.
type Reader struct {
	Root   *Root
	Source Source
	Folder string // of the objects; "": ObjectPrefix

	recent recentObjects
}

// Entry finds the value of an entry. It is nil where the newest layer that
// knows the key has a tombstone, or none knows it.
//
// It reads at most two files for the base (a directory and an object; one more
// range in packs), and as many for each delta, when the filter lets the key pass.
func (r *Reader) Entry(ctx context.Context, k Key) ([]byte, error) {
	inDelta := r.Root.Filter.MayHave(k)
	base := len(r.Root.Layers) - 1
	for i := range r.Root.Layers {
		if i < base && !inDelta {
			continue
		}
		data, found, err := r.findInSegment(ctx, &r.Root.Layers[i].Entries, k)
		if err != nil || found {
			return data, err
		}
	}
	return nil, nil
}

// Shared finds a shared item by its key, nil where there is none. Items are
// verified: their key is their digest. So it does not matter which layer has
// one, and the base, which has most, is asked first.
func (r *Reader) Shared(ctx context.Context, k Key) ([]byte, error) {
	for i := len(r.Root.Layers) - 1; i >= 0; i-- {
		data, found, err := r.findInSegment(ctx, &r.Root.Layers[i].Shared, k)
		if err != nil {
			return nil, err
		}
		if !found {
			continue
		}
		if KeyOf(string(data)) != k {
			return nil, ErrDamaged
		}
		return data, nil
	}
	return nil, nil
}

// objectKey is the key of an object or directory of the root.
func (r *Reader) objectKey(d Digest) string {
	if r.Folder == "" {
		return ObjectKey(d)
	}
	return KeyBelow(r.Folder, ObjectKey(d))
}

// findInSegment looks a key up in one segment.
func (r *Reader) findInSegment(ctx context.Context, s *Segment, k Key) (data []byte, found bool, err error) {
	if s.Empty() {
		return nil, false, nil
	}
	digest, err := r.objectDigest(ctx, s, s.ObjectOf(k))
	if err != nil {
		return nil, false, err
	}
	whole := s.readWhole(r.Root.Profile)
	source, ok := r.Source.(ObjectSource)
	if !ok {
		return r.findInFile(ctx, s.Shape, digest, k, whole)
	}
	bucket, err := source.ReadBucket(ctx, r.objectKey(digest), offsetOf(s.BucketOf(k)), whole)
	if err != nil {
		return nil, false, err
	}
	return findInBucket(bucket, k)
}

// objectDigest is the digest of object n of a segment.
func (r *Reader) objectDigest(ctx context.Context, s *Segment, n int) (Digest, error) {
	if len(s.Objects) > 0 {
		if n >= len(s.Objects) {
			return Digest{}, ErrDamaged
		}
		return s.Objects[n], nil
	}
	at := n / DirectorySize
	if at >= len(s.Directories) {
		return Digest{}, ErrDamaged
	}
	if source, ok := r.Source.(ObjectSource); ok {
		part, err := source.ReadPart(ctx, r.objectKey(s.Directories[at]), digestOffset(n), int64(len(Digest{})))
		if err != nil {
			return Digest{}, err
		}
		if len(part) != len(Digest{}) {
			return Digest{}, ErrDamaged
		}
		return Digest(part), nil
	}
	directory, err := r.readObject(ctx, s.Directories[at])
	if err != nil {
		return Digest{}, err
	}
	return InDirectory(directory, n)
}

// Objects calls visit with the digest of every object and directory that the
// root names.
func (r *Reader) Objects(ctx context.Context, visit func(Digest) error) error {
	for i := range r.Root.Layers {
		layer := &r.Root.Layers[i]
		for _, s := range []*Segment{&layer.Entries, &layer.Shared} {
			if err := r.objectsOf(ctx, s, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Reader) objectsOf(ctx context.Context, s *Segment, visit func(Digest) error) error {
	for _, d := range s.Directories {
		if err := visit(d); err != nil {
			return err
		}
	}
	if s.Empty() {
		return nil
	}
	for n := range s.Shape.Objects() {
		d, err := r.objectDigest(ctx, s, n)
		if err != nil {
			return err
		}
		if err := visit(d); err != nil {
			return err
		}
	}
	return nil
}

// Slice lists the entries whose keys begin with one byte, by key, as a reader
// finds them: the newest layer counts, and tombstones are left out.
func (r *Reader) Slice(ctx context.Context, first byte) ([]Value, error) {
	return r.readSlice(ctx, first, func(l *Layer) *Segment { return &l.Entries })
}

// SharedSlice lists the shared items whose keys begin with one byte, by key.
func (r *Reader) SharedSlice(ctx context.Context, first byte) ([]Value, error) {
	return r.readSlice(ctx, first, func(l *Layer) *Segment { return &l.Shared })
}

func (r *Reader) readSlice(ctx context.Context, first byte, of func(*Layer) *Segment) ([]Value, error) {
	var out []Value
	for i := range r.Root.Layers {
		older, err := r.sliceOf(ctx, of(&r.Root.Layers[i]), first)
		if err != nil {
			return nil, err
		}
		out = Merge(out, older)
	}
	return dropTombstones(out), nil
}

// Values lists all values of a segment by key, tombstones included.
func (r *Reader) Values(ctx context.Context, s *Segment) ([]Value, error) {
	if s.Empty() {
		return nil, nil
	}
	var out []Value
	for n := range s.Shape.Objects() {
		values, err := r.valuesOf(ctx, s, n)
		if err != nil {
			return nil, err
		}
		out = append(out, values...)
	}
	return out, nil
}

// valuesOf lists the values of object n of a segment.
func (r *Reader) valuesOf(ctx context.Context, s *Segment, n int) ([]Value, error) {
	d, err := r.objectDigest(ctx, s, n)
	if err != nil {
		return nil, err
	}
	object, err := r.readObject(ctx, d)
	if err != nil {
		return nil, err
	}
	return Values(object, s.Shape, n)
}

// sliceOf lists the values of one segment whose keys begin with one byte.
func (r *Reader) sliceOf(ctx context.Context, s *Segment, first byte) ([]Value, error) {
	if s.Empty() {
		return nil, nil
	}
	var out []Value
	from, to := sliceObjects(s.PrefixBits, first)
	for n := from; n < to; n++ {
		values, err := r.valuesOf(ctx, s, n)
		if err != nil {
			return nil, err
		}
		for _, v := range values {
			if v.Key[0] == first {
				out = append(out, v)
			}
		}
	}
	return out, nil
}

// sliceObjects are the objects that hold keys which begin with one byte.
func sliceObjects(prefixBits int, first byte) (from, to int) {
	if prefixBits <= 8 {
		n := int(first) >> (8 - prefixBits)
		return n, n + 1
	}
	wide := prefixBits - 8
	return int(first) << wide, (int(first) + 1) << wide
}

// Merge joins two sorted lists of values; where both have a key, newer counts.
func Merge(newer, older []Value) []Value {
	if len(newer) == 0 {
		return older
	}
	if len(older) == 0 {
		return newer
	}
	out := make([]Value, 0, len(newer)+len(older))
	for len(newer) > 0 && len(older) > 0 {
		c := newer[0].Key.Compare(older[0].Key)
		if c <= 0 {
			out = append(out, newer[0])
			newer = newer[1:]
		} else {
			out = append(out, older[0])
		}
		if c >= 0 {
			older = older[1:]
		}
	}
	out = append(out, newer...)
	return append(out, older...)
}

// Overlay lays sorted values over older ones, as a reader finds them: newer
// counts, and tombstones are left out.
func Overlay(newer, older []Value) []Value { return dropTombstones(Merge(newer, older)) }

// dropTombstones leaves tombstones out.
func dropTombstones(list []Value) []Value {
	out := list[:0:0]
	for _, v := range list {
		if v.Data != nil {
			out = append(out, v)
		}
	}
	return out
}
