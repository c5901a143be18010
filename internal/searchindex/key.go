package searchindex

import "colophon/exports"

// The collections that have an index.
const (
	Entries    = "e" // registered pages; records are Doc
	Publishers = "c" // publishers; records are PublisherHit in JSON
	RightsMap  = "m" // rights map; MapRecord
	Offers     = "o" // license catalog; Offer
	Demand     = "b" // buyer demand; Demand
	Ledger     = "l" // provenance ledger; LedgerRow
)

// The orders of registered pages that are stored without words: only blocks.
const (
	ListFeed      = "feed" // all pages, newest first
	ListInventory = "inv"  // pages of each site, newest first, sites in order
)

// IndexKey is the small file that names the current index: the only one of
// the index that changes.
const IndexKey exports.Key = "v1/_index.json"

// Prefix is where the files of one generation are.
func Prefix(gen string) string { return "_ix/" + gen + "/" }

// RootKey is the root of an index: _ix/0123456789abcdef/e/root.idx
func RootKey(gen, index string) exports.Key { return exports.Key(Prefix(gen) + index + "/root.idx") }

// LeafKey is leaf n of an index: _ix/0123456789abcdef/e/t/00/1f.idx
func LeafKey(gen, index string, n int) exports.Key { return fannedOutKey(gen, index, "/t/", n) }

// CommonKey is the postings of common word n.
func CommonKey(gen, index string, n int) exports.Key { return fannedOutKey(gen, index, "/l/", n) }

// BlockKey is block n of the records of an index or a list.
func BlockKey(gen, name string, n int) exports.Key { return fannedOutKey(gen, name, "/d/", n) }

// SiteKey is bucket n of the directory of sites.
func SiteKey(gen string, n int) exports.Key { return fannedOutKey(gen, "site", "/", n) }

// BucketKey is bucket n of a lookup index, "p" or "f".
func BucketKey(gen, kind string, n int) exports.Key { return fannedOutKey(gen, kind, "/", n) }

// fannedOutKey fans files out over folders of 256.
func fannedOutKey(gen, name, part string, n int) exports.Key {
	b := append([]byte(Prefix(gen)), name...)
	b = append(b, part...)
	hi := n >> 8
	if hi >= 1<<16 {
		b = append(b, hexDigits[hi>>20&15], hexDigits[hi>>16&15])
	}
	if hi >= 1<<8 {
		b = append(b, hexDigits[hi>>12&15], hexDigits[hi>>8&15])
	}
	b = append(b, hexDigits[hi>>4&15], hexDigits[hi&15], '/', hexDigits[n>>4&15], hexDigits[n&15])
	return exports.Key(append(b, ".idx"...))
}

// FacetWord is the word of an index that stands for a property of a record,
// such as its site. No text holds such a word.
func FacetWord(name, value string) string { return "\x01" + name + ":" + value }
