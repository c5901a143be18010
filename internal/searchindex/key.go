package searchindex

import (
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
	Ledger     = "l" // provenance ledger; LedgerRow
)

// RootKey returns the root of an index: _ix/0123456789abcdef/e/root.idx
func RootKey(gen, index string) exports.Key {
	return exports.Key(staticindex.Prefix(gen) + index + "/root.idx")
}

// LeafKey is leaf n of an index: _ix/0123456789abcdef/e/t/00/1f.idx
func LeafKey(gen, index string, n int) exports.Key { return staticindex.FileKey(gen, index, "/t/", n) }

// CommonKey returns the postings of common word n.
func CommonKey(gen, index string, n int) exports.Key {
	return staticindex.FileKey(gen, index, "/l/", n)
}

// FacetWord returns the word of an index that represents a property of a
// record, such as its site. No text contains such a word.
func FacetWord(name, value string) string { return "\x01" + name + ":" + value }
