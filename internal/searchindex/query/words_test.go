package query

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"colophon/internal/assert"
	"colophon/internal/searchindex"

	"pgregory.net/rapid"
)

func TestOneEdit(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"tide", "tide", false}, {"tide", "tides", true}, {"tides", "tide", true}, {"tide", "tile", true}, {"tide", "itde", true}, {"tide", "tied", true},
		{"tide", "edit", false}, {"tide", "tdie", true}, {"tide", "tid", true}, {"tide", "ide", true}, {"tide", "ti", false}, {"", "t", true}, {"", "", false},
		{"océan", "ocean", true}, {"東京都", "東京", true}, {"ab", "ba", true}, {"abc", "cba", false},
	} {
		assert.Equal(t, oneEdit(c.a, c.b), c.want, "oneEdit(%q, %q)", c.a, c.b)
	}
}

// TestOneEditAgainstTable compares with the edit distance by dynamic
// programming.
func TestOneEditAgainstTable(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abé東")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := oneEdit(a, b), distance([]rune(a), []rune(b)) == 1; got != want {
			t.Fatalf("oneEdit(%q, %q) = %v", a, b, got)
		}
	})
}

func distance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestRarity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.IntRange(1, 1<<28).Draw(t, "docs")
		count := rapid.IntRange(1, docs).Draw(t, "count")
		want := math.Max(1, 256*math.Log2((2*float64(docs)+2)/(2*float64(count)+1)))
		if got := float64(searchindex.Rarity(docs, count)); math.Abs(got-want) > 1.01 {
			t.Fatalf("rarity(%d, %d) = %g, want %g", docs, count, got, want)
		}
	})
}

func TestTopic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.String().Draw(t, "q")
		if got, err := ParseTopic(q); err == nil && (utf8.RuneCountInString(got) > maxTopic || strings.TrimSpace(got) != got) {
			t.Fatalf("topic(%q) = %q", q, got)
		}
	})
}

func TestReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		at := rapid.IntRange(0, n).Draw(t, "at")
		if got := searchForward(n, func(i int) bool { return i >= at }); got != at {
			t.Fatalf("reach(%d) finds %d, want %d", n, got, at)
		}
	})
}

// TestRare checks that a word is left out only if it is in many records, in a
// large part of all records, and far more frequent than another word of the
// query.
func TestRare(t *testing.T) {
	of := func(counts ...int) (groups []group) {
		for _, n := range counts {
			groups = append(groups, group{{count: n}})
		}
		return groups
	}
	for _, c := range []struct {
		docs   int
		counts []int
		want   []int
	}{
		{1_000_000, []int{150_000, 800}, []int{800}},
		{1_000_000, []int{800, 150_000, 90}, []int{800, 90}},
		{1_000_000, []int{150_000}, []int{150_000}},
		{1_000_000, []int{150_000, 120_000}, []int{150_000, 120_000}},
		{1_000_000, []int{150_000, 10_000}, []int{150_000, 10_000}}, // 15 times
		{1_000_000, []int{31_000, 10}, []int{31_000, 10}},           // less than one in 32
		{10_000, []int{8_000, 1}, []int{8_000, 1}},                  // few records
	} {
		var got []int
		for _, g := range keepRare(of(c.counts...), c.docs) {
			got = append(got, g.countRecords())
		}
		assert.EqualSlices(t, got, c.want, "%v of %d", c.counts, c.docs)
	}
}
