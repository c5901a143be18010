package canonicaltext

import "unicode/utf8"

//go:generate go run ./tables -assigned testdata/unicode-15.0.0-assigned.txt -out tables.go

// How nfcValue describes a code point:
//
//	0             a starter that composes with nothing before it
//	1..254        its canonical combining class
//	255           class 0, but may compose with the character before it
//	256..         256 + offset of its decomposition in nfcPool
//	0x8000 + n    the same, and the character never occurs in NFC
const (
	nfcMayCompose = 255
	nfcFirstPool  = 256
	nfcNever      = 0x8000

	nfcBlockBits = 6
	nfcTableEnd  = rune(len(nfcIndex) << nfcBlockBits)
)

// The Hangul syllables compose by arithmetic (Unicode Standard, section 3.12).
const (
	hangulL, hangulV, hangulT, hangulS = 0x1100, 0x1161, 0x11A7, 0xAC00
	hangulLCount, hangulVCount         = 19, 21
	hangulTCount, hangulSCount         = 28, 11172
)

func nfcValue(r rune) uint16 {
	if r >= nfcTableEnd {
		return 0
	}
	block := int(nfcIndex[r>>nfcBlockBits])
	return nfcBlocks[block<<nfcBlockBits|int(r)&(1<<nfcBlockBits-1)]
}

// nfcClass returns the canonical combining class of a fully decomposed
// character.
func nfcClass(r rune) uint8 {
	if v := nfcValue(r); v < nfcMayCompose {
		return uint8(v)
	}
	return 0
}

// startsSegment reports whether a character of value v is in NFC already and
// neither composes nor reorders with anything before it.
func startsSegment(v uint16) bool {
	return v == 0 || v >= nfcFirstPool && v < nfcNever
}

// A mark is one decomposed character with its combining class.
type mark struct {
	r     rune
	class uint8
}

// A segment is a run of characters that may interact under NFC: one that
// startsSegment and all that follow up to the next. It keeps its memory
// between runs.
type segment struct {
	in   []rune
	all  []mark
	sort []mark
}

// composeNFC returns the NFC of the segment. It is linear in its length.
func (s *segment) composeNFC() []mark {
	s.all = s.all[:0]
	for _, r := range s.in {
		s.all = appendDecomposed(s.all, r)
	}
	s.orderMarks()
	return joinMarks(s.all)
}

// appendDecomposed adds the full canonical decomposition of r.
func appendDecomposed(dst []mark, r rune) []mark {
	if syllable := r - hangulS; syllable >= 0 && syllable < hangulSCount {
		l := syllable / hangulTCount / hangulVCount
		v := syllable / hangulTCount % hangulVCount
		t := syllable % hangulTCount
		dst = append(dst, mark{r: hangulL + l}, mark{r: hangulV + v})
		if t > 0 {
			dst = append(dst, mark{r: hangulT + t})
		}
		return dst
	}
	v := nfcValue(r)
	if v < nfcFirstPool {
		return append(dst, mark{r, nfcClass(r)})
	}
	at := int(v&^nfcNever) - nfcFirstPool
	parts := nfcPool[at+1 : at+1+int(nfcPool[at])]
	for len(parts) > 0 {
		part, size := utf8.DecodeRune(parts)
		dst = append(dst, mark{part, nfcClass(part)})
		parts = parts[size:]
	}
	return dst
}

// orderMarks sorts each run of marks by class and keeps equal classes in order.
func (s *segment) orderMarks() {
	for i := 0; i < len(s.all); {
		if s.all[i].class == 0 {
			i++
			continue
		}
		end := i + 1
		for end < len(s.all) && s.all[end].class != 0 {
			end++
		}
		s.orderRun(s.all[i:end])
		i = end
	}
}

// orderRun sorts a short run by insertion and a long one by counting, so that
// a megabyte of stacked marks costs no more for each mark than a few do.
func (s *segment) orderRun(run []mark) {
	if len(run) <= 16 {
		for i := 1; i < len(run); i++ {
			for j := i; j > 0 && run[j-1].class > run[j].class; j-- {
				run[j-1], run[j] = run[j], run[j-1]
			}
		}
		return
	}
	var place [257]int
	for _, m := range run {
		place[int(m.class)+1]++
	}
	for i := 1; i < len(place); i++ {
		place[i] += place[i-1]
	}
	s.sort = append(s.sort[:0], run...)
	for _, m := range s.sort {
		run[place[m.class]] = m
		place[m.class]++
	}
}

// joinMarks composes in place: each character joins the last starter unless
// one between them has the same class or a higher one.
func joinMarks(all []mark) []mark {
	starter, out := -1, all[:0]
	for _, m := range all {
		if starter >= 0 {
			last := len(out) - 1
			if last == starter || out[last].class < m.class {
				if joined, ok := composePair(out[starter].r, m.r); ok {
					out[starter].r = joined
					continue
				}
			}
		}
		if m.class == 0 {
			starter = len(out)
		}
		out = append(out, m)
	}
	return out
}

// composePair returns the primary composite of two characters, if any.
func composePair(first, second rune) (rune, bool) {
	if l, v := first-hangulL, second-hangulV; l >= 0 && l < hangulLCount && v >= 0 && v < hangulVCount {
		return hangulS + (l*hangulVCount+v)*hangulTCount, true
	}
	if s, t := first-hangulS, second-hangulT; s >= 0 && s < hangulSCount && s%hangulTCount == 0 && t > 0 && t < hangulTCount {
		return first + t, true
	}
	i, ok := searchSorted(nfcSeconds[:], uint32(second))
	if !ok {
		return 0, false
	}
	from, to := int(nfcStarts[i]), int(nfcStarts[i+1])
	j, ok := searchSorted(nfcFirsts[from:to], uint32(first))
	if !ok {
		return 0, false
	}
	return rune(nfcComposites[from+j]), true
}

// searchSorted returns a binary search for want in sorted numbers.
func searchSorted(sorted []uint32, want uint32) (int, bool) {
	low, high := 0, len(sorted)
	for low < high {
		if mid := int(uint(low+high) >> 1); sorted[mid] < want {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < len(sorted) && sorted[low] == want
}
