package searchindex_test

import (
	"bytes"
	"slices"
	"testing"

	"colophon/internal/searchindex"

	"pgregory.net/rapid"
)

// drawBlock draws records whose texts repeat and whose numbers lie near each
// other, as those of pages do, and others.
func drawBlock(t *rapid.T) searchindex.Block {
	texts, ints := rapid.IntRange(1, 4).Draw(t, "texts"), rapid.IntRange(0, 5).Draw(t, "ints")
	some := rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "some")
	text := rapid.OneOf(rapid.SampledFrom(some), rapid.String())
	base, step := rapid.Uint64Range(0, 1<<40).Draw(t, "base"), rapid.SampledFrom([]uint64{0, 1, 60, 86400}).Draw(t, "step")
	number := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) uint64 { return base + step*rapid.Uint64Range(0, 100).Draw(t, "times") }),
		rapid.SampledFrom([]uint64{0, 1, 1<<53 - 1}),
		rapid.Uint64Range(0, 1<<53-1))
	k := make(searchindex.Block, rapid.IntRange(1, 30).Draw(t, "records"))
	for i := range k {
		for range texts {
			k[i].Texts = append(k[i].Texts, text.Draw(t, "text"))
		}
		for range ints {
			k[i].Ints = append(k[i].Ints, number.Draw(t, "number"))
		}
		k[i].Raw = rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "raw")
	}
	return k
}

func sameStored(a, b searchindex.Stored) bool {
	return slices.Equal(a.Texts, b.Texts) && slices.Equal(a.Ints, b.Ints) && bytes.Equal(a.Raw, b.Raw)
}

func TestBlockAndHeadRoundTrip(t *testing.T) {
	z := deflater()
	rapid.Check(t, func(t *rapid.T) {
		k := drawBlock(t)
		b := k.Append(nil, 3, z)
		got, err := searchindex.DecodeBlock(b, 3)
		if err != nil || !slices.EqualFunc(got, k, sameStored) {
			t.Fatalf("%v: %v gives %v", err, k, got)
		}
		if _, err := searchindex.DecodeBlock(append(b, 0), 3); err == nil {
			t.Fatal("a byte more is taken")
		}
		for i := range b {
			if _, err := searchindex.DecodeBlock(b[:i], 3); err == nil {
				t.Fatalf("a block cut at %d is taken", i)
			}
		}
		heads := []searchindex.Head{{Word: "a"}, {Word: "b"}}
		for i := range k {
			h := &heads[i%2]
			h.Docs, h.Impacts, h.Records = append(h.Docs, uint32(i)), append(h.Impacts, uint8(i%16)), append(h.Records, k[i])
		}
		back, err := searchindex.DecodeHeads(searchindex.AppendHeads(nil, heads, z), 30)
		if err != nil || len(back) != 2 {
			t.Fatal(err)
		}
		for i := range back {
			if back[i].Word != heads[i].Word || !slices.Equal(back[i].Docs, heads[i].Docs) || !slices.EqualFunc(back[i].Records, heads[i].Records, sameStored) {
				t.Fatal("a head differs")
			}
		}
	})
}

func TestBlockPacksNumbers(t *testing.T) {
	z := deflater()
	size := func(numbers ...func(i uint64) uint64) int {
		k := make(searchindex.Block, 64)
		for i := range k {
			for _, n := range numbers {
				k[i].Ints = append(k[i].Ints, n(uint64(i)))
			}
			k[i].Texts = []string{"x"}
		}
		return len(k.Append(nil, 0, z))
	}
	scattered := func(i uint64) uint64 { return 1<<31 + i*2654435761%(1<<28) }
	one := size(scattered)
	for name, c := range map[string]struct {
		most   int // bytes beside those of scattered numbers
		number func(i uint64) uint64
	}{
		"the same":                  {8, func(uint64) uint64 { return 1 << 40 }},
		"a day after another":       {8, func(i uint64) uint64 { return scattered(i) + 86400 }},
		"a day before another":      {8, func(i uint64) uint64 { return scattered(i) - 86400 }},
		"days":                      {10 + 64*6/8, func(i uint64) uint64 { return 1<<31 + 86400*i }},
		"the same or none":          {12 + 64/8, func(i uint64) uint64 { return i % 2 << 40 }},
		"neighbours or none":        {12 + (64+32*6)/8, func(i uint64) uint64 { return i % 2 * (1<<40 + i) }},
		"the largest and the least": {12 + 64/8, func(i uint64) uint64 { return i % 2 * (1<<53 - 1) }},
	} {
		if got := size(scattered, c.number) - one; got > c.most {
			t.Errorf("%s: %d bytes, not %d", name, got, c.most)
		}
	}
}

// TestDamagedBlocks: whatever byte is another, a block is refused or has as
// many records, each with as many parts.
func TestDamagedBlocks(t *testing.T) {
	d := fullDoc()
	page, err := d.Store(testID)
	if err != nil {
		t.Fatal(err)
	}
	d.WordCount, d.PublishedAt, d.Title = 9, "", "another"
	other, err := d.Store(testID)
	if err != nil {
		t.Fatal(err)
	}
	file := searchindex.Block{page, page, other}.Append(nil, 0, deflater())
	for i := range file {
		for x := range 256 {
			b := bytes.Clone(file)
			b[i] ^= byte(x)
			k, err := searchindex.DecodeBlock(b, 0)
			if err != nil {
				continue
			}
			for j := range k {
				if len(k[j].Texts) != len(k[0].Texts) || len(k[j].Ints) != len(k[0].Ints) {
					t.Fatal("a record has other parts")
				}
				if d, err := searchindex.LoadDoc(k[j], testID); err == nil {
					checkLoaded(t, d)
				}
			}
		}
	}
}
