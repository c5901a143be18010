package indexer

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
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
	groups  searchindex.Groups
	seq     []uint32 // number of a record -> order of adding, and one; 0 if there is no such record
	place   []uint32 // id of the vocabulary -> place in order
}

// invertCollection turns a collection round, after Flush.
func invertCollection(c *Collection) (*inverted, error) {
	pairs, err := c.readPairs()
	if err != nil {
		return nil, err
	}
	v := &inverted{c: c, pairs: pairs}
	counts := make([]uint32, c.vocab.countWords())
	for _, p := range pairs {
		counts[p>>weightBits]++
	}
	v.order = c.vocab.sorted()
	v.place = make([]uint32, len(counts))
	v.starts = make([]uint64, len(counts)+1)
	for i, id := range v.order {
		v.place[id] = uint32(i)
		v.starts[i+1] = v.starts[i] + uint64(counts[id])
	}
	v.numberRecords()
	v.fillPostings()
	v.pairs = nil
	return v, nil
}

// numberRecords numbers the records by their places.
func (v *inverted) numberRecords() {
	places := v.c.places
	if places == nil {
		places = make([]Place, v.c.CountRecords())
		for i := range places {
			places[i].Ordinal = uint32(len(places) - 1 - i)
		}
	}
	var counts []uint32
	for _, p := range places {
		for int(p.Group) >= len(counts) {
			counts = append(counts, 0)
		}
		counts[p.Group] = max(counts[p.Group], p.Ordinal+1)
	}
	v.groups = searchindex.NewGroups(counts)
	v.seq = make([]uint32, v.groups.Slots())
	for i, p := range places {
		v.seq[v.groups.NumberOf(int(p.Group), p.Ordinal)] = uint32(i) + 1
	}
}

const pairBytes = 4

// readPairs reads the words of all records.
func (c *Collection) readPairs() ([]uint32, error) {
	size := c.pairs.recordStart(c.CountRecords())
	in := bufio.NewReaderSize(io.NewSectionReader(c.pairs.file, 0, size), 1<<16)
	pairs := make([]uint32, size/pairBytes)
	var pair [pairBytes]byte
	for i := range pairs {
		if _, err := io.ReadFull(in, pair[:]); err != nil {
			return nil, err
		}
		pairs[i] = binary.LittleEndian.Uint32(pair[:])
	}
	return pairs, nil
}

// pairsOf returns the words of record i.
func (v *inverted) pairsOf(i uint32) []uint32 {
	return v.pairs[v.c.pairs.recordStart(int(i))/pairBytes : v.c.pairs.ends[i]/pairBytes]
}

// fillPostings lists the records of each word, by their numbers.
func (v *inverted) fillPostings() {
	total := len(v.pairs)
	v.docs, v.impacts = make([]uint32, total), make([]uint8, total)
	next := slices.Clone(v.starts)
	for doc, seq := range v.seq {
		if seq == 0 {
			continue
		}
		seq--
		length := int(v.c.lengths[seq])
		for _, p := range v.pairsOf(seq) {
			at := v.place[p>>weightBits]
			v.docs[next[at]] = uint32(doc)
			v.impacts[next[at]] = impactOf(int(p&maxWeight), length)
			next[at]++
		}
	}
}

// impactOf returns what BM25 makes of a weight in a record of a length, without
// the rarity of the word: w / (w + 1.2 + 0.8 length/10), of 15. The mean length of
// records is taken to be 10 words, so that a record changes no other's impacts. It
// is computed in integers, so it is the same on every machine.
func impactOf(weight, length int) uint8 {
	if weight == 0 {
		return 0
	}
	den := 100*weight + 120 + 8*length
	return uint8(max(1, (2*searchindex.MaxImpact*100*weight+den)/(2*den)))
}

func (v *inverted) wordAt(i int) string { return string(v.c.vocab.word(v.order[i])) }

func (v *inverted) countOf(i int) int { return int(v.starts[i+1] - v.starts[i]) }

func (v *inverted) postingsOf(i int) searchindex.Postings {
	return searchindex.Postings{Docs: v.docs[v.starts[i]:v.starts[i+1]], Impacts: v.impacts[v.starts[i]:v.starts[i+1]]}
}
