package origin

import "context"

// Item is a page as the delivery of licensed content sees it: everything that
// decisions depend on, and no text.
type Item struct {
	Page
	SiteName  string
	SiteState SiteState
	Version   int64  // edition of the body, 0 when there is none
	Digest    string // hex SHA-256 of the delivered form
	Bytes     int64  // its length
	Recorded  bool   // it has a provenance record
}

// BodyAsk names one body, and every condition that must still hold when it is
// read. It is made from a permit: see internal/rights.
type BodyAsk struct {
	BuyerID       string
	CredentialID  string // of the caller; it must be the buyer's
	EntryID       string
	SiteID        string
	GrantID       string
	GrantVersion  int64
	CanonicalURL  string
	ContentFormat string
	PublishedAt   string
	At            string // the grant must be valid then
	Form          string // markdown, text, html
}

// LicensedBody is the text of one edition in one form.
type LicensedBody struct {
	Form    string // as asked, or text if the page has no such form
	Text    string // private
	Version int64
}

// Bodies reads private content.
type Bodies interface {
	// OpenBodies returns a body for each ask, all read in one statement, in the
	// order of the asks. A body is nil unless, in that very statement, every
	// condition of its ask holds: the credential is active, not expired and the
	// buyer's; the buyer and the grant are active; the grant is unchanged and
	// covers the site; the page is active and unchanged in what scopes depend
	// on; the site is approved. Only the BodyStore of internal/rights calls it.
	OpenBodies(ctx context.Context, asks []BodyAsk) ([]*LicensedBody, error)
}

// Holding is what a buyer was last told about one item.
type Holding struct {
	EntryID     string
	SiteID      string
	State       string // held, gone
	Version     int64
	Digest      string
	Facts       string // short hash of the metadata told
	Uses        int64  // one bit for each use in their fixed order
	Lost        int64  // uses taken away since Told
	Grants      []string
	Change      string // added, updated, regranted
	Reason      string // why it is gone
	EffectiveAt string
	DeleteHours int64
	Told        int64 // sequence at which it was last told in full; negative in AppendEvents: now
	Sequence    int64 // sequence of the newest event; in AppendEvents: the one that must still be the newest, 0 none
	At          string
}

// Feed is how far a buyer's holdings were compared with its live rights.
type Feed struct {
	Sequence     int64
	Floor        int64
	Stamp        int64
	Boundary     string
	Scan         int64
	ScanOpen     bool
	ScanStamp    int64
	ScanBoundary string
	ScanBase     int64
	ScanWrote    int64
	ScanPlace    string
	Now          int64 // state of the counters at this moment
}

// Snapshot is a logical snapshot: it lists items and has no text.
type Snapshot struct {
	SnapshotID  string
	BuyerID     string
	Key         string // the Idempotency-Key, "" if none
	Fingerprint string
	Label       string
	Sources     []string // grants and sites; empty is all
	Topic       string
	Uses        int64
	Sequence    int64
	Items       int64
	Root        string
	CreatedAt   string
	ExpiresAt   string
}

// SnapshotItem is one line of a snapshot.
type SnapshotItem struct {
	EntryID  string
	Version  int64
	Digest   string
	Sequence int64
}

// Delivery stores what the delivery of licensed content reads and writes.
type Delivery interface {
	// Items lists the pages of a site by entry id, those after the given
	// id, whatever their state.
	Items(ctx context.Context, siteID, after string, limit int) ([]Item, error)
	// ItemsOf lists the first pages of some sites, by site and entry id.
	ItemsOf(ctx context.Context, siteIDs []string, limit int) ([]Item, error)
	// ItemsByID returns those of the pages that exist, by entry id.
	ItemsByID(ctx context.Context, entryIDs []string) ([]Item, error)

	// Feed returns the state of a buyer's feed; it makes a new one.
	Feed(ctx context.Context, buyerID string) (Feed, error)
	// OpenScan begins a comparison if the last one was number n, and reports
	// whether it did.
	OpenScan(ctx context.Context, buyerID string, n, stamp int64, boundary string) (bool, error)
	// MoveScan records that comparison n advanced from one place to another and
	// wrote events on the way. It returns false if the comparison was
	// elsewhere.
	MoveScan(ctx context.Context, buyerID string, n int64, from, to string, wrote int64) (bool, error)
	// CloseScan ends comparison n. It returns true, and the comparison counts,
	// if nobody else wrote events meanwhile.
	CloseScan(ctx context.Context, buyerID string, n int64) (bool, error)

	// HeldSites lists the sites from which a buyer holds something.
	HeldSites(ctx context.Context, buyerID string) ([]string, error)
	// HoldingsOf lists what a buyer was told about a site's items, by entry
	// id, those after the given id and up to last ("" no bound).
	HoldingsOf(ctx context.Context, buyerID, siteID, after, last string, limit int) ([]Holding, error)
	// AppendEvents writes and numbers events, each only if Sequence is still
	// that of its item's newest event. It returns how many it wrote.
	AppendEvents(ctx context.Context, buyerID string, events []Holding) (int64, error)
	// FeedSince is Feed with the newest event of each item, by sequence, those
	// after the given one, and with those of their pages that are held and
	// exist, in no order. All are read at the same moment.
	FeedSince(ctx context.Context, buyerID string, sequence int64, limit int) (Feed, []Holding, []Item, error)
	// Held lists what a buyer holds by entry id, those after the given id:
	// EntryID, SiteID, Version, Digest, Uses, Grants and Told. It also returns
	// the sequence of the feed at that moment.
	Held(ctx context.Context, buyerID, after string, limit int) ([]Holding, int64, error)
	// CountHeld returns how many items a buyer holds.
	CountHeld(ctx context.Context, buyerID string) (int64, error)
	// ForgetTombstones drops the tombstones of rights that ended before an
	// instant, and raises the floor of the feed above them.
	ForgetTombstones(ctx context.Context, buyerID, before string) (int64, error)

	// AddSnapshot stores a snapshot whose items are already stored. It returns
	// false if the Idempotency-Key is taken.
	AddSnapshot(ctx context.Context, s Snapshot) (bool, error)
	// AddSnapshotItems adds lines to a snapshot that is stored later. Lines
	// that exist are left as they are.
	AddSnapshotItems(ctx context.Context, snapshotID string, items []SnapshotItem) error
	// Snapshot returns one of the buyer's snapshots, with the entries of some
	// of its items: by entry id, those after the given one. It returns
	// ErrNotFound if the buyer has no such snapshot.
	Snapshot(ctx context.Context, buyerID, snapshotID, after string, limit int) (Snapshot, []string, error)
	// SnapshotByKey returns the snapshot that holds an Idempotency-Key, or
	// ErrNotFound.
	SnapshotByKey(ctx context.Context, buyerID, key string) (Snapshot, error)
	// DropSnapshots removes the snapshots that ended before an instant.
	DropSnapshots(ctx context.Context, before string) (int64, error)
}
