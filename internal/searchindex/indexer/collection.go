package indexer

import (
	"encoding/binary"
	"errors"
	"slices"

	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
)

// Collection gathers the records of one index: their words with weights, and
// the records themselves, each in a spool.
type Collection struct {
	name    string
	perFile int
	places  []Place // see PlaceAs
	vocab   *vocabulary
	spool   *spool
	pairs   *spool   // word << weightBits | weight, four bytes each, record by record, words rising; read when the collection is inverted, one after the other
	lengths []uint16 // words in the text of each record
	ranks   []uint32
	orders  []listOrder
	draft   draft
}

const (
	weightBits = 6
	maxWeight  = 1<<weightBits - 1
)

// NewCollection opens an index by that name, with temporary files in dir.
func NewCollection(dir, name string, perFile int) (*Collection, error) {
	s, err := newSpool(dir)
	if err != nil {
		return nil, err
	}
	pairs, err := newSpool(dir)
	if err != nil {
		s.close()
		return nil, err
	}
	c := &Collection{name: name, perFile: perFile, vocab: newVocabulary(), spool: s, pairs: pairs}
	c.draft.c = c
	return c, nil
}

// Place says where a record belongs, see searchindex.Groups.
type Place struct{ Group, Ordinal uint32 }

// PlaceAs places the records, in the order of adding. Without it they are one
// group, in which the record that was added last has the ordinal 0.
func (c *Collection) PlaceAs(places []Place) { c.places = places }

// AddRank adds the figure by which a list may be cut; those of all records never rise.
func (c *Collection) AddRank(rank uint32) { c.ranks = append(c.ranks, rank) }

// Flush ends the adding.
func (c *Collection) Flush() error { return errors.Join(c.spool.out.Flush(), c.pairs.out.Flush()) }

// Release frees the words, once all files of the index are written.
func (c *Collection) Release() {
	c.vocab = nil
	c.orders = nil
}

// Close removes the temporary files.
func (c *Collection) Close() {
	c.spool.close()
	c.pairs.close()
}

// draft is the record about to be added.
type draft struct {
	c      *Collection
	pairs  []uint32
	length int
	words  []byte // used again for each
	record []byte // likewise
}

// AddText adds the words of a field; a higher weight makes them count more.
func (c *Collection) AddText(weight int, texts ...string) {
	for _, s := range texts {
		searchindex.Tokens(s, func(w []byte) {
			c.draft.addWord(w, weight)
			c.draft.length++
		})
	}
}

// AddName is AddText for names, which say nothing of how long a record's own words are.
func (c *Collection) AddName(weight int, names ...string) {
	length := c.draft.length
	c.AddText(weight, names...)
	c.draft.length = length
}

// AddFacet adds a property to filter by.
func (c *Collection) AddFacet(name string, values ...string) {
	for _, v := range values {
		if v == "" {
			continue
		}
		c.draft.addWord([]byte(searchindex.FacetWord(name, v)), 0)
	}
}

func (d *draft) addWord(w []byte, weight int) {
	d.pairs = append(d.pairs, d.c.vocab.wordID(w)<<weightBits|uint32(weight))
}

// AddRecord files a record with the drafted words.
func (c *Collection) AddRecord(r wire.Record) error {
	c.draft.record = wire.Append(c.draft.record[:0], r)
	return c.fileRecord(c.draft.record)
}

// KeepRecord is AddRecord for a record whose block stays as it is published, see
// Output.Keep. All records of the block must be kept.
func (c *Collection) KeepRecord() error { return c.fileRecord(nil) }

// fileRecord files a record, nil for one that is kept, with the drafted words.
func (c *Collection) fileRecord(record []byte) error {
	d := &c.draft
	if err := c.filePairs(d.pairs); err != nil {
		return err
	}
	c.lengths = append(c.lengths, uint16(min(d.length, 1<<16-1)))
	d.pairs, d.length = d.pairs[:0], 0
	if c.vocab.countWords() >= maxWords || c.CountRecords() >= staticindex.MaxRecords {
		return errTooLarge
	}
	return c.spool.addRecord(record)
}

// filePairs stores the words of a record, each once with its total weight. It
// sorts drafted.
func (c *Collection) filePairs(drafted []uint32) error {
	slices.Sort(drafted)
	words := c.draft.words[:0]
	for i := 0; i < len(drafted); {
		word, weight := drafted[i]>>weightBits, uint32(0)
		for ; i < len(drafted) && drafted[i]>>weightBits == word; i++ {
			weight += drafted[i] & maxWeight
		}
		words = binary.LittleEndian.AppendUint32(words, word<<weightBits|min(weight, maxWeight))
	}
	c.draft.words = words
	return c.pairs.addRecord(words)
}

// CountRecords returns how many records were added.
func (c *Collection) CountRecords() int { return len(c.lengths) }
