package exports

import "colophon/internal/wire"

// The events that a ledger entry can record.
const (
	LedgerRegistered     = "registered"
	LedgerUpdated        = "updated"
	LedgerWithdrawn      = "withdrawn"
	LedgerPolicyChanged  = "policy_changed"
	LedgerKeyAdded       = "key_added"
	LedgerKeyRevoked     = "key_revoked"
	LedgerIndexPublished = "index_published"
)

// LedgerEvents lists them all.
var LedgerEvents = []string{
	LedgerRegistered, LedgerUpdated, LedgerWithdrawn, LedgerPolicyChanged, LedgerKeyAdded, LedgerKeyRevoked, LedgerIndexPublished,
}

// ReasonExtractionImproved is the reason for superseding a record whose text a
// newer version of the same extractor extracted from the page.
const ReasonExtractionImproved = "extraction_improved"

// LedgerReasons lists the reasons that a ledger entry can give for an update.
var LedgerReasons = []string{ReasonExtractionImproved}

// LedgerRow is one entry of the provenance ledger as search shows it:
// metadata only.
type LedgerRow struct {
	Index        int64
	Event        string // one of LedgerEvents
	Reason       string // one of LedgerReasons, "" if unknown; for updates only
	EntryID      string // "" for an event that concerns no public page
	SiteID       string
	Publisher    string // name, untrusted text
	Title        string // untrusted text
	CanonicalURL string
	RecordDigest string // hex SHA-256 of the record, or of the policy
	Portable     string // hex digest
	At           string // "" if the leaf does not say
}

func (l *LedgerRow) Members(m *wire.Members) {
	m.OptTime("at", &l.At)
	m.OptString("canonical_url", &l.CanonicalURL)
	m.OptString("entry_id", &l.EntryID)
	m.Enum("event", &l.Event, LedgerEvents...)
	m.Flag("grants_rights", false)
	m.Int("index", &l.Index)
	m.Nested("links", func(m *wire.Members) {
		citation, record := "", ""
		if l.EntryID != "" {
			record = RecordPath(l.EntryID)
			if l.Title != "" {
				citation = CitationPath(l.EntryID)
			}
		}
		m.OptString("citation", &citation)
		DerivedLink(m, "ledger", PathLedgerManifest)
		m.OptString("record", &record)
	})
	m.OptString("portable_digest", &l.Portable)
	m.OptString("publisher", &l.Publisher)
	m.OptEnum("reason", &l.Reason, LedgerReasons...)
	m.OptString("record_digest", &l.RecordDigest)
	m.OptString("site_id", &l.SiteID)
	m.OptString("title", &l.Title)
}
