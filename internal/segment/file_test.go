package segment

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
)

// claims is a pack whose table says that its only bucket has so many bytes.
type claims struct {
	Source
	size int64
	read bool // more than the table
}

func (c *claims) ReadRange(_ context.Context, _ string, offset, length int64) ([]byte, error) {
	if offset == offsetOf(0) {
		start := uint32(Shape{}.tableEnd())
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, start), start+uint32(c.size)), nil
	}
	c.read = true
	return make([]byte, length), nil
}

// A bucket over the limit is refused before it is read.
func TestHugeBucketsAreNotRead(t *testing.T) {
	for size, read := range map[int64]bool{0: false, 1: true, MaxBucket: true, MaxBucket + 1: false, 1 << 31: false} {
		source := &claims{size: size}
		r := &Reader{Root: &Root{}, Source: source}
		_, _, err := r.findByRange(t.Context(), Shape{}, Digest{}, Key{})
		if source.read != read || size > MaxBucket && !errors.Is(err, ErrDamaged) {
			t.Errorf("a bucket of %d bytes: read %v, %v", size, source.read, err)
		}
	}
}
