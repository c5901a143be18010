package iscc

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"colophon/internal/assert"
)

// vectors are the conformance cases of the reference implementation.
type vectors struct {
	Multipliers, Addends []string
	Cases                []struct {
		Name, Text, ISCC string
		Bits, Characters int
	}
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/iscc-text.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Cases) < 5 {
		t.Fatalf("%d cases", len(v.Cases))
	}
	return v
}

func TestConformance(t *testing.T) {
	var c Coder
	for _, x := range readVectors(t).Cases {
		code, characters := c.Sum(x.Text)
		if got := code.Prefix(x.Bits); got != x.ISCC || characters != x.Characters {
			t.Errorf("%s: %s with %d characters, want %s with %d", x.Name, got, characters, x.ISCC, x.Characters)
		}
	}
}

func TestParametersAreThoseOfTheStandard(t *testing.T) {
	v := readVectors(t)
	for name, pair := range map[string][2][]string{
		"multipliers": {texts(multipliers[:]), v.Multipliers}, "addends": {texts(addends[:]), v.Addends},
	} {
		assert.EqualSlices(t, pair[0], pair[1], "the %s are others", name)
	}
}

func texts(numbers []uint64) (out []string) {
	for _, n := range numbers {
		out = append(out, strconv.FormatUint(n, 10))
	}
	return out
}

// oracle returns the collapsed text, computed step by step over the whole text
// with the toolchain's own Unicode data.
func oracle(text string) string {
	decomposed := []rune(norm.NFD.String(text))
	var b strings.Builder
	for i, r := range decomposed {
		lower := unicode.ToLower(r)
		if r == 'Σ' && endsWord(decomposed, i) {
			lower = 'ς'
		}
		if unicode.In(lower, unicode.L, unicode.N, unicode.S) {
			b.WriteRune(lower)
		}
	}
	return norm.NFKC.String(b.String())
}

func endsWord(text []rune, i int) bool {
	telling := func(r rune) bool {
		return !strings.ContainsRune("'.:·՟״‘’․‧︓﹒﹕＇．：", r) && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
	}
	isCased := func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.S) && (unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) ||
			unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase))
	}
	before := slices.Clone(text[:i])
	slices.Reverse(before)
	b, a := slices.IndexFunc(before, telling), slices.IndexFunc(text[i+1:], telling)
	return b >= 0 && isCased(before[b]) && !(a >= 0 && isCased(text[i+1+a]))
}

var scripts = []string{
	"Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Devanagari", "Bengali", "Tamil", "Thai", "Tibetan", "Hangul", "Hiragana", "Katakana",
	"Han", "Armenian", "Georgian", "Cherokee", "Common", "Inherited", "Adlam", "Kaithi",
}

// randomText mixes characters of one script with separators of words.
func randomText(r *rand.Rand) string {
	var pool []rune
	table := unicode.Scripts[scripts[r.IntN(len(scripts))]]
	for _, x := range table.R16 {
		for c := rune(x.Lo); c <= rune(x.Hi); c += rune(x.Stride) {
			pool = append(pool, c)
		}
	}
	for _, x := range table.R32 {
		for c := rune(x.Lo); c <= rune(x.Hi); c += rune(x.Stride) {
			pool = append(pool, c)
		}
	}
	others := []rune(" \n\tΣΣΣ.'’:ab\u0301\u0308\u0345\uFF9E\uFF9F\u1161\u11A8ᾳﬃ½①\u00ad\u200d\u0378")
	var b strings.Builder
	for range r.IntN(80) {
		if r.IntN(3) == 0 {
			b.WriteRune(others[r.IntN(len(others))])
		} else {
			b.WriteRune(pool[r.IntN(len(pool))])
		}
	}
	return b.String()
}

func TestCollapseEqualsTheStepsOfTheStandard(t *testing.T) {
	if unicode.Version != UnicodeVersion {
		t.Fatalf("this toolchain has Unicode %s: write the expected texts into testdata with one that has %s", unicode.Version, UnicodeVersion)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 30_000 {
		text := randomText(r)
		if got, want := string(collapse(nil, text)), oracle(text); got != want {
			t.Fatalf("%+q\ngives %+q\nwant  %+q", text, got, want)
		}
	}
}

func TestCollapseOfEachCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, text := range []string{string(r), "か" + string(r), "Σ" + string(r) + "α"} {
			if got, want := string(collapse(nil, text)), oracle(text); got != want {
				t.Fatalf("%+q gives %+q, want %+q", text, got, want)
			}
		}
	}
}

func TestCharactersOfLaterVersionsAreDropped(t *testing.T) {
	for _, text := range []string{"a\U0002EBF0b", "a\u1C89b", "a\U00010D40b"} { // assigned in 15.1 and 16.0
		assert.Equal(t, string(collapse(nil, text)), "ab", "%+q gives", text)
	}
	assert.Equal(t, string(collapse(nil, "a\xffb\xc3")), "ab", "bytes that are no UTF-8 give")
}

func TestMinimaAreThoseOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 8, 9, 17, 100, 5000} {
		features := make([]uint32, n)
		for i := range features {
			features[i] = r.Uint32()
		}
		var got [Minima]uint32
		findMinima(&got, features)
		for k := range got {
			want := ^uint32(0)
			for _, f := range features {
				v := multipliers[k]*uint64(f) + addends[k]
				want = min(want, uint32(v%(1<<61-1)))
			}
			if got[k] != want {
				t.Fatalf("minimum %d of %d features is %d, want %d", k, n, got[k], want)
			}
		}
	}
}

func TestParse(t *testing.T) {
	code := Sum("Hello World")
	for _, s := range []string{code.String(), strings.ToLower(code.String()), strings.TrimPrefix(code.String(), "ISCC:")} {
		if got, err := Parse(s); err != nil || got != code {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "ISCC:", code.Prefix(128), code.String() + "A", code.String()[:len(code.String())-1] + "Z", "ISCC:GADSKDNZNYGUUF5AMFEJLZ5P66CP5YKCOA3X7F36RWE4CIRCBTUWXYY"} {
		assert.Equal(t, assert.Err(Parse(s)), ErrCode, "%q", s)
	}
}

func TestEqualCountsMinima(t *testing.T) {
	a := Sum(strings.Repeat("the quick brown fox jumps over the lazy dog and away ", 5))
	if n := a.Equal(&a); n != Minima || Similarity(n) != 1 {
		t.Errorf("a code agrees with itself in %d", n)
	}
	b := a
	b[0] ^= 0x80  // minimum 0
	b[8] ^= 0xC0  // minima 0 and 1
	b[31] ^= 0x01 // minimum 63
	if n := a.Equal(&b); n != Minima-3 {
		t.Errorf("%d agree, want %d", n, Minima-3)
	}
	if Similarity(4) != 0 || Similarity(0) != 0 {
		t.Error("what is equal by chance counts")
	}
}

func TestBandsAreMinima(t *testing.T) {
	var minima [Minima]uint32
	for i := range minima {
		minima[i] = uint32(i * 7)
	}
	c := pack(&minima)
	for _, from := range []int{0, 5, 50} {
		want := uint32(0)
		for i := from; i < from+5; i++ {
			bits := minima[i]
			want = want<<4 | bits&1<<3 | bits>>1&1<<2 | bits>>2&1<<1 | bits>>3&1
		}
		assert.Equal(t, c.Band(from, 5), want, "band at %d", from)
	}
}

// TestEstimate checks the stated error with pairs of texts that share a known
// part of their wording.
func TestEstimate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := func(n int) (out []string) {
		for range n {
			b := make([]byte, 4+r.IntN(8))
			for i := range b {
				b[i] = byte('a' + r.IntN(26))
			}
			out = append(out, string(b))
		}
		return out
	}
	var squares float64
	const pairs = 400
	for range pairs {
		common := words(200)
		a, b := strings.Join(append(words(40), common...), " "), strings.Join(append(words(40), common...), " ")
		x, y := Sum(a), Sum(b)
		off := Similarity(x.Equal(&y)) - jaccard(a, b)
		squares += off * off
	}
	if deviation := squares / pairs; deviation > SimilarityError*SimilarityError {
		t.Errorf("the estimate is off by %v squared, more than is stated", deviation)
	}
}

func jaccard(a, b string) float64 {
	grams := func(s string) map[string]bool {
		s = string(collapse(nil, s))
		out := map[string]bool{}
		for i := 0; i+gram <= len(s); i++ {
			out[s[i:i+gram]] = true
		}
		return out
	}
	x, y := grams(a), grams(b)
	both := 0
	for g := range x {
		if y[g] {
			both++
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func FuzzSum(f *testing.F) {
	f.Add("Σίσυφος ΣΑΣ. か\uFF9E")
	f.Fuzz(func(t *testing.T, text string) {
		code := Sum(text)
		back, err := Parse(code.String())
		if err != nil || back != code {
			t.Fatalf("%v: %v", code, err)
		}
		if !utf8.Valid(collapse(nil, text)) {
			t.Fatal("the collapsed text is no UTF-8")
		}
	})
}
