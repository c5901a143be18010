package query

import (
	"slices"

	"colophon/internal/searchindex"
)

// scoreGroup returns the records of a group, each with its best term's score.
func (s *Session) scoreGroup(g group) []searchindex.Hit {
	if len(g) > 1 {
		return mergeEither(s.scoreGroup(g[:len(g)/2]), s.scoreGroup(g[len(g)/2:]))
	}
	t := g[0]
	r := searchindex.Rarity(s.root.Docs, t.count) * uint32(t.weight)
	out := make([]searchindex.Hit, len(t.p.Docs))
	for i, d := range t.p.Docs {
		out[i] = searchindex.Hit{Doc: d, Score: r * uint32(t.p.Impacts[i])}
	}
	return out
}

// mergeEither merges two rising lists, keeping the better score.
func mergeEither(a, b []searchindex.Hit) []searchindex.Hit {
	return mergeHits(a, b, func(x, y uint32) uint32 { return max(x, y) })
}

// mergeSum merges two rising lists, adding the scores.
func mergeSum(a, b []searchindex.Hit) []searchindex.Hit {
	return mergeHits(a, b, func(x, y uint32) uint32 { return x + y })
}

func mergeHits(a, b []searchindex.Hit, score func(x, y uint32) uint32) []searchindex.Hit {
	out := make([]searchindex.Hit, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Doc < b[0].Doc:
			out, a = append(out, a[0]), a[1:]
		case a[0].Doc > b[0].Doc:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, searchindex.Hit{Doc: a[0].Doc, Score: score(a[0].Score, b[0].Score)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// mergeBoth keeps the records of a that b has too, adding the scores. a is the
// shorter one and is overwritten.
func mergeBoth(a, b []searchindex.Hit) []searchindex.Hit {
	out := a[:0]
	for _, x := range a {
		b = b[searchForward(len(b), func(i int) bool { return b[i].Doc >= x.Doc }):]
		if len(b) == 0 {
			break
		}
		if b[0].Doc == x.Doc {
			out = append(out, searchindex.Hit{Doc: x.Doc, Score: x.Score + b[0].Score})
		}
	}
	return out
}

// keepAmong keeps the records that are in docs.
func keepAmong(a []searchindex.Hit, docs []uint32) []searchindex.Hit {
	out := a[:0]
	for _, x := range a {
		docs = docs[searchForward(len(docs), func(i int) bool { return docs[i] >= x.Doc }):]
		if len(docs) == 0 {
			break
		}
		if docs[0] == x.Doc {
			out = append(out, x)
		}
	}
	return out
}

// keepBefore keeps the records below end.
func keepBefore(a []searchindex.Hit, end uint32) []searchindex.Hit {
	n, _ := slices.BinarySearchFunc(a, end, func(x searchindex.Hit, end uint32) int {
		if x.Doc < end {
			return -1
		}
		return 1
	})
	return a[:n]
}

// searchForward returns the first of n places at which ok holds, found by
// doubling steps: quick when it is near.
func searchForward(n int, ok func(int) bool) int {
	lo, step := 0, 1
	for lo+step <= n && !ok(lo+step-1) {
		lo += step
		step *= 2
	}
	hi := min(n, lo+step)
	for lo < hi {
		if mid := (lo + hi) / 2; ok(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// dropHits leaves the records of b out of a, which is overwritten.
func dropHits(a, b []searchindex.Hit) []searchindex.Hit {
	out := a[:0]
	for _, x := range a {
		b = b[searchForward(len(b), func(i int) bool { return b[i].Doc >= x.Doc }):]
		if len(b) == 0 || b[0].Doc != x.Doc {
			out = append(out, x)
		}
	}
	return out
}

// pickPage orders hits and returns limit of them from pos on.
func (s *Session) pickPage(pos, limit int, hits []searchindex.Hit, groups []group) *Answer {
	a := &Answer{Total: len(hits)}
	from, to := min(pos, len(hits)), min(pos+limit, len(hits))
	if from == to {
		return a
	}
	searchindex.Best(hits, s.root.PerFile, to)
	for _, h := range hits[from:to] {
		a.Docs = append(a.Docs, h.Doc)
		a.Scores = append(a.Scores, displayedScore(h.Score))
		a.Terms = append(a.Terms, termsOf(h.Doc, groups))
	}
	return a
}

// termsOf returns the terms that a record has.
func termsOf(doc uint32, groups []group) []string {
	var out []string
	for _, g := range groups {
		for _, t := range g {
			if _, ok := slices.BinarySearch(t.p.Docs, doc); ok && !slices.Contains(out, t.word) {
				out = append(out, t.word)
			}
		}
	}
	slices.Sort(out)
	return out
}

// displayedScore returns a step as thousandths, at least 1.
func displayedScore(step uint32) int64 {
	return max(1, (1000*int64(step)+searchindex.Steps/2)/searchindex.Steps)
}
