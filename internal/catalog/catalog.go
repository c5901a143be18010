// Package catalog answers every question about what is published, from the
// published files alone: searches, lists and lookups.
package catalog

import (
	"time"

	"colophon/internal/listing"
	"colophon/internal/lookup"
	"colophon/internal/searchindex/query"
	"colophon/internal/staticindex"
)

// Reader answers questions. One serves a whole process.
type Reader struct {
	*staticindex.Files
	*query.Searcher
	*listing.Lists
	*lookup.Resolver
}

// New makes a catalog over published files.
func New(a staticindex.Assets, now func() time.Time) *Reader {
	files := staticindex.New(a, now)
	search, entries := query.New(files), lookup.New(files)
	return &Reader{files, search, listing.New(files, search, entries), entries}
}
