package exports

import "colophon/internal/wire"

// Constants of the provenance format.
const (
	SchemaProvenance     = "service.contentdna-provenance.v1"
	ProfileCanonicalText = "service.canonical-text.v1"
	Cryptosuite          = "eddsa-ed25519-service-2026"
	ProfileURLKey        = "service.url-key.v1"
	DocumentCitation     = "service.citation.v1"
	PassportVersion      = "service.rights-passport.v1"
)

// Record is a provenance record: it binds a registered resource to its
// fingerprints, its source metadata and a rights passport, under an Ed25519
// signature. The signature covers the record's canonical bytes without the
// signature itself, so the published file is exactly wire.Append of the record.
type Record struct {
	PublisherID  string
	SiteID       string
	EntryID      string
	CanonicalURL string
	Version      int64  // 1, 2, …
	Supersedes   string // hex SHA-256 of the previous record, "" in version 1
	Withdrawn    bool   // a tombstone
	Source       Source
	Portable     string // hex digest
	Registry     string // hex digest
	Passport     Passport
	Proof        Proof
}

func (r *Record) Members(m *wire.Members) {
	m.String("canonical_url", &r.CanonicalURL)
	m.String("entry_id", &r.EntryID)
	m.Nested("fingerprints", func(m *wire.Members) {
		p, g := Fingerprint{r.Portable, ProfileCanonicalText}, Fingerprint{Digest: r.Registry}
		m.Object("portable", &p)
		m.Object("registry", &g)
		r.Portable, r.Registry = p.Digest, g.Digest
	})
	m.Object("proof", &r.Proof)
	m.String("publisher_id", &r.PublisherID)
	m.Int("record_version", &r.Version)
	m.Object("rights_passport", &r.Passport)
	m.Const("schema_version", SchemaProvenance)
	m.String("site_id", &r.SiteID)
	m.Object("source", &r.Source)
	r.statusMembers(m)
	m.OptString("supersedes", &r.Supersedes)
}

func (r *Record) statusMembers(m *wire.Members) {
	word := ""
	if r.Withdrawn {
		word = "withdrawn"
	}
	m.OptEnum("status", &word, "withdrawn")
	if !m.Writing() {
		r.Withdrawn = word != ""
	}
}

// Source is what was known about the page when the record was issued.
type Source struct {
	Title         string // untrusted text
	Byline        []string
	Section       string
	Language      string
	ContentFormat string
	PublishedAt   string
	ModifiedAt    string
	WordCount     int64
	Extraction    string // how the text was obtained
}

func (s *Source) Members(m *wire.Members) {
	m.OptStrings("byline", &s.Byline)
	m.OptEnum("content_format", &s.ContentFormat, ContentFormats...)
	m.OptString("extraction", &s.Extraction)
	m.OptString("language", &s.Language)
	m.OptTime("modified_at", &s.ModifiedAt)
	m.OptTime("published_at", &s.PublishedAt)
	m.OptString("section", &s.Section)
	m.String("title", &s.Title)
	m.OptInt("word_count", &s.WordCount)
}

// Passport is the rights passport inside a record: what the publisher had
// stated at that time, and the address of the live state. It is not a
// permission.
type Passport struct {
	PassportID   string
	Version      int64
	HolderName   string // untrusted text
	HolderURL    string
	HolderBasis  string // one of PassportBases
	RightsVector string
	LicenseIDs   []string
	Territories  []string
	CurrentURL   string // absolute
	AsOf         string
}

func (p *Passport) Members(m *wire.Members) {
	m.Const("acquire", PathPrepare)
	m.Time("as_of", &p.AsOf)
	m.Flag("grants_rights", false)
	m.Strings("license_ids", &p.LicenseIDs)
	m.String("live_url", &p.CurrentURL)
	m.Flag("not_permission", true)
	m.String("passport_id", &p.PassportID)
	m.Const("passport_version", PassportVersion)
	m.Nested("rights_holder", func(m *wire.Members) {
		m.Enum("basis", &p.HolderBasis, PassportBases...)
		m.String("name", &p.HolderName)
		m.OptString("url", &p.HolderURL)
	})
	m.String("rights_vector", &p.RightsVector)
	m.Const("state", "inquiry_only")
	m.Strings("territories", &p.Territories)
	m.Int("version", &p.Version)
}

// Proof is the signature of a record. Created comes from the data, never from
// the clock of a build.
type Proof struct {
	KeyID     string // RFC 7638 thumbprint
	Created   string
	Signature string // 86 characters of base64url
}

func (p *Proof) Members(m *wire.Members) {
	m.Time("created", &p.Created)
	m.Const("cryptosuite", Cryptosuite)
	m.String("key_id", &p.KeyID)
	m.OptString("signature_b64u", &p.Signature)
}
