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

// Members describes the JSON form.
func (c *Candidate) Members(m *wire.Members) {
	m.String("basis", &c.Basis)
	m.String("canonical_url", &c.CanonicalURL)
	m.Object("citation", &candidateCitation{c})
	m.OptEnum("content_format", &c.ContentFormat, ContentFormats...)
	m.String("entry_id", &c.EntryID)
	m.Object("fingerprints", &candidateFingerprints{c})
	m.Object("provenance", &candidateProvenance{c})
	m.Object("publisher", &candidatePublisher{c})
	m.OptTime("published_at", &c.PublishedAt)
	m.Object("rights_passport", &candidatePassport{c})
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

type candidateCitation struct{ c *Candidate }

func (x *candidateCitation) Members(m *wire.Members) {
	DerivedLink(m, "document", CitationPath(x.c.EntryID))
}

type candidateFingerprints struct{ c *Candidate }

func (x *candidateFingerprints) Members(m *wire.Members) {
	portable, registry := newFingerprint(x.c.Portable, ProfileCanonicalText), newFingerprint(x.c.Registry, "")
	m.OptString("iscc", &x.c.ISCC)
	wire.OrNull(m, "portable", &portable)
	wire.OrNull(m, "registry", &registry)
	if portable != nil && !m.Writing() {
		x.c.Portable = portable.Digest
	}
	if registry != nil && !m.Writing() {
		x.c.Registry = registry.Digest
	}
}

func newFingerprint(digest, profile string) *Fingerprint {
	if digest == "" {
		return nil
	}
	return &Fingerprint{Digest: digest, Profile: profile}
}

type candidateProvenance struct{ c *Candidate }

func (x *candidateProvenance) Members(m *wire.Members) {
	m.NullInt("ledger_index", &x.c.LedgerIndex)
	m.NullString("record_sha256", &x.c.RecordSHA256)
	m.Int("record_version", &x.c.RecordVersion)
	DerivedLink(m, "record", RecordPath(x.c.EntryID))
}

type candidatePublisher struct{ c *Candidate }

func (x *candidatePublisher) Members(m *wire.Members) {
	m.String("name", &x.c.Publisher)
	m.String("site_id", &x.c.SiteID)
}

type candidatePassport struct{ c *Candidate }

func (x *candidatePassport) Members(m *wire.Members) {
	m.OptTime("as_of", &x.c.RightsAsOf)
	DerivedLink(m, "href", RecordPath(x.c.EntryID)+"#rights_passport")
	DerivedLink(m, "live_state", RightsCheckPath(x.c.EntryID))
	m.Flag("not_permission", true)
	m.String("rights_vector", &x.c.RightsVector)
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

// Members describes the JSON form.
func (r *Resolution) Members(m *wire.Members) {
	wire.List(m, "candidates", &r.Candidates)
	m.Flag("grants_rights", false)
	m.Object("match", &resolutionMatch{r})
	m.Object("query", &resolutionQuery{r})
	wire.OptList(m, "reservations", &r.Reservations)
	m.Const("statement", "association_only")
}

type resolutionMatch struct{ r *Resolution }

func (x *resolutionMatch) Members(m *wire.Members) {
	m.String("basis", &x.r.Basis)
	count := int64(len(x.r.Candidates))
	m.Int("count", &count)
	matchStatus(m, count)
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

type resolutionQuery struct{ r *Resolution }

func (x *resolutionQuery) Members(m *wire.Members) {
	m.String("key", &x.r.Key)
	m.String("normalized", &x.r.Normalized)
	m.String("value", &x.r.Value)
}
