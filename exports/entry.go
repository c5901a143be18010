package exports

import "colophon/internal/wire"

// Entry is the public metadata of one registered page: an inventory item, and
// the core of search hits and feed records. It has neither a body nor an
// excerpt, only the title.
type Entry struct {
	EntryID       string
	SiteID        string
	Title         string // untrusted text
	URL           string // canonical by service.url-key.v1
	Section       string // untrusted text
	Terms         []string
	ContentFormat string
	Language      string
	WordCount     int64
	PublishedAt   string
	ModifiedAt    string
	RegisteredAt  string
	RightsVector  string
	RightsAsOf    string // instant at which the vector was judged
	Digest        string // portable fingerprint, 64 hex, "" when the page has none
}

func (e *Entry) Members(m *wire.Members) {
	m.Enum("content_format", &e.ContentFormat, ContentFormats...)
	m.String("entry_id", &e.EntryID)
	e.fingerprintMember(m)
	m.Flag("grants_rights", false)
	m.OptString("language", &e.Language)
	m.Nested("links", func(m *wire.Members) {
		DerivedLink(m, "citation", CitationPath(e.EntryID))
		record := ""
		if e.Digest != "" {
			record = RecordPath(e.EntryID)
		}
		m.OptString("provenance", &record)
	})
	m.OptTime("modified_at", &e.ModifiedAt)
	m.OptTime("published_at", &e.PublishedAt)
	m.Time("registered_at", &e.RegisteredAt)
	m.OptTime("rights_as_of", &e.RightsAsOf)
	m.String("rights_vector", &e.RightsVector)
	m.OptString("section", &e.Section)
	m.String("site_id", &e.SiteID)
	m.Strings("terms", &e.Terms)
	m.String("title", &e.Title)
	m.String("url", &e.URL)
	m.OptInt("word_count", &e.WordCount)
}

func (e *Entry) fingerprintMember(m *wire.Members) {
	var f *Fingerprint
	if e.Digest != "" {
		f = &Fingerprint{Digest: e.Digest, Profile: ProfileCanonicalText}
	}
	wire.Opt(m, "fingerprint", &f)
	if f != nil && !m.Writing() { // entries that are encoded may be shared
		e.Digest = f.Digest
	}
}

// Fingerprint is a SHA-256 digest and, for the portable one, its text profile.
type Fingerprint struct {
	Digest  string // 64 lower-case hex
	Profile string // ProfileCanonicalText, or "" for the registry binding
}

func (f *Fingerprint) Members(m *wire.Members) {
	m.Const("algorithm", "sha-256")
	m.String("digest", &f.Digest)
	m.OptString("profile", &f.Profile)
}

// PublisherRef names the publisher of an entry.
type PublisherRef struct{ SiteID, Name string }

func (p *PublisherRef) Members(m *wire.Members) {
	m.String("name", &p.Name)
	m.String("site_id", &p.SiteID)
}

// FeedRecord is an entry with its publisher and offers, one line of the
// licensing feed. Cursor resumes after this record and is only in NDJSON.
type FeedRecord struct {
	Entry
	Publisher  PublisherRef
	LicenseIDs []string
	Cursor     string
}

// FeedRecord returns the entry as a record of the licensing feed, without a
// cursor.
func (e Entry) FeedRecord(publisher PublisherRef, licenseIDs []string) FeedRecord {
	return FeedRecord{Entry: e, Publisher: publisher, LicenseIDs: licenseIDs}
}

func (f *FeedRecord) Members(m *wire.Members) {
	m.OptString("cursor", &f.Cursor)
	m.Strings("license_ids", &f.LicenseIDs)
	m.Object("publisher", &f.Publisher)
	f.Entry.Members(m)
}

// SearchHit is an entry found by a search, with the reasons.
type SearchHit struct {
	Entry
	Publisher PublisherRef
	Match     Match
	Closed    bool // the publisher takes no inquiries; for pages, not a member
}

func (h *SearchHit) Members(m *wire.Members) {
	m.Object("match", &h.Match)
	m.Object("publisher", &h.Publisher)
	h.Entry.Members(m)
}

// Match says why something was found.
type Match struct {
	Score  int64 // thousandths of 1, relative to the best hit
	Fields []string
	Terms  []string
}

func (x *Match) Members(m *wire.Members) {
	m.Strings("fields", &x.Fields)
	m.Thousandths("score", &x.Score)
	m.Strings("terms", &x.Terms)
}

// InventoryFacts summarizes the inventory from which a list is taken.
type InventoryFacts struct {
	RegisteredPages int64
	WithProvenance  int64
	Sections        []Section
	TopTerms        []string
}

func (f *InventoryFacts) Members(m *wire.Members) {
	m.Int("registered_pages", &f.RegisteredPages)
	wire.List(m, "sections", &f.Sections)
	m.Strings("top_terms", &f.TopTerms)
	m.Int("with_provenance", &f.WithProvenance)
}

// InventoryListing returns the answer that lists pages of one publisher with
// the facts of the whole inventory beside them.
func InventoryListing(f *InventoryFacts) *InventoryList {
	return &InventoryList{Extra: func(m *wire.Members) { m.Object("inventory", f) }}
}

// InventoryItem is a page of an inventory, with the reasons when a topic was
// asked for.
type InventoryItem struct {
	Entry
	Match *Match
}

func (x *InventoryItem) Members(m *wire.Members) {
	wire.Opt(m, "match", &x.Match)
	x.Entry.Members(m)
}
