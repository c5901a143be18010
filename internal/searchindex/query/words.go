package query

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

const (
	maxTopic    = 200 // characters of a question
	maxWords    = 10  // distinct words of a question that count
	fewEndings  = 96  // with fewer words that an unfinished one can mean, one more leaf is read
	maxWide     = 2   // common words among them, each a file
	fewHits     = 10  // a single word with fewer means longer ones too
	maxGuesses  = 4   // words that a misspelt one can mean
	guessFrom   = 4   // characters of a word that may be misspelt
	endingsFrom = 2   // characters of an unfinished word
	longerFrom  = 3   // bytes of a word that may mean longer ones too
)

// The weights of a term in quarters.
const (
	asAsked    = 4
	asEnding   = 3 // the most frequent of the words that an unfinished one can mean
	asGuessed  = 2 // likewise a misspelt one
	asUnlikely = 1 // the others, which are rarer: they would come first
)

// group is a set of terms of which a hit must have one.
type group []*term

func (g group) countRecords() int {
	n := 0
	for _, t := range g {
		n += t.count
	}
	return n
}

func (g group) hasWord(word string) bool {
	return slices.ContainsFunc(g, func(t *term) bool { return t.word == word })
}

// ParseTopic checks q and returns it trimmed.
func ParseTopic(q string) (string, error) {
	if len(q) > 8*maxTopic {
		return "", staticindex.InvalidParam("q", "is longer than 200 characters")
	}
	if !utf8.ValidString(q) {
		return "", staticindex.InvalidParam("q", "is not UTF-8")
	}
	q = strings.TrimSpace(q)
	if utf8.RuneCountInString(q) > maxTopic {
		return "", staticindex.InvalidParam("q", "is longer than 200 characters")
	}
	for _, r := range q {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return "", staticindex.InvalidParam("q", "has a control character")
		}
	}
	return q, nil
}

// QuestionWords returns the distinct words of q, in order.
func QuestionWords(q string) []string {
	var out []string
	searchindex.Tokens(q, func(w []byte) {
		if len(out) < maxWords && !slices.Contains(out, string(w)) {
			out = append(out, string(w))
		}
	})
	return out
}

// exactGroups finds the words as typed; the last may be unfinished. ok is false
// if one of them is in no record.
func (s *Session) exactGroups(ctx context.Context, words []string) (groups []group, ok bool, err error) {
	if err := s.prepare(ctx, words); err != nil {
		return nil, false, err
	}
	for i, w := range words {
		if t := s.findTerm(w, asAsked); t != nil {
			groups = append(groups, group{t})
			continue
		}
		if i < len(words)-1 {
			return nil, false, nil
		}
		g, err := s.wordEndings(ctx, w, maxWide)
		if err != nil || len(g) == 0 {
			return nil, false, err
		}
		groups = append(groups, g)
	}
	return groups, true, nil
}

// guessGroups finds for every word also those it could be meant for.
func (s *Session) guessGroups(ctx context.Context, words []string) (groups []group, ok bool, err error) {
	for i, w := range words {
		var g group
		if t := s.findTerm(w, asAsked); t != nil {
			g = append(g, t)
		}
		if i == len(words)-1 {
			more, err := s.wordEndings(ctx, w, maxWide)
			if err != nil {
				return nil, false, err
			}
			g = append(g, more...)
		}
		if g = append(g, s.nearWords(w, g)...); len(g) == 0 {
			return nil, false, nil
		}
		groups = append(groups, g)
	}
	return groups, true, nil
}

// wordEndings are words of the index that go on where w ends, in order: the first
// fewEndings and what else their leaves have, and wide common ones at most.
func (s *Session) wordEndings(ctx context.Context, w string, wide int) (group, error) {
	if utf8.RuneCountInString(w) < endingsFrom && w[0] < utf8.RuneSelf {
		return nil, nil
	}
	g, err := s.wordsFrom(ctx, w)
	if err != nil {
		return nil, err
	}
	var out group
	for _, t := range g {
		common := t.isCommon()
		if common {
			wide--
		}
		if t.word != w && (!common || wide >= 0) {
			out = append(out, t)
		}
	}
	out.favourFrequent(asEnding)
	return out, nil
}

// wordsFrom returns the words that begin with w, see wordEndings.
func (s *Session) wordsFrom(ctx context.Context, w string) (group, error) {
	var out group
	for n := s.root.LeafOf(w); n >= 0 && n < len(s.root.Leaves); n++ {
		if s.leaves[n] == nil {
			if err := s.readLeaves(ctx, []int{n}); err != nil {
				return nil, err
			}
		}
		leaf := s.leaves[n]
		at, _ := leaf.Find(w)
		for _, t := range leaf.Starting(at, w) {
			out = append(out, s.inLeaf(&t, asUnlikely))
		}
		if len(out) >= fewEndings || n+1 == len(s.root.Leaves) || !strings.HasPrefix(s.root.Leaves[n+1], w) && s.root.Leaves[n+1] > w {
			break
		}
	}
	from, to := s.root.CommonStarting(w)
	for n := from; n < to; n++ {
		out = append(out, s.inCommon(n, asUnlikely))
	}
	slices.SortFunc(out, func(a, b *term) int { return strings.Compare(a.word, b.word) })
	return out, nil
}

// favourFrequent assigns the weight to the most frequent term, or to the first
// of several.
func (g group) favourFrequent(weight int) {
	if len(g) == 0 {
		return
	}
	best := g[0]
	for _, t := range g {
		if t.count > best.count {
			best = t
		}
	}
	best.weight = weight
}

// nearWords are words one edit away from w, among its neighbours and the common
// words, the most frequent first; those of g are left out.
func (s *Session) nearWords(w string, g group) group {
	if utf8.RuneCountInString(w) < guessFrom {
		return nil
	}
	var out group
	add := func(t *term) {
		if t.word[0] != 1 && oneEdit(w, t.word) && !g.hasWord(t.word) {
			out = append(out, t)
		}
	}
	leaf := s.leaves[s.root.LeafOf(w)]
	for n := range leaf {
		add(s.inLeaf(&leaf[n], asUnlikely))
	}
	for n := range s.root.Common {
		add(s.inCommon(n, asUnlikely))
	}
	slices.SortFunc(out, func(a, b *term) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return strings.Compare(a.word, b.word)
	})
	out = out[:min(len(out), maxGuesses)]
	out.favourFrequent(asGuessed)
	return out
}

// oneEdit reports whether a becomes b by one character put in, left out,
// replaced, or swapped with its neighbour.
func oneEdit(a, b string) bool {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, k := utf8.DecodeRuneInString(b)
		if x != y {
			return a[n:] == b || a == b[k:] || a[n:] == b[k:] || isSwap(a[n:], b[k:], x, y)
		}
		a, b = a[n:], b[k:]
	}
	return utf8.RuneCountInString(a)+utf8.RuneCountInString(b) == 1
}

// isSwap reports whether x+a and y+b differ by a swap of their first two.
func isSwap(a, b string, x, y rune) bool {
	x2, n := utf8.DecodeRuneInString(a)
	y2, k := utf8.DecodeRuneInString(b)
	return x2 == y && y2 == x && a[n:] == b[k:]
}

// keepRare leaves out the groups that are far more frequent than another.
func keepRare(groups []group, docs int) []group {
	least := docs
	for _, g := range groups {
		least = min(least, g.countRecords())
	}
	var out []group
	for _, g := range groups {
		if !searchindex.LeftOut(g.countRecords(), least, docs) {
			out = append(out, g)
		}
	}
	return out
}
