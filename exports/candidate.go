package exports

import "colophon/internal/wire"

// How a lookup found a candidate.
const (
	BasisURL      = "canonical_url"
	BasisSamePage = "same_page" // the page is registered under another address
	BasisEntry    = "entry_id"
	BasisPortable = "portable_fingerprint"
	BasisRegistry = "registry_fingerprint"
)

// Candidate is a registered source that a lookup found: what it is, what
// identifies it, and where its provenance, passport and citation are.
type Candidate struct {
	EntryID       string
	SiteID        string
	Publisher     string // name, untrusted text
	CanonicalURL  string
	Title         string // untrusted text
	Section       string // untrusted text
	ContentFormat string
	PublishedAt   string
	Portable      string // hex digest, "" if none
	Registry      string // hex digest, "" if none
	ISCC          string // similarity code of the text, "" if none
	RecordVersion int64  // 0 when no record is issued
	RecordSHA256  string // hex, "" if none
	LedgerIndex   int64  // negative while it is not logged
	RightsVector  string
	RightsAsOf    string // instant at which the vector was judged
	Withdrawn     bool
	Successor     string // entry id of the page at the address it moved to, "" if none
	SuccessorURL  string // canonical address of that page
	Basis         string // how it was found: one of the Basis words
}

// Status is "active" or "withdrawn".
func (c *Candidate) Status() string {
	if c.Withdrawn {
		return "withdrawn"
	}
	return "active"
}

func (c *Candidate) Members(m *wire.Members) {
	m.String("basis", &c.Basis)
	m.String("canonical_url", &c.CanonicalURL)
	m.Nested("citation", func(m *wire.Members) {
		DerivedLink(m, "document", CitationPath(c.EntryID))
	})
	m.OptEnum("content_format", &c.ContentFormat, ContentFormats...)
	m.String("entry_id", &c.EntryID)
	nestFingerprints(m, &c.ISCC, &c.Portable, &c.Registry)
	m.Nested("provenance", func(m *wire.Members) {
		m.NullInt("ledger_index", &c.LedgerIndex)
		m.NullString("record_sha256", &c.RecordSHA256)
		m.Int("record_version", &c.RecordVersion)
		DerivedLink(m, "record", RecordPath(c.EntryID))
	})
	m.Nested("publisher", func(m *wire.Members) {
		m.String("name", &c.Publisher)
		m.String("site_id", &c.SiteID)
	})
	m.OptTime("published_at", &c.PublishedAt)
	m.Nested("rights_passport", func(m *wire.Members) {
		m.OptTime("as_of", &c.RightsAsOf)
		DerivedLink(m, "href", RecordPath(c.EntryID)+"#rights_passport")
		DerivedLink(m, "live_state", RightsCheckPath(c.EntryID))
		m.Flag("not_permission", true)
		m.String("rights_vector", &c.RightsVector)
	})
	m.OptString("section", &c.Section)
	m.String("site_id", &c.SiteID)
	status := c.Status()
	m.Enum("status", &status, "active", "withdrawn")
	if !m.Writing() {
		c.Withdrawn = status == "withdrawn"
	}
	optSuccessor(m, &c.Successor, &c.SuccessorURL)
	m.String("title", &c.Title)
}

// nestFingerprints describes the fingerprints of an entry: its ISCC and the digests
// of its text and of its registration, "" for none.
func nestFingerprints(m *wire.Members, iscc, portable, registry *string) {
	m.Nested("fingerprints", func(m *wire.Members) {
		p, r := newFingerprint(*portable, ProfileCanonicalText), newFingerprint(*registry, "")
		m.OptString("iscc", iscc)
		wire.OrNull(m, "portable", &p)
		wire.OrNull(m, "registry", &r)
		if p != nil && !m.Writing() {
			*portable = p.Digest
		}
		if r != nil && !m.Writing() {
			*registry = r.Digest
		}
	})
}

func newFingerprint(digest, profile string) *Fingerprint {
	if digest == "" {
		return nil
	}
	return &Fingerprint{Digest: digest, Profile: profile}
}

// Resolution is the answer of the citation resolver: every candidate, never a
// pick of one, and the reservations for the content of a fingerprint.
type Resolution struct {
	Key          string // url, fingerprint or entry_id
	Value        string // as given
	Normalized   string
	Basis        string // BasisContent if only reservations were found
	Candidates   []Candidate
	Reservations []Reservation
}

func (r *Resolution) Members(m *wire.Members) {
	wire.List(m, "candidates", &r.Candidates)
	m.Flag("grants_rights", false)
	m.Nested("match", func(m *wire.Members) {
		m.String("basis", &r.Basis)
		count := int64(len(r.Candidates))
		m.Int("count", &count)
		matchStatus(m, count)
	})
	m.Nested("query", func(m *wire.Members) {
		m.String("key", &r.Key)
		m.String("normalized", &r.Normalized)
		m.String("value", &r.Value)
	})
	wire.OptList(m, "reservations", &r.Reservations)
	m.Const("statement", "association_only")
}

// matchStatus writes whether one candidate was found, several or none.
func matchStatus(m *wire.Members, count int64) {
	status := "none"
	switch {
	case count == 1:
		status = "single"
	case count > 1:
		status = "multiple"
	}
	m.Enum("status", &status, "none", "single", "multiple")
}
