package corpus

import (
	"slices"
	"strings"

	"colophon/internal/searchindex"
)

// Query is one search request, made from the page From, which matches it
// unless Kind is "typo".
type Query struct {
	Q, Kind, From string
}

// Kinds are the kinds of queries, in the order in which they come.
var Kinds = []string{"one", "two", "three", "two", "prefix", "one", "two", "three", "typo", "common"}

// Query makes query k: one, two or three words of a title without function
// words; a word and the beginning of another; a misspelt rare word; or two
// frequent words.
func (c *Generator) Query(k int) Query {
	r := newStream(c.Seed, kindQuery, uint64(k))
	e := c.Page(r.belowN(c.Pages))
	var words []string
	for _, w := range searchindex.Words(e.Title) {
		if !slices.Contains(functionWords, w) && len(w) > 2 {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = searchindex.Words(e.Title)
	}
	for i := range words {
		j := i + r.belowN(len(words)-i)
		words[i], words[j] = words[j], words[i]
	}
	q := Query{Kind: Kinds[k%len(Kinds)], From: e.EntryID}
	take := func(n int) string { return strings.Join(words[:min(n, len(words))], " ") }
	switch q.Kind {
	case "one":
		q.Q = take(1)
	case "two":
		q.Q = take(2)
	case "three":
		q.Q = take(3)
	case "prefix":
		last := []rune(words[len(words)-1])
		q.Q = words[0] + " " + string(last[:(len(last)+1)/2+1])
		if len(words) == 1 {
			q.Q = words[0]
		}
	case "typo":
		q.Q = misspellWord(&r, words)
	case "common":
		q.Q = c.words[70+r.belowN(60)] + " " + c.words[70+r.belowN(60)]
	}
	return q
}

// misspellWord returns the longest word without one of its letters after the
// fourth, or unchanged if it is short.
func misspellWord(r *stream, words []string) string {
	longest := words[0]
	for _, w := range words {
		if len(w) > len(longest) {
			longest = w
		}
	}
	x := []rune(longest)
	if len(x) < 6 {
		return longest
	}
	at := 4 + r.belowN(len(x)-4)
	return string(slices.Delete(x, at, at+1))
}
