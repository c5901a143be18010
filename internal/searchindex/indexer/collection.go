package indexer

import (
	"hash"
	"slices"

	"colophon/internal/searchindex"
	"colophon/internal/wire"
)

// collection gathers the records of one index: their words with weights, and
// the records themselves in a spool.
type collection struct {
	name    string
	perFile int
	paged   bool // records are pages, numbered by home word
	vocab   *vocabulary
	spool   *spool
	sum     hash.Hash // over all that goes in
	pairs   []uint32  // word << weightBits | weight, record by record, words rising
	ends    []uint64  // where the pairs of each record end
	lengths []uint16  // words in the text of each record
	ranks   []uint32
	draft   draft
}

const (
	weightBits = 6
	maxWeight  = 1<<weightBits - 1
)

func newCollection(dir, name string, perFile int, sum hash.Hash) (*collection, error) {
	s, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	c := &collection{name: name, perFile: perFile, vocab: newVocabulary(), spool: s, sum: sum}
	c.draft.c = c
	return c, nil
}

// draft is the record about to be added.
type draft struct {
	c      *collection
	pairs  []uint32
	length int
	bytes  []byte
}

// addText adds the words of a field; more weight makes them say more.
func (d *draft) addText(weight int, texts ...string) {
	for _, s := range texts {
		searchindex.Tokens(s, func(w []byte) {
			d.addWord(w, weight)
			d.length++
		})
	}
}

// addFacet adds a property to filter by.
func (d *draft) addFacet(name string, values ...string) {
	for _, v := range values {
		if v == "" {
			continue
		}
		d.addWord([]byte(searchindex.FacetWord(name, v)), 0)
	}
}

func (d *draft) addWord(w []byte, weight int) {
	d.pairs = append(d.pairs, d.c.vocab.wordID(w)<<weightBits|uint32(weight))
	d.bytes = append(append(d.bytes, w...), byte(weight))
}

// addRecord files a record with the drafted words.
func (c *collection) addRecord(r wire.Record) error {
	d := &c.draft
	record := wire.Append(nil, r)
	c.sum.Write(append(d.bytes, 0xff))
	c.sum.Write(append(record, '\n'))
	slices.Sort(d.pairs)
	for i := 0; i < len(d.pairs); {
		word, weight := d.pairs[i]>>weightBits, uint32(0)
		for ; i < len(d.pairs) && d.pairs[i]>>weightBits == word; i++ {
			weight += d.pairs[i] & maxWeight
		}
		c.pairs = append(c.pairs, word<<weightBits|min(weight, maxWeight))
	}
	c.ends = append(c.ends, uint64(len(c.pairs)))
	c.lengths = append(c.lengths, uint16(min(d.length, 1<<16-1)))
	d.pairs, d.bytes, d.length = d.pairs[:0], d.bytes[:0], 0
	if len(c.vocab.words) >= maxWords || len(c.ends) >= searchindex.MaxDocs {
		return errTooLarge
	}
	return c.spool.addRecord(record)
}

func (c *collection) countRecords() int { return len(c.ends) }

// pairsOf are the words of record i.
func (c *collection) pairsOf(i uint32) []uint32 {
	if i == 0 {
		return c.pairs[:c.ends[0]]
	}
	return c.pairs[c.ends[i-1]:c.ends[i]]
}
