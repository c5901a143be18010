package searchindex_test

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"slices"
	"testing"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/wire"

	"pgregory.net/rapid"
)

func deflater() *flate.Writer {
	z, _ := flate.NewWriter(nil, flate.BestCompression)
	return z
}

// drawGroups draws groups, some of which are empty, of at least as many ordinals.
func drawGroups(t *rapid.T, least int) searchindex.Groups {
	counts := rapid.SliceOfN(rapid.OneOf(rapid.Just(uint32(0)), rapid.Uint32Range(1, 300)), 0, 40).Draw(t, "groups")
	counts = append(counts, uint32(least))
	return searchindex.NewGroups(counts)
}

func drawPostings(t *rapid.T, docs int) searchindex.Postings {
	list := rapid.SliceOfNDistinct(rapid.Uint32Range(0, uint32(docs-1)), 1, min(docs, 400), rapid.ID).Draw(t, "docs")
	slices.Sort(list)
	impacts := rapid.SliceOfN(rapid.Uint8Range(0, searchindex.MaxImpact), len(list), len(list)).Draw(t, "impacts")
	return searchindex.Postings{Docs: list, Impacts: impacts}
}

func TestPostingsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		groups := drawGroups(t, rapid.SampledFrom([]int{400, 5000, 1 << 20, staticindex.MaxRecords - 20_000}).Draw(t, "size"))
		p := drawPostings(t, groups.Slots())
		b := groups.AppendPostings(nil, p)
		got, err := groups.DecodePostings(b, len(p.Docs))
		if err != nil || !slices.Equal(got.Docs, p.Docs) || !slices.Equal(got.Impacts, p.Impacts) {
			t.Fatalf("%v: %v gives %v", err, p, got)
		}
		if _, err := groups.DecodePostings(append(b, 0), len(p.Docs)); err == nil {
			t.Fatal("a byte more is taken")
		}
		if _, err := groups.DecodePostings(b[:len(b)-1], len(p.Docs)); err == nil {
			t.Fatal("a byte less is taken")
		}
		if group, ordinal := groups.Locate(p.Docs[0]); ordinal > 0 {
			counts := make([]uint32, group+1)
			counts[group] = ordinal // which is one too few
			small := searchindex.NewGroups(counts)
			if _, err := small.DecodePostings(b, len(p.Docs)); err == nil {
				t.Fatal("an ordinal out of range is taken")
			}
		}
	})
}

// TestPostingsOfWholeGroups writes postings of all records: groups follow each
// other without a gap.
func TestPostingsOfWholeGroups(t *testing.T) {
	groups := searchindex.NewGroups([]uint32{3, 0, 1, 2})
	p := searchindex.Postings{Docs: []uint32{0, 1, 2, 3, 4, 5}, Impacts: []uint8{1, 2, 3, 4, 5, 6}}
	got, err := groups.DecodePostings(groups.AppendPostings(nil, p), len(p.Docs))
	if err != nil || !slices.Equal(got.Docs, p.Docs) || !slices.Equal(got.Impacts, p.Impacts) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestPostingsStay checks that the bytes of postings do not change when records are
// added to groups, whatever that does to their numbers.
func TestPostingsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Uint32Range(0, 300), 1, 40).Draw(t, "groups")
		more := slices.Clone(counts)
		for i := range more {
			more[i] += rapid.Uint32Range(0, 70).Draw(t, "added")
		}
		before, after := searchindex.NewGroups(append(counts, 1)), searchindex.NewGroups(append(more, 1, 9))
		p := drawPostings(t, before.Slots())
		var moved searchindex.Postings
		for i := range p.Docs {
			moved.Docs = append(moved.Docs, after.NumberOf(before.Locate(p.Docs[i])))
			moved.Impacts = append(moved.Impacts, p.Impacts[i])
		}
		if !slices.IsSorted(moved.Docs) {
			t.Fatal("the order of records changes")
		}
		if !bytes.Equal(before.AppendPostings(nil, p), after.AppendPostings(nil, moved)) {
			t.Fatal("the bytes change")
		}
	})
}

func drawWords(t *rapid.T) []string {
	words := rapid.SliceOfNDistinct(rapid.StringN(1, 12, 40), 1, 40, rapid.ID).Draw(t, "words")
	slices.Sort(words)
	return words
}

func TestLeafAndRootRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := drawWords(t)
		var leaf searchindex.Leaf
		var root searchindex.Root
		root.Docs, root.PerFile, root.Groups = 5000, 48, drawGroups(t, 5000)
		for _, w := range words {
			p := drawPostings(t, 5000)
			leaf = append(leaf, searchindex.Term{Word: w, Count: len(p.Docs), List: root.AppendPostings(nil, p)})
			root.Common = append(root.Common, searchindex.Term{Word: w, Count: len(p.Docs)})
		}
		root.Leaves = append([]string{""}, words...)
		separator := rapid.String().Draw(t, "separator")
		b := leaf.Append(nil, separator, deflater())
		got, err := searchindex.DecodeLeaf(b, separator, 5000)
		if err != nil || len(got) != len(leaf) {
			t.Fatal(err, len(got))
		}
		for i, w := range words {
			if at, ok := got.Find(w); !ok || at != i || got[at].Count != leaf[i].Count || !bytes.Equal(got[at].List, leaf[i].List) {
				t.Fatalf("%q is not found", w)
			}
		}
		if _, ok := got.Find(words[0] + "\x00"); ok && !slices.Contains(words, words[0]+"\x00") {
			t.Fatal("a word that is not there is found")
		}
		if _, err := searchindex.DecodeLeaf(b, separator+"x", 5000); err == nil {
			t.Fatal("another leaf is taken")
		}
		r, err := searchindex.DecodeRoot(root.Append(nil))
		if err != nil || !slices.Equal(r.Leaves, root.Leaves) || len(r.Common) != len(words) {
			t.Fatal(err)
		}
		for i, w := range words {
			if r.LeafOf(w) != i+1 || r.FindCommon(w) != i {
				t.Fatalf("%q: leaf %d, common %d", w, r.LeafOf(w), r.FindCommon(w))
			}
		}
	})
}

func TestRanksRoundTrip(t *testing.T) {
	r := searchindex.Root{Docs: 4, Groups: searchindex.NewGroups([]uint32{4}), PerFile: 16, Ranks: []uint32{1<<32 - 1, 7, 7, 0}}
	got, err := searchindex.DecodeRoot(r.Append(nil))
	if err != nil || !slices.Equal(got.Ranks, r.Ranks) {
		t.Fatal(err, got)
	}
}

func TestBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var hits []searchindex.Hit
		for d := uint32(0); len(hits) < 300; d += 1 + uint32(rng.IntN(9)) {
			hits = append(hits, searchindex.Hit{Doc: d, Score: 1 + uint32(rng.IntN(40))})
		}
		all := slices.Clone(hits)
		searchindex.Best(all, 16, len(all))
		n := rng.IntN(len(hits) + 1)
		some := slices.Clone(hits)
		searchindex.Best(some, 16, n)
		if !slices.Equal(some[:n], all[:n]) {
			t.Fatal("the first n differ from the first n of all")
		}
		if !slices.IsSortedFunc(all, func(a, b searchindex.Hit) int { return int(b.Score) - int(a.Score) }) || all[0].Score != searchindex.Steps {
			t.Fatal("not by step")
		}
	})
}

// FuzzFiles checks that on any bytes no decoder panics or accepts a file that
// would be encoded otherwise.
func FuzzFiles(f *testing.F) {
	p := searchindex.Postings{Docs: []uint32{1, 5, 9}, Impacts: []uint8{3, 15, 0}}
	groups := searchindex.NewGroups([]uint32{0, 6, 94})
	leaf := searchindex.Leaf{{Word: "tide", Count: 3, List: groups.AppendPostings(nil, p)}}
	root := searchindex.Root{Docs: 10, Groups: groups, PerFile: 4, Leaves: []string{"", "m"}, Common: []searchindex.Term{{Word: "the", Count: 9}}}
	d := fullDoc()
	page := wire.Append(nil, &d)
	k := staticindex.Block{page, page}
	f.Add(leaf.Append(nil, "", deflater()))
	f.Add(root.Append(nil))
	f.Add(k.Append(nil, 0, 0, deflater()))
	f.Add(groups.AppendList(nil, "tide", p))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := searchindex.DecodeLeaf(b, "", 100); err == nil && !bytes.Equal(l.Append(nil, "", deflater()), b) {
			// Front coding may share less than it could, but the words are the
			// same.
			if again, err := searchindex.DecodeLeaf(l.Append(nil, "", deflater()), "", 100); err != nil || len(again) != len(l) {
				t.Fatal("a leaf does not survive", err)
			}
		}
		if r, err := searchindex.DecodeRoot(b); err == nil {
			if _, err := searchindex.DecodeRoot(r.Append(nil)); err != nil {
				t.Fatal("a root does not survive", err)
			}
		}
		if p, err := groups.DecodeList(b, "tide", 3); err == nil && len(p.Docs) != 3 {
			t.Fatal("a list of another length")
		}
		if k, err := staticindex.DecodeBlock(b, 0, 0); err == nil {
			for _, s := range k[:min(len(k), 50)] {
				if d, err := searchindex.LoadDoc(s); err == nil {
					bytesOfFeed(d)
				}
			}
		}
	})
}
