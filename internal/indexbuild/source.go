package indexbuild

import (
	"context"
	"fmt"
	"iter"

	"colophon/exports"
	"colophon/internal/searchindex"
)

// Source is everything that goes into the index. A nil sequence is empty.
type Source struct {
	Release    exports.Release
	LedgerSize int64
	// Entries come grouped by site; a withdrawn one is only looked up.
	Entries    iter.Seq2[Entry, error]
	Publishers iter.Seq2[exports.Publisher, error]
	Map        iter.Seq2[exports.MapRecord, error]
	Offers     iter.Seq2[exports.Offer, error]
	Demand     iter.Seq2[exports.Demand, error]
	Ledger     iter.Seq2[exports.LedgerRow, error] // the newest first
	Listed     map[string]string                   // since when each publisher is public, by site id
	States     map[string]*exports.Release         // what the lists of each publisher are taken from, by site id
}

// Entry is a registered page with what identifies it.
type Entry struct {
	searchindex.Doc
	Registry      string   // registry digest, 64 hex, "" if none
	ISCC          string   // similarity code, "" if none
	Byline        []string // who wrote the page, by whose names it is found
	Aliases       []string // further URLs, canonical by service.url-key.v1
	RecordVersion int64    // 0 when no provenance record is issued
	RecordSHA256  string   // 64 hex, "" if none
	LedgerIndex   int64    // negative while not logged
	Withdrawn     bool
	Successor     string // entry id of the page at the address it moved to, "" if none
	SuccessorURL  string // address of that page
}

// Options tell where to work.
type Options struct {
	// Temp is a folder for temporary files; "" is the system's.
	Temp string
	// Put takes each file once, many of them at once, and the index's first file
	// (staticindex.IndexKey) last.
	Put func(key exports.Key, data []byte) error
}

// Stats are figures of a build, for people.
type Stats struct {
	Pages, Words, Postings int64
	Files, Bytes           int64
	LargestBucket          int64 // bytes
	FilesBy, BytesBy       map[string]int64
}

// readAll gathers all records of a source. An error names the record at which it
// came by noun and id.
func readAll[T any](ctx context.Context, source iter.Seq2[T, error], noun string, id func(*T) string) ([]T, error) {
	var all []T
	for r, err := range source {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", noun, id(&r), err)
		}
		all = append(all, r)
	}
	return all, nil
}
