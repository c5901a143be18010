package indexer

import (
	"cmp"
	"errors"
	"slices"

	"colophon/internal/searchindex"
)

var errTooLarge = errors.New("the index has too many words or records")

// inverted is a collection turned round: for each word, in order, the numbers
// of its records and the impacts.
type inverted struct {
	c       *Collection
	pairs   []uint32 // of all records; nil once the postings say it all
	order   []uint32 // words in order, as ids of the vocabulary
	starts  []uint64 // where the postings of each word begin; one more at the end
	docs    []uint32
	impacts []uint8
	seq     []uint32 // number of a record -> order of adding
	place   []uint32 // id of the vocabulary -> place in order
	average int      // mean length of a record, in quarters of a word
}

// nameWeight is that of names, which all records of a publisher share.
const nameWeight = 1

// homeFrom is the number of pages from which on a word can be a home.
const homeFrom = 8

// invertCollection turns a collection round, after Flush.
func invertCollection(c *Collection) (*inverted, error) {
	pairs, err := c.pairs.readPairs()
	if err != nil {
		return nil, err
	}
	v := &inverted{c: c, pairs: pairs}
	counts := make([]uint32, c.vocab.countWords())
	for _, p := range pairs {
		counts[p>>weightBits]++
	}
	v.order = make([]uint32, len(counts))
	for i := range v.order {
		v.order[i] = uint32(i)
	}
	slices.SortFunc(v.order, c.vocab.compareWords)
	v.place = make([]uint32, len(counts))
	v.starts = make([]uint64, len(counts)+1)
	for i, id := range v.order {
		v.place[id] = uint32(i)
		v.starts[i+1] = v.starts[i] + uint64(counts[id])
	}
	v.average = v.meanLength()
	v.numberRecords(counts)
	v.fillPostings()
	v.pairs = nil
	return v, nil
}

// pairsOf are the words of record i.
func (v *inverted) pairsOf(i uint32) []uint32 {
	from, to := v.c.pairs.bounds(i)
	return v.pairs[from:to]
}

// numberRecords gives every record its number: the order of adding, or for pages the
// order of their home words.
func (v *inverted) numberRecords(counts []uint32) {
	n := v.c.CountRecords()
	v.seq = make([]uint32, n)
	for i := range v.seq {
		v.seq[i] = uint32(i)
	}
	if !v.c.bySubject {
		return
	}
	homes := make([]uint64, n)
	for i := range homes {
		homes[i] = uint64(homeWord(v.pairsOf(uint32(i)), counts, v.place))<<32 | uint64(i)
	}
	slices.Sort(homes)
	v.orderBySubject(homes, counts)
}

// orderBySubject orders the records by subject, home and adding. homes holds
// place<<32 | record, rising.
func (v *inverted) orderBySubject(homes []uint64, counts []uint32) {
	type group struct {
		subject  uint32
		from, to int
	}
	var groups []group
	shared := map[uint32]int{}
	for from := 0; from < len(homes); {
		to := from
		clear(shared)
		for ; to < len(homes) && homes[to]>>32 == homes[from]>>32; to++ {
			for _, p := range v.pairsOf(uint32(homes[to])) {
				if n := counts[p>>weightBits]; p&maxWeight > nameWeight && n >= subjectFrom && int(n) <= len(homes)/16 {
					shared[v.place[p>>weightBits]]++
				}
			}
		}
		groups = append(groups, group{sharedSubject(shared), from, to})
		from = to
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.subject, b.subject) })
	at := 0
	for _, g := range groups {
		for _, h := range homes[g.from:g.to] {
			v.seq[at] = uint32(h)
			at++
		}
	}
}

// subjectFrom is the number of pages from which on a word can be a subject.
const subjectFrom = 64

// sharedSubject is the place of the word that most records of a home share.
func sharedSubject(shared map[uint32]int) uint32 {
	best, most := ^uint32(0), 0
	for at, n := range shared {
		if n > most || n == most && at < best {
			best, most = at, n
		}
	}
	return best
}

// homeWord is the place of a record's home word: the rarest word that homeFrom
// records have, or else the most frequent.
func homeWord(pairs, counts, place []uint32) uint32 {
	best, at := ^uint32(0), ^uint32(0)
	for _, p := range pairs {
		if p&maxWeight == 0 {
			continue
		}
		id := p >> weightBits
		key := counts[id]
		if key < homeFrom {
			key = 1<<31 - key // after every frequent one, the most frequent first
		}
		if key < best || key == best && place[id] < at {
			best, at = key, place[id]
		}
	}
	return at
}

func (v *inverted) fillPostings() {
	total := len(v.pairs)
	v.docs, v.impacts = make([]uint32, total), make([]uint8, total)
	next := slices.Clone(v.starts)
	for doc, seq := range v.seq {
		length := int(v.c.lengths[seq])
		for _, p := range v.pairsOf(seq) {
			at := v.place[p>>weightBits]
			v.docs[next[at]] = uint32(doc)
			v.impacts[next[at]] = impactOf(int(p&maxWeight), length, v.average)
			next[at]++
		}
	}
}

// meanLength is in quarters of a word, so that one more title does not move
// every impact.
func (v *inverted) meanLength() int {
	sum := 0
	for _, n := range v.c.lengths {
		sum += int(n)
	}
	return max(1, sum*4/max(1, len(v.c.lengths)))
}

// impactOf is what BM25 makes of a weight in a record of a length, without the
// rarity of the word: w / (w + 1.2 + 0.8 length/average), of 15. It is
// computed in integers, so it is the same on every machine.
func impactOf(weight, length, average int) uint8 {
	if weight == 0 {
		return 0
	}
	den := (10*weight+12)*average + 8*4*length
	return uint8(max(1, (2*searchindex.MaxImpact*10*weight*average+den)/(2*den)))
}

func (v *inverted) wordAt(i int) string { return string(v.c.vocab.word(v.order[i])) }

func (v *inverted) countOf(i int) int { return int(v.starts[i+1] - v.starts[i]) }

func (v *inverted) postingsOf(i int) searchindex.Postings {
	return searchindex.Postings{Docs: v.docs[v.starts[i]:v.starts[i+1]], Impacts: v.impacts[v.starts[i]:v.starts[i+1]]}
}
