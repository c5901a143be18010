package segment

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"
)

// holding is an ObjectSource over files: what was asked for in which way.
type holding struct {
	*files
	whole int
	packs int
}

func (h *holding) Read(context.Context, string) ([]byte, error) {
	return nil, errors.New("an object was read whole")
}

func (h *holding) ReadPart(_ context.Context, key string, offset, length int64) ([]byte, error) {
	data, ok := h.data[key]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data[offset : offset+length], nil
}

func (h *holding) ReadBucket(ctx context.Context, key string, at int64, whole bool) ([]byte, error) {
	if whole {
		h.whole++
	} else {
		h.packs++
	}
	pair, err := h.ReadPart(ctx, key, at, 8)
	if err != nil {
		return nil, err
	}
	from, to := int64(binary.LittleEndian.Uint32(pair)), int64(binary.LittleEndian.Uint32(pair[4:]))
	return h.ReadPart(ctx, key, from, to-from)
}

// TestObjectSource finds every value through a source that hands out parts, with
// and without directories, and nothing that is not there.
func TestObjectSource(t *testing.T) {
	for _, profile := range []Profile{Pages, Packs} {
		for _, n := range []int{1, 300, 9000} {
			t.Run(fmt.Sprint(profile, n), func(t *testing.T) {
				f := newFiles()
				values := randomValues(rand.New(rand.NewPCG(1, uint64(n))), n)
				s := writeSegment(t, profile, values, f)
				if n == 9000 && profile == Pages && len(s.Directories) == 0 {
					t.Fatal("no directories")
				}
				h := &holding{files: f}
				r := &Reader{Root: &Root{Profile: profile, Layers: []Layer{{Entries: s}}}, Source: h}
				for _, v := range values {
					got, err := r.Entry(t.Context(), v.Key)
					if err != nil || got == nil || string(got) != string(v.Data) {
						t.Fatalf("%x: %v, %d bytes, want %d", v.Key, err, len(got), len(v.Data))
					}
				}
				if got, err := r.Entry(t.Context(), KeyOf("no such name")); err != nil || got != nil {
					t.Errorf("what is not there: %q %v", got, err)
				}
				byRange := profile == Packs && n >= 300
				if (h.packs > 0) != byRange || (h.whole > 0) == byRange {
					t.Errorf("%d buckets of whole objects, %d by range", h.whole, h.packs)
				}
			})
		}
	}
}

// TestObjectSourceFaults has a missing object and a bucket that is none told.
func TestObjectSourceFaults(t *testing.T) {
	f := newFiles()
	values := randomValues(rand.New(rand.NewPCG(1, 2)), 3)
	s := writeSegment(t, Pages, values, f)
	key := ObjectKey(s.Objects[0])
	r := &Reader{Root: &Root{Profile: Pages, Layers: []Layer{{Entries: s}}}, Source: &holding{files: f}}
	object := f.data[key]

	f.data[key] = append(object[:s.tableEnd():s.tableEnd()], make([]byte, len(object)-s.tableEnd())...)
	f.data[key][s.tableEnd()+KeySize] = 255
	if got, err := r.Entry(t.Context(), values[2].Key); !errors.Is(err, ErrDamaged) {
		t.Errorf("a damaged bucket: %q, %v", got, err)
	}
	delete(f.data, key)
	if got, err := r.Entry(t.Context(), values[2].Key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing object: %q, %v", got, err)
	}
}
