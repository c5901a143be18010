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

func drawPostings(t *rapid.T, docs int) searchindex.Postings {
	list := rapid.SliceOfNDistinct(rapid.Uint32Range(0, uint32(docs-1)), 1, min(docs, 400), rapid.ID).Draw(t, "docs")
	slices.Sort(list)
	impacts := rapid.SliceOfN(rapid.Uint8Range(0, searchindex.MaxImpact), len(list), len(list)).Draw(t, "impacts")
	return searchindex.Postings{Docs: list, Impacts: impacts}
}

func TestPostingsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SampledFrom([]int{400, 5000, 1 << 20, staticindex.MaxRecords}).Draw(t, "size")
		p := drawPostings(t, docs)
		b := searchindex.AppendPostings(nil, p)
		got, err := searchindex.DecodePostings(b, len(p.Docs), docs)
		if err != nil || !slices.Equal(got.Docs, p.Docs) || !slices.Equal(got.Impacts, p.Impacts) {
			t.Fatalf("%v: %v gives %v", err, p, got)
		}
		if _, err := searchindex.DecodePostings(append(b, 0), len(p.Docs), docs); err == nil {
			t.Fatal("a byte more is taken")
		}
		if _, err := searchindex.DecodePostings(b[:len(b)-1], len(p.Docs), docs); err == nil {
			t.Fatal("a byte less is taken")
		}
		if last := int(p.Docs[len(p.Docs)-1]); last >= len(p.Docs) {
			if _, err := searchindex.DecodePostings(b, len(p.Docs), last); err == nil {
				t.Fatal("a number out of range is taken")
			}
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
		root.Docs, root.PerFile = 5000, 48
		for _, w := range words {
			p := drawPostings(t, 5000)
			leaf = append(leaf, searchindex.Term{Word: w, Count: len(p.Docs), List: searchindex.AppendPostings(nil, p)})
			root.Common = append(root.Common, searchindex.Term{Word: w, Count: len(p.Docs)})
		}
		root.Leaves = append([]string{""}, words...)
		n := rapid.IntRange(0, 1<<20).Draw(t, "number")
		b := leaf.Append(nil, n, deflater())
		got, err := searchindex.DecodeLeaf(b, n, 5000)
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
		if _, err := searchindex.DecodeLeaf(b, n+1, 5000); err == nil {
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
	r := searchindex.Root{Docs: 4, PerFile: 16, Ranks: []uint32{1<<32 - 1, 7, 7, 0}}
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
	leaf := searchindex.Leaf{{Word: "tide", Count: 3, List: searchindex.AppendPostings(nil, p)}}
	root := searchindex.Root{Docs: 10, PerFile: 4, Leaves: []string{"", "m"}, Common: []searchindex.Term{{Word: "the", Count: 9}}}
	d := fullDoc()
	page := wire.Append(nil, &d)
	k := staticindex.Block{page, page}
	f.Add(leaf.Append(nil, 0, deflater()))
	f.Add(root.Append(nil))
	f.Add(k.Append(nil, 0, deflater()))
	f.Add(searchindex.AppendList(nil, 0, p))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := searchindex.DecodeLeaf(b, 0, 100); err == nil && !bytes.Equal(l.Append(nil, 0, deflater()), b) {
			// Front coding may share less than it could, but the words are the
			// same.
			if again, err := searchindex.DecodeLeaf(l.Append(nil, 0, deflater()), 0, 100); err != nil || len(again) != len(l) {
				t.Fatal("a leaf does not survive", err)
			}
		}
		if r, err := searchindex.DecodeRoot(b); err == nil {
			if _, err := searchindex.DecodeRoot(r.Append(nil)); err != nil {
				t.Fatal("a root does not survive", err)
			}
		}
		if p, err := searchindex.DecodeList(b, 0, 3, 100); err == nil && len(p.Docs) != 3 {
			t.Fatal("a list of another length")
		}
		if k, err := staticindex.DecodeBlock(b, 0); err == nil {
			for _, s := range k[:min(len(k), 50)] {
				if d, err := searchindex.LoadDoc(s); err == nil {
					bytesOfFeed(d)
				}
			}
		}
	})
}
