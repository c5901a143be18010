package searchindex_test

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/internal/searchindex"
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
		docs := rapid.SampledFrom([]int{400, 5000, 1 << 20, searchindex.MaxDocs}).Draw(t, "size")
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

func candidates() []exports.Candidate {
	base := exports.Candidate{EntryID: "ent_000000000000111111111111", SiteID: "a-site", Publisher: `A "quoted" name`, CanonicalURL: "https://a.example/x", Title: "Title\nof <two> lines",
		Portable: strings.Repeat("ab", 32), Registry: strings.Repeat("cd", 32), RecordSHA256: strings.Repeat("ef", 32), ISCC: testCode, RecordVersion: 3, LedgerIndex: 9, RightsVector: "UUUUUUUU", PublishedAt: "2026-01-01T00:00:00Z"}
	other := base
	other.EntryID, other.SiteID, other.Withdrawn, other.LedgerIndex, other.Registry, other.ISCC = "old-id", "b-site", true, -1, "", ""
	return []exports.Candidate{base, other}
}

func testBucket(t testing.TB, kind string) []byte {
	t.Helper()
	k := searchindex.Bucket{Kind: kind, Bits: 3, N: 5, LedgerSize: 7, BuiltAt: "2026-01-01T00:00:00Z"}
	for _, c := range candidates() {
		tags := []string{searchindex.TagURL, searchindex.TagAlias, searchindex.TagEntry}
		if kind == searchindex.LookupFingerprint {
			tags = []string{searchindex.TagPortable, searchindex.TagRegistry}
		}
		for _, tag := range tags {
			line, err := searchindex.AppendCandidate(nil, tag, "https://alias.example/", &c)
			if err != nil {
				t.Fatal(err)
			}
			k.Lines = append(k.Lines, line)
		}
	}
	return k.Append(nil)
}

// A reference is found by its digest alone, and is no candidate.
func TestBucketRefers(t *testing.T) {
	a, b := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	k := searchindex.Bucket{Kind: searchindex.LookupFingerprint, Bits: 3, N: 5, BuiltAt: "2026-01-01T00:00:00Z"}
	for _, x := range [][3]string{{searchindex.TagPortableOf, a, "ent_000000000000111111111111"}, {searchindex.TagRegistryOf, a, "old-id"}, {searchindex.TagPortableOf, b, "other"}} {
		line, err := searchindex.AppendReference(nil, x[0], x[1], x[2])
		if err != nil {
			t.Fatal(err)
		}
		k.Lines = append(k.Lines, line)
	}
	if want := "P q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s ent_000000000000111111111111"; string(k.Lines[0]) != want {
		t.Errorf("%q, want %q", k.Lines[0], want)
	}
	got, err := searchindex.DecodeBucket(k.Append(nil), searchindex.LookupFingerprint, 3, 5)
	if err != nil {
		t.Fatal(err)
	}
	refs, err := got.References(a)
	if want := []searchindex.Reference{{Tag: "P", EntryID: "ent_000000000000111111111111"}, {Tag: "R", EntryID: "old-id"}}; err != nil || !slices.Equal(refs, want) {
		t.Errorf("%v: %v", err, refs)
	}
	if found, err := got.Find(a, searchindex.TagPortable, searchindex.TagRegistry); err != nil || len(found) != 0 {
		t.Errorf("%v: %v", err, found)
	}
	for _, digest := range []string{"", "ab", a[:62], a + "ab"} {
		if _, err := searchindex.AppendReference(nil, searchindex.TagPortableOf, digest, "x"); err == nil {
			t.Errorf("the digest %q is taken", digest)
		}
	}
	got.Lines[1] = got.Lines[1][:len(got.Lines[1])-len(" old-id")]
	if _, err := got.References(a); err == nil {
		t.Error("a reference without an entry is taken")
	}
}

func TestBucketFindsAllCandidates(t *testing.T) {
	file := testBucket(t, searchindex.LookupPrimary)
	k, err := searchindex.DecodeBucket(file, searchindex.LookupPrimary, 3, 5)
	if err != nil || k.LedgerSize != 7 {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value string
		tags  []string
		want  []string
	}{
		{"https://a.example/x", []string{searchindex.TagURL, searchindex.TagAlias}, []string{"ent_000000000000111111111111", "old-id"}},
		{"https://alias.example/", []string{searchindex.TagURL, searchindex.TagAlias}, []string{"ent_000000000000111111111111", "old-id"}},
		{"old-id", []string{searchindex.TagEntry}, []string{"old-id"}},
		{"a-site", []string{searchindex.TagURL, searchindex.TagAlias, searchindex.TagEntry}, nil},
		{"https://a.example/", []string{searchindex.TagURL, searchindex.TagAlias}, nil},
	} {
		got, err := k.Find(c.value, c.tags...)
		var ids []string
		for i := range got {
			ids = append(ids, got[i].EntryID)
		}
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("%q: %v, %q", c.value, err, ids)
		}
	}
	f, err := searchindex.DecodeBucket(testBucket(t, searchindex.LookupFingerprint), searchindex.LookupFingerprint, 3, 5)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Find(strings.Repeat("cd", 32), searchindex.TagPortable, searchindex.TagRegistry)
	if want := candidates()[0]; err != nil || len(got) != 1 || got[0].Basis != exports.BasisRegistry || got[0].Title != want.Title || got[0].RecordSHA256 != want.RecordSHA256 || got[0].ISCC != testCode {
		t.Errorf("%v: %+v", err, got)
	}
	if _, err := searchindex.DecodeBucket(file, searchindex.LookupPrimary, 3, 4); err == nil {
		t.Error("another bucket is taken")
	}
	if _, err := searchindex.DecodeBucket(file, searchindex.LookupFingerprint, 3, 5); err == nil {
		t.Error("a bucket of the other index is taken")
	}
	for i := range file {
		if _, err := searchindex.DecodeBucket(file[:i], searchindex.LookupPrimary, 3, 5); err == nil {
			t.Fatalf("a bucket cut at %d is taken", i)
		}
	}
}

func TestSitesFind(t *testing.T) {
	rows := []searchindex.SiteRow{{SiteID: "a-site", First: 3, Count: 4}, {SiteID: "b-site"}}
	file := searchindex.AppendSites(nil, 2, rows)
	got, err := searchindex.FindSite(file, 2, "a-site")
	if err != nil || got == nil || got.First != 3 || got.Count != 4 {
		t.Fatal(err, got)
	}
	if got, err := searchindex.FindSite(file, 2, "site"); err != nil || got != nil {
		t.Error("part of a name is found", err, got)
	}
	for i := range file {
		if _, err := searchindex.FindSite(file[:i], 2, "a-site"); err == nil {
			t.Fatalf("a file cut at %d is taken", i)
		}
	}
}

// FuzzFiles: whatever the bytes, no decoder panics or takes a file whose
// encoding is another.
func FuzzFiles(f *testing.F) {
	p := searchindex.Postings{Docs: []uint32{1, 5, 9}, Impacts: []uint8{3, 15, 0}}
	leaf := searchindex.Leaf{{Word: "tide", Count: 3, List: searchindex.AppendPostings(nil, p)}}
	root := searchindex.Root{Docs: 10, PerFile: 4, Leaves: []string{"", "m"}, Common: []searchindex.Term{{Word: "the", Count: 9}}}
	d := fullDoc()
	page := wire.Append(nil, &d)
	k := searchindex.Block{page, page}
	f.Add(leaf.Append(nil, 0, deflater()))
	f.Add(root.Append(nil))
	f.Add(k.Append(nil, 0, deflater()))
	f.Add(searchindex.AppendList(nil, 0, p))
	f.Add(testBucket(f, searchindex.LookupPrimary))
	f.Add(searchindex.AppendSites(nil, 0, []searchindex.SiteRow{{SiteID: "a-site"}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := searchindex.DecodeLeaf(b, 0, 100); err == nil && !bytes.Equal(l.Append(nil, 0, deflater()), b) {
			// Front coding may share less than it could; the words are the same.
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
		if k, err := searchindex.DecodeBlock(b, 0); err == nil {
			for _, s := range k[:min(len(k), 50)] {
				if d, err := searchindex.LoadDoc(s); err == nil {
					bytesOfFeed(d)
				}
			}
		}
		_, _ = searchindex.FindSite(b, 0, "a-site")
		if k, err := searchindex.DecodeBucket(b, searchindex.LookupPrimary, 3, 5); err == nil {
			_, _ = k.Find("https://a.example/x", searchindex.TagURL)
			_, _ = k.References(strings.Repeat("ab", 32))
			if !bytes.Equal(k.Append(nil), b) {
				t.Fatal("a bucket does not survive")
			}
		}
	})
}

// testCode is the similarity code of "Hello World" (ISO 24138's conformance cases).
const testCode = "ISCC:EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY"

func TestCandidateWithAnotherCodeIsRefused(t *testing.T) {
	for _, code := range []string{"ISCC:EAASKDNZNYGUUF5A", "EADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY", "x"} {
		c := candidates()[0]
		c.ISCC = code
		if _, err := searchindex.AppendCandidate(nil, searchindex.TagURL, "", &c); err == nil {
			t.Errorf("%q was filed", code)
		}
	}
}
