package lookup_test

import (
	"cmp"
	"slices"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/lookup"

	"pgregory.net/rapid"
)

func TestBandRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.SampledFrom([]int{1, 200, 9000, 1 << 20, 30_000_000}).Draw(t, "codes")
		band := rapid.IntRange(0, lookup.SimilarBands-1).Draw(t, "band")
		key := rapid.Uint32Range(0, 1<<20-1)
		file := lookup.BandFile(band, key.Draw(t, "key"), codes)
		var list []lookup.BandPosting
		for range rapid.IntRange(0, 60).Draw(t, "count") {
			p := lookup.BandPosting{Key: key.Draw(t, "key"), Row: rapid.Uint32Range(0, 1<<18-1).Draw(t, "row")}
			if lookup.BandFile(band, p.Key, codes) == file {
				list = append(list, p)
			}
		}
		slices.SortFunc(list, func(a, b lookup.BandPosting) int {
			return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Row, b.Row))
		})
		list = slices.Compact(list)
		list = list[:min(len(list), codes)]
		b := lookup.AppendBand(nil, file, codes, list)
		for _, p := range list {
			var want []uint32
			for _, q := range list {
				if q.Key == p.Key {
					want = append(want, q.Row)
				}
			}
			if got, err := lookup.DecodeBand(b, file, codes, p.Key); err != nil || !slices.Equal(got, want) {
				t.Fatalf("key %x: %v, %v, want %v", p.Key, got, err, want)
			}
		}
		if _, err := lookup.DecodeBand(b, file+1, codes, 0); err == nil {
			t.Fatal("another file is taken")
		}
		if _, err := lookup.DecodeBand(append(b, 0), file, codes, 0); err == nil {
			t.Fatal("a byte more is taken")
		}
		if _, err := lookup.DecodeBand(b[:len(b)-1], file, codes, 0); err == nil {
			t.Fatal("a byte less is taken")
		}
	})
}

func TestCodesRoundTrip(t *testing.T) {
	rows := []lookup.CodeRow{
		{Code: [32]byte{1, 2, 3}, EntryID: "ent_0123456789abcdef01234567"},
		{Code: [32]byte{0xff, 31: 9}, EntryID: "ent_harbor"},
	}
	b := lookup.AppendCodes(nil, 7, rows)
	// Four letters, three numbers of a byte, two rows of 44 bytes, and the id
	// that cannot be packed, with its row and its length.
	if len(b) != 4+3+2*44+2+len("ent_harbor") {
		t.Errorf("%d bytes", len(b))
	}
	got, err := lookup.DecodeCodes(b, 7)
	if err != nil || !slices.Equal(got, rows) {
		t.Errorf("%v, %v", got, err)
	}
	for n := range b {
		assert.Fails(t, assert.Err(lookup.DecodeCodes(b[:n], 7)), "cut after %d bytes it is taken", n)
	}
	assert.Fails(t, assert.Err(lookup.DecodeCodes(b, 8)), "another file is taken")
}
