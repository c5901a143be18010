package canonicaltext_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"colophon/internal/canonicaltext"
	"colophon/internal/outcome"
)

// assigned returns a function that reports whether Unicode 15.0.0 assigns a
// code point, by the frozen list.
func assigned(t testing.TB) func(rune) bool {
	b, err := os.ReadFile("testdata/unicode-15.0.0-assigned.txt")
	must(t, err)
	table := &unicode.RangeTable{}
	for _, line := range strings.Fields(string(b)) {
		var first, last uint32
		if _, err := fmt.Sscanf(line, "%X..%X", &first, &last); err != nil {
			t.Fatal(err)
		}
		table.R32 = append(table.R32, unicode.Range32{Lo: first, Hi: last, Stride: 1})
	}
	return func(r rune) bool {
		_, found := slices.BinarySearchFunc(table.R32, uint32(r), func(x unicode.Range32, r uint32) int {
			switch {
			case x.Hi < r:
				return -1
			case x.Lo > r:
				return 1
			}
			return 0
		})
		return found
	}
}

// oracle is a naive implementation of the profile with x/text: each character's
// own decomposition and class, a stable sort, pairwise composition. It does not
// use x/text's own normal form, which splits runs of more than 30 marks.
type oracle struct{ assigned func(rune) bool }

func (o oracle) canonical(s string) string {
	var kept []rune
	wrapper := false
	for _, r := range s {
		selector := r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
		wrapper = r == 0xFEFF || wrapper && selector
		if !wrapper && !strings.ContainsRune("\u00ad\u200b\u2060", r) {
			kept = append(kept, r)
		}
	}
	return strings.Join(strings.FieldsFunc(string(o.nfc(kept)), unicode.IsSpace), " ")
}

func (o oracle) nfc(in []rune) []rune {
	var all []rune
	for _, r := range in {
		if o.assigned(r) {
			all = append(all, []rune(norm.NFD.String(string(r)))...)
		} else {
			all = append(all, r)
		}
	}
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && o.class(all[j]) != 0 {
			j++
		}
		slices.SortStableFunc(all[i:j], func(a, b rune) int { return int(o.class(a)) - int(o.class(b)) })
		i = j + 1
	}
	return o.join(all)
}

func (o oracle) join(all []rune) (out []rune) {
	starter := -1
	for _, r := range all {
		free := starter == len(out)-1 || len(out) > 0 && o.class(out[len(out)-1]) < o.class(r)
		if starter >= 0 && free && o.assigned(r) && o.assigned(out[starter]) {
			both := []rune(norm.NFC.String(string(out[starter]) + string(r)))
			if len(both) == 1 {
				out[starter] = both[0]
				continue
			}
		}
		if o.class(r) == 0 {
			starter = len(out)
		}
		out = append(out, r)
	}
	return out
}

func (o oracle) class(r rune) uint8 {
	if !o.assigned(r) {
		return 0
	}
	return norm.NFD.PropertiesString(string(r)).CCC()
}

func (o oracle) compare(t *testing.T, s string) {
	t.Helper()
	got, err := canonicaltext.CanonicalText(s)
	if err != nil {
		t.Fatalf("CanonicalText(%+q): %v", s, err)
	}
	if want := o.canonical(s); got != want {
		t.Fatalf("CanonicalText(%+q)\n got %+q\nwant %+q", s, got, want)
	}
	if again, err := canonicaltext.CanonicalText(got); err != nil || again != got {
		t.Fatalf("not idempotent: %+q became %+q, %v", got, again, err)
	}
}

func TestEveryScalarAgreesWithOracle(t *testing.T) {
	o := oracle{assigned(t)}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if utf8.ValidRune(r) && !(r >= 0x30000 && r&0xFF > 1) {
			o.compare(t, "a"+string(r)+"\u0323\u0301")
		}
	}
}

// TestEveryCompositionAgreesWithOracle combines each first half of a canonical
// composition with each second half.
func TestEveryCompositionAgreesWithOracle(t *testing.T) {
	o := oracle{assigned(t)}
	firsts, seconds := map[rune]bool{}, map[rune]bool{0x11A8: true, 0x1161: true, 0x11A7: true, 0x1D165: true, 0x10D69: true}
	for r := rune(0); r < 0x30000; r++ {
		if parts := []rune(norm.NFD.String(string(r))); o.assigned(r) && len(parts) > 1 && (r < 0xAC00 || r > 0xD7A3 || r%97 == 0) {
			firsts[parts[0]], seconds[parts[len(parts)-1]] = true, true
			firsts[r] = true
		}
	}
	for a := range firsts {
		var b strings.Builder
		for c := range seconds {
			b.WriteString(string(a) + string(c) + "-")
		}
		o.compare(t, b.String())
	}
}

func TestRandomTextAgreesWithOracle(t *testing.T) {
	o := oracle{assigned(t)}
	n := 20_000
	if testing.Short() {
		n = 2_000
	}
	random := rand.New(rand.NewPCG(1, 15))
	for range n {
		o.compare(t, randomText(random))
	}
}

// randomText mixes the ranges of characters that the profile changes.
func randomText(random *rand.Rand) string {
	ranges := [...][2]rune{
		{0x20, 0x7F}, {0x00, 0x20}, {0x80, 0x250}, {0x300, 0x370}, {0x300, 0x370}, {0x323, 0x324}, {0x590, 0x600},
		{0x900, 0xE00}, {0xF40, 0xFBD}, {0x1100, 0x1200}, {0xAC00, 0xD7A4}, {0x1AB0, 0x1B00}, {0x1DC0, 0x2070},
		{0x2000, 0x2070}, {0xF900, 0xFB50}, {0xFE00, 0xFE30}, {0xFEFF, 0xFF00}, {0x3000, 0x30FF}, {0x10D60, 0x10D70},
		{0x11080, 0x11400}, {0x16D60, 0x16D70}, {0x1D150, 0x1D1F0}, {0x1E000, 0x1E950}, {0x2F800, 0x2FA20}, {0xE0100, 0xE01F0},
	}
	var b strings.Builder
	for range 1 + random.IntN(40) {
		span := ranges[random.IntN(len(ranges))]
		for range 1 + random.IntN(3) {
			if r := span[0] + random.Int32N(span[1]-span[0]); utf8.ValidRune(r) {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

func FuzzCanonicalText(f *testing.F) {
	var v textVectors
	readTextJSON(f, "canonical-text.json", &v)
	for _, c := range v.Vectors {
		f.Add(c.Input)
	}
	f.Add("\xc0\xaf")
	o := oracle{assigned(f)}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			if _, err := canonicaltext.CanonicalText(s); err != outcome.TextIllFormed {
				t.Fatalf("CanonicalText(%q): %v", s, err)
			}
			return
		}
		o.compare(t, s)
	})
}
