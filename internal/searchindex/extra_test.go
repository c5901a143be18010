package searchindex_test

import (
	"slices"
	"strconv"
	"testing"

	"colophon/internal/searchindex"

	"pgregory.net/rapid"
)

func TestExtrasRoundTrip(t *testing.T) {
	z := deflater()
	rapid.Check(t, func(t *rapid.T) {
		var want []searchindex.Extra
		for _, w := range drawWords(t) {
			for part := range rapid.IntRange(1, 3).Draw(t, "parts") {
				x := searchindex.Extra{Word: w, Part: part, Docs: drawPostings(t, 5000).Docs}
				for _, d := range x.Docs {
					x.Records = append(x.Records, searchindex.Stored{Texts: []string{w, strconv.Itoa(int(d))}, Ints: []uint64{uint64(d)}, Raw: []byte{byte(d)}})
				}
				want = append(want, x)
			}
		}
		b := searchindex.AppendExtras(nil, 7, want, z)
		got, err := searchindex.DecodeExtras(b, 7, 5000)
		if err != nil || len(got) != len(want) {
			t.Fatal(err, len(got))
		}
		for i, x := range want {
			if got[i].Word != x.Word || got[i].Part != x.Part || !slices.Equal(got[i].Docs, x.Docs) || !slices.EqualFunc(got[i].Records, x.Records, sameStored) {
				t.Fatalf("%q, part %d differs", x.Word, x.Part)
			}
		}
		if _, err := searchindex.DecodeExtras(b, 8, 5000); err == nil {
			t.Fatal("another file is taken")
		}
	})
}

func TestExtraFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, files := rapid.String().Draw(t, "word"), rapid.IntRange(1, 1<<20).Draw(t, "files")
		parts := searchindex.ExtraParts(rapid.IntRange(0, 1<<20).Draw(t, "count"))
		part := searchindex.ExtraPart(w, parts)
		if n := searchindex.ExtraFile(w, part, files); part < 0 || part >= parts || n < 0 || n >= files {
			t.Fatalf("part %d of %d, file %d of %d", part, parts, n, files)
		}
	})
}
