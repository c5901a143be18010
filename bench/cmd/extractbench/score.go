package main

import (
	"unicode"
)

// words splits a text into words: runs of letters and digits. In scripts
// without spaces each character is a word.
func words(text string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, string(word))
		}
		word = word[:0]
	}
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			flush()
			list = append(list, string(r))
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			word = append(word, unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
	return list
}

// score is the comparison of two multisets of words.
type score struct{ recall, precision, f1 float64 }

func compare(got, want string) score {
	have := map[string]int{}
	g, w := words(got), words(want)
	for _, x := range g {
		have[x]++
	}
	common := 0
	for _, x := range w {
		if have[x] > 0 {
			have[x]--
			common++
		}
	}
	if common == 0 {
		return score{}
	}
	r, p := float64(common)/float64(len(w)), float64(common)/float64(len(g))
	return score{r, p, 2 * r * p / (r + p)}
}

// total adds up scores.
type total struct {
	n                                int
	recall, precision, f1            float64
	goodRecall, goodF1, low, unnoted int
}

func (t *total) add(s score, review bool) {
	t.n++
	t.recall += s.recall
	t.precision += s.precision
	t.f1 += s.f1
	if s.recall >= .95 {
		t.goodRecall++
	}
	if s.f1 >= .95 {
		t.goodF1++
	}
	if s.f1 < .5 {
		t.low++
		if !review {
			t.unnoted++
		}
	}
}

func (t *total) mean(sum float64) float64 { return sum / float64(max(1, t.n)) }

func (t *total) percent(n int) float64 { return 100 * float64(n) / float64(max(1, t.n)) }
