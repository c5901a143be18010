package searchindex

import (
	"math/bits"
	"slices"
)

// Hit is a record that was found, with the sum of its words' scores.
type Hit struct{ Doc, Score uint32 }

// Steps is how finely hits are distinguished: a score counts in Steps-ths of
// the best one, rounded down. Smaller differences are noise, and hits that are
// equal in this sense come in an order that reads few files.
const Steps = 8

// Best moves the n best of hits, whose numbers rise, to the front in order:
// the higher step first; within a step the block (of perFile records) with
// more hits of that step; then the lower number. It leaves the step as their
// score and returns the best score, for ScoreStep.
func Best(hits []Hit, perFile, n int) (top uint32) {
	for _, h := range hits {
		top = max(top, h.Score)
	}
	n = min(n, len(hits))
	if n == 0 {
		return top
	}
	keys := make([]uint64, len(hits))
	for lo := 0; lo < len(hits); {
		block := int(hits[lo].Doc) / perFile
		var crowd [Steps + 1]uint16 // a block has fewer than 1<<16 records
		hi := lo
		for ; hi < len(hits) && int(hits[hi].Doc)/perFile == block; hi++ {
			crowd[ScoreStep(hits[hi].Score, top)]++
		}
		for ; lo < hi; lo++ {
			step := ScoreStep(hits[lo].Score, top)
			keys[lo] = uint64(Steps-step)<<48 | uint64(^crowd[step])<<32 | uint64(hits[lo].Doc)
		}
	}
	selectSmallest(keys, n)
	slices.Sort(keys[:n])
	for i, k := range keys[:n] {
		hits[i] = Hit{uint32(k), Steps - uint32(k>>48)}
	}
	return top
}

// ScoreStep returns the step of a score when top is the best.
func ScoreStep(score, top uint32) uint32 { return uint32(uint64(score) * Steps / uint64(max(1, top))) }

// Rarity returns what a word in count of docs records counts:
// log2((2N+2)/(2n+1)) in 1/256, at least 1, in integers. A record's score for
// the word is that times its impact.
func Rarity(docs, count int) uint32 {
	x := ((2*uint64(docs) + 2) << 24) / (2*uint64(count) + 1)
	whole := bits.Len64(x) - 1
	m := x << (62 - uint(whole)) >> 31 // 1 to 2 in 31 bits of fraction
	out := uint32(whole-24) << 8
	for bit := uint32(128); bit > 0; bit >>= 1 {
		if m = m * m >> 31; m >= 1<<32 {
			m >>= 1
			out += bit
		}
	}
	return max(1, out)
}

// LeftOut reports whether a word in count of docs records is too frequent to
// search for beside one in least: it would cost more than all the rest and
// distinguish nothing.
func LeftOut(count, least, docs int) bool {
	return count >= 8192 && count > docs/32 && count >= least*16
}

// selectSmallest moves the n smallest keys, all distinct, to the front.
func selectSmallest(keys []uint64, n int) {
	lo, hi := 0, len(keys)
	for hi-lo > 32 && lo < n && n < hi {
		pivot := medianOf3(keys[lo], keys[(lo+hi)/2], keys[hi-1])
		i := lo
		for j := lo; j < hi; j++ {
			if keys[j] < pivot {
				keys[i], keys[j] = keys[j], keys[i]
				i++
			}
		}
		if i >= n {
			hi = i
		} else {
			lo = i
		}
	}
	slices.Sort(keys[lo:hi])
}

func medianOf3(a, b, c uint64) uint64 {
	if a > b {
		a, b = b, a
	}
	return max(a, min(b, c))
}
