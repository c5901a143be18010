package indexer

import (
	"context"
	"maps"
	"slices"

	"colophon/internal/searchindex"
)

// pageOfHits is how many hits a page has that the extras are made for.
const pageOfHits = 10

// extraRecords is how many records a file of extras has, on average.
const extraRecords = 128

// extra is an Extra without its records.
type extra struct {
	word, part int
	docs       []uint32
}

// writePairPostings puts the files of extras, and tells how many they are.
func (b *builder) writePairPostings(ctx context.Context, v *inverted) (int, error) {
	if !v.spread {
		return 0, nil
	}
	of := make([][]extra, len(v.order))
	err := b.eachParallel(len(v.order), func(i int, h *hand) error {
		if v.countOf(i) >= searchindex.ExtraFrom && v.wordAt(i)[0] != 1 {
			of[i] = h.coOccurrenceOf(v).pairPostings(i)
		}
		return ctx.Err()
	})
	if err != nil {
		return 0, err
	}
	records := 0
	for _, list := range of {
		for _, x := range list {
			records += len(x.docs)
		}
	}
	files := make([][]extra, (records+extraRecords-1)/extraRecords)
	for _, list := range of {
		for _, x := range list {
			n := searchindex.ExtraFile(v.wordAt(x.word), x.part, len(files))
			files[n] = append(files[n], x)
		}
	}
	return len(files), b.putOrdered(ctx, len(files), func(n int, h *hand) (object, error) {
		var out []searchindex.Extra
		for _, x := range files[n] {
			k, err := v.c.spool.readBlock(v.sequenceNumbers(x.docs), v.c.brief)
			if err != nil {
				return object{}, err
			}
			out = append(out, searchindex.Extra{Word: v.wordAt(x.word), Part: x.part, Docs: x.docs, Records: k})
		}
		return object{searchindex.ExtraKey(b.gen, v.c.name, n), searchindex.AppendExtras(nil, n, out, h.z)}, nil
	})
}

// sequenceNumbers are the records of these numbers, in the order of adding.
func (v *inverted) sequenceNumbers(docs []uint32) []uint32 {
	out := make([]uint32, len(docs))
	for i, d := range docs {
		out[i] = v.seq[d]
	}
	return out
}

// company finds what belongs into the extras of a word: for every other word
// that is as frequent, some of the records of both. It keeps what one word
// needs for the next, and serves one goroutine.
type company struct {
	v       *inverted
	meets   []meeting
	shared  []uint32 // by place of the other word: records of both
	ends    []uint32 // by place: where its hits end
	partner []uint32 // places of the other words
	hits    []searchindex.Hit
	wants   []want
	asked   map[uint32]int // how many wants name a record
	held    map[uint32]bool
}

// meeting is one record of both words: the place of the other word, its weight
// in the record, and which of the word's postings the record is.
type meeting struct{ other, weight, at uint32 }

// want are the best hits of two words, of which at most room blocks may be
// left to read.
type want struct {
	docs []uint32 // rising
	room int
	part int
}

func newCompany(v *inverted) *company {
	n := len(v.order)
	return &company{v: v, shared: make([]uint32, n), ends: make([]uint32, n), asked: map[uint32]int{}, held: map[uint32]bool{}}
}

// pairPostings are those of word i, parts rising.
func (c *company) pairPostings(i int) []extra {
	c.findCoOccurring(i)
	c.scorePairs(i)
	var out []extra
	for part := range searchindex.ExtraParts(c.v.countOf(i)) {
		clear(c.held)
		for _, w := range c.wants {
			if w.part == part {
				c.holdRecords(w)
			}
		}
		if len(c.held) > 0 {
			out = append(out, extra{i, part, slices.Sorted(maps.Keys(c.held))})
		}
	}
	return out
}

// topRecords are the records that a word needs by itself.
func (c *company) topRecords(p searchindex.Postings) []uint32 {
	clear(c.held)
	if len(p.Docs) < searchindex.HeadFrom {
		return nil
	}
	c.wants = c.wants[:0]
	clear(c.asked)
	c.addWant(rankHits(p), searchindex.ManyFiles-2, 0)
	for _, w := range c.wants {
		c.holdRecords(w)
	}
	return slices.Sorted(maps.Keys(c.held))
}

// findCoOccurring finds the words that share records with word i and are as frequent.
func (c *company) findCoOccurring(i int) {
	v, count := c.v, c.v.countOf(i)
	c.meets, c.partner = c.meets[:0], c.partner[:0]
	for at, d := range v.postingsOf(i).Docs {
		for _, p := range v.c.pairsOf(v.seq[d]) {
			other := v.place[p>>weightBits]
			if n := v.countOf(int(other)); p&maxWeight == 0 || n < count || n == count && int(other) <= i {
				continue
			}
			if c.shared[other] == 0 {
				c.partner = append(c.partner, other)
			}
			c.shared[other]++
			c.meets = append(c.meets, meeting{other, p & maxWeight, uint32(at)})
		}
	}
}

// scorePairs turns meetings into wants. Pairs of which few records are to be read,
// or of which one word is not asked for, want nothing.
func (c *company) scorePairs(i int) {
	v := c.v
	p, average := v.postingsOf(i), v.average
	end := uint32(0)
	for _, other := range c.partner {
		c.ends[other] = end
		if int(c.shared[other]) > searchindex.ExtraRoom(v.wordAt(i), v.wordAt(int(other)))+1 && !searchindex.LeftOut(v.countOf(int(other)), v.countOf(i), v.c.countRecords()) {
			end += c.shared[other]
		} else {
			c.shared[other] = 0
		}
	}
	c.hits = slices.Grow(c.hits[:0], int(end))[:end]
	own := searchindex.Rarity(v.c.countRecords(), v.countOf(i))
	for _, m := range c.meets {
		if c.shared[m.other] == 0 {
			continue
		}
		d := p.Docs[m.at]
		more := searchindex.Rarity(v.c.countRecords(), v.countOf(int(m.other))) * uint32(impactOf(int(m.weight), int(v.c.lengths[v.seq[d]]), average))
		c.hits[c.ends[m.other]] = searchindex.Hit{Doc: d, Score: own*uint32(p.Impacts[m.at]) + more}
		c.ends[m.other]++
	}
	c.wants = c.wants[:0]
	clear(c.asked)
	for _, other := range c.partner {
		if n := c.shared[other]; n > 0 {
			word := v.wordAt(int(other))
			c.addWant(c.hits[c.ends[other]-n:c.ends[other]], searchindex.ExtraRoom(v.wordAt(i), word), searchindex.ExtraPart(word, searchindex.ExtraParts(v.countOf(i))))
		}
		c.shared[other] = 0
	}
}

// addWant notes the best of hits where they lie in too many blocks.
func (c *company) addWant(hits []searchindex.Hit, room, part int) {
	perFile := c.v.c.perFile
	searchindex.Best(hits, perFile, pageOfHits)
	w := want{room: room, part: part}
	for _, h := range hits[:min(pageOfHits, len(hits))] {
		w.docs = append(w.docs, h.Doc)
	}
	slices.Sort(w.docs)
	blocks, last := 0, -1
	for _, d := range w.docs {
		if n := int(d) / perFile; n != last {
			blocks, last = blocks+1, n
		}
	}
	if blocks <= room+1 {
		return // few enough files without an extra
	}
	for _, d := range w.docs {
		c.asked[d]++
	}
	c.wants = append(c.wants, w)
}

// holdRecords holds records until w has few enough blocks: always those of the block
// that takes the fewest, and of such the ones that most wants name.
func (c *company) holdRecords(w want) {
	perFile := uint32(c.v.c.perFile)
	for {
		blocks, least, most := 0, pageOfHits+1, 0
		var take []uint32
		for lo := 0; lo < len(w.docs); {
			hi, asked := lo, 0
			var open []uint32
			for ; hi < len(w.docs) && w.docs[hi]/perFile == w.docs[lo]/perFile; hi++ {
				if !c.held[w.docs[hi]] {
					open = append(open, w.docs[hi])
					asked += c.asked[w.docs[hi]]
				}
			}
			if len(open) > 0 {
				blocks++
				if len(open) < least || len(open) == least && asked > most {
					take, least, most = open, len(open), asked
				}
			}
			lo = hi
		}
		if blocks <= w.room {
			return
		}
		for _, d := range take {
			c.held[d] = true
		}
	}
}
