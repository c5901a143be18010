package searchindex

import (
	"strconv"

	"colophon/exports"
	"colophon/internal/staticindex"
)

// The collections that have an index.
const (
	Entries    = "e" // registered pages; records are Doc
	Publishers = "c" // publishers; records are PublisherHit in JSON
	RightsMap  = "m" // rights map; MapRecord
	Offers     = "o" // license catalog; Offer
	Demand     = "b" // buyer demand; Demand
)

// RootKey returns the root of an index: _ix/0123456789abcdef/e/root.idx
func RootKey(gen, index string) exports.Key {
	return exports.Key(staticindex.Prefix(gen) + index + "/root.idx")
}

// LeafKey returns the leaf of an index that begins at a separator of its root:
// _ix/0123456789abcdef/e/t/x74696465.idx
func LeafKey(gen, index, separator string) exports.Key {
	return staticindex.TextKey(gen, index, "/t/", separator)
}

// CommonKey returns the postings of a common word.
func CommonKey(gen, index, word string) exports.Key {
	return staticindex.TextKey(gen, index, "/l/", word)
}

// BlockKey returns a block of records: _ix/0123456789abcdef/e/d/1c/0.idx
func BlockKey(gen, index string, b BlockID) exports.Key {
	return exports.Key(staticindex.Prefix(gen) + index + "/d/" + strconv.FormatInt(int64(b.Group), 16) + "/" + strconv.FormatInt(int64(b.N), 16) + ".idx")
}

// FacetWord returns the word of an index that represents a property of a
// record, such as its site. No text contains such a word.
func FacetWord(name, value string) string { return "\x01" + name + ":" + value }
