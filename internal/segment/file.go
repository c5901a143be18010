//go:build !tinygo

package segment

import "context"

// recentObjects are the objects that a reader read last.
type recentObjects struct {
	list [16]recentObject
	next int // to replace
}

type recentObject struct {
	digest Digest
	bytes  []byte
}

// object is the object of a digest, nil where it is not remembered.
func (r *recentObjects) object(d Digest) []byte {
	for i := range r.list {
		if r.list[i].bytes != nil && r.list[i].digest == d {
			return r.list[i].bytes
		}
	}
	return nil
}

func (r *recentObjects) remember(d Digest, object []byte) {
	r.list[r.next] = recentObject{d, object}
	r.next = (r.next + 1) % len(r.list)
}

// findInFile looks a key up in an object that is read as a file: whole, or by
// ranges.
func (r *Reader) findInFile(ctx context.Context, s Shape, d Digest, k Key, whole bool) (data []byte, found bool, err error) {
	if !whole {
		return r.findByRange(ctx, s, d, k)
	}
	object, err := r.readObject(ctx, d)
	if err != nil {
		return nil, false, err
	}
	return FindInObject(object, s, k)
}

// readObject reads a file whole and verifies it by its name.
func (r *Reader) readObject(ctx context.Context, d Digest) ([]byte, error) {
	if object := r.recent.object(d); object != nil {
		return object, nil
	}
	object, err := r.Source.Read(ctx, r.objectKey(d))
	if err != nil {
		return nil, err
	}
	if DigestOf(object) != d {
		return nil, ErrDamaged
	}
	r.recent.remember(d, object)
	return object, nil
}

// findByRange looks a key up in a pack by two ranges.
func (r *Reader) findByRange(ctx context.Context, s Shape, d Digest, k Key) (data []byte, found bool, err error) {
	source, ok := r.Source.(RangeSource)
	if !ok {
		return nil, false, ErrNoRange
	}
	pair, err := source.ReadRange(ctx, r.objectKey(d), offsetOf(s.BucketOf(k)), 8)
	if err != nil {
		return nil, false, err
	}
	from, to, err := bucketRange(pair, s)
	if err != nil {
		return nil, false, err
	}
	if to == from {
		return nil, false, nil
	}
	if to-from > MaxBucket {
		return nil, false, ErrDamaged
	}
	bucket, err := source.ReadRange(ctx, r.objectKey(d), from, to-from)
	if err != nil {
		return nil, false, err
	}
	if int64(len(bucket)) != to-from {
		return nil, false, ErrDamaged
	}
	return findInBucket(bucket, k)
}
