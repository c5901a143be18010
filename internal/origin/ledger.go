package origin

import "context"

// The kinds of ledger event.
const (
	LedgerRecord = "record"
	LedgerKey    = "key"
	LedgerPolicy = "policy"
	LedgerIndex  = "index"
)

// LedgerEvent is one leaf of the provenance ledger.
type LedgerEvent struct {
	Position int64 // 0, 1, … without a gap
	Kind     string
	Event    string // one of exports.LedgerEvents
	EntryID  string
	Version  int64 // of the record or the policy
	SiteID   string
	KeyID    string
	Digest   string // hex SHA-256 of the record, the policy or the index
	At       string
	Leaf     string // canonical JSON
}

// LedgerCheckpoint is a signed state of the ledger.
type LedgerCheckpoint struct {
	Size     int64
	Root     string // base64
	Name     string // origin line of the log
	KeyID    string // of the log's key
	Cosigned string // signed note, as it is published
}

// LoggedRecord says where a version of a record is in the ledger.
type LoggedRecord struct {
	EntryID  string
	Version  int64
	Position int64
}

// PolicyMark is a version of a site's policy that waits to be logged.
type PolicyMark struct {
	SiteID        string
	Version       int64
	Digest        string // hex SHA-256
	EffectiveFrom string
}

// Ledger reads and writes the provenance ledger. The store refuses to change what
// is in it.
type Ledger interface {
	// LedgerSize is the number of leaves.
	LedgerSize(ctx context.Context) (int64, error)
	// LedgerEvents lists leaves by position, from a position on, at most
	// limit.
	LedgerEvents(ctx context.Context, from int64, limit int) ([]LedgerEvent, error)
	// LedgerEventsOf lists all leaves of a kind other than LedgerRecord, by
	// position; those of kind LedgerPolicy by site and version.
	LedgerEventsOf(ctx context.Context, kind string) ([]LedgerEvent, error)
	// AppendLedger adds leaves, all or none. It returns ErrConflict if the
	// first does not have the next position.
	AppendLedger(ctx context.Context, events []LedgerEvent) error
	// RecordsToLog lists records that are in no leaf, by instant, entry id
	// and version.
	RecordsToLog(ctx context.Context, limit int) ([]Record, error)
	// PoliciesToLog lists policy versions that are in no leaf, by instant,
	// site and version.
	PoliciesToLog(ctx context.Context, limit int) ([]PolicyMark, error)
	// LoggedRecords lists the logged versions of the records of some entries of
	// a site, by entry id and version.
	LoggedRecords(ctx context.Context, siteID string, entryIDs []string) ([]LoggedRecord, error)
	// LedgerCheckpoints lists them by size.
	LedgerCheckpoints(ctx context.Context) ([]LedgerCheckpoint, error)
	// AddCheckpoint adds one. It returns ErrConflict if that size was signed
	// before.
	AddCheckpoint(ctx context.Context, c LedgerCheckpoint) error
	// SetCosigned replaces the published note of the checkpoint of a size.
	SetCosigned(ctx context.Context, size int64, note string) error
}
