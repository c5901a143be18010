package indexbuild

import (
	"colophon/exports"
	"colophon/internal/release"
	"colophon/internal/searchindex"
)

// Source is what goes into the index, except the entries.
type Source struct {
	LedgerSize int64
	Publishers []exports.Publisher
	Map        []exports.MapRecord
	Offers     []exports.Offer
	Demand     []exports.Demand

	Reservations []exports.Reservation // sorted by id
	Hosts        []release.RangeRow    // hosts of publishers, for private look-ups only

	Listed map[string]string           // when each publisher became public, by site id
	States map[string]*exports.Release // the state from which each publisher's lists are taken, by site id
}

// Entry is a registered page with what identifies it.
type Entry struct {
	searchindex.Doc
	Registry      string   // registry digest, 64 hex, "" if none
	ISCC          string   // similarity code, "" if none
	Byline        []string // authors of the page, by whose names it is found
	RecordVersion int64    // 0 if no provenance record is issued
	RecordSHA256  string   // 64 hex, "" if none
	LedgerIndex   int64    // negative if not logged
	Withdrawn     bool
	Kept          bool   // the records of the publisher stay as they are published, see Options.Keep
	Successor     string // entry id of the page at the address it moved to, "" if none
	SuccessorURL  string // address of that page
}

// Options say where to write.
type Options struct {
	// Temp is a folder for temporary files; "" means the system's.
	Temp string
	// Put stores a file. It is called once for each file, concurrently.
	Put func(key exports.Key, data []byte) error
	// Keep keeps a published block of records, see Entry.Kept.
	Keep func(key exports.Key) error
}
