package origin

import "context"

// Evidence is one document in which a site states something about rights, as
// it was read between two instants: what the parsers made of an Observation.
// When the document changes, a row with a later Since takes its place and this
// one keeps ReplacedAt, so that an earlier instant can still be judged.
type Evidence struct {
	SiteID     string
	Channel    string
	URL        string
	Since      string // first seen like this
	State      string // valid, invalid, absent, unreachable
	Document   string // canonical JSON of what it says, "" nothing
	Statements int64
	Warnings   []string // stable codes
	Digest     string   // hex digest of the document, "" none
	CheckedAt  string   // last seen like this
	ValidUntil string   // "" when not known
	LookedAt   string   // last looked for
	ReplacedAt string   // when another took its place, "" never
}

// PolicyVersion is what a site stated from one instant on: one row for each
// change of its preferences, offers, passport or channels.
type PolicyVersion struct {
	SiteID         string
	Version        int64 // from 1
	EffectiveFrom  string
	EffectiveUntil string // "" for the one in force
	Digest         string // "sha-256:" and hex, over all that is stated
	Vector         string // rights vector of the whole site
	Vectors        string // canonical JSON: [{"path","rights_vector"}]
	Facts          string // canonical JSON: {"offers","preferences"}, public records
	RecordedAt     string // instant of the data by which the change was noted
}

// EvidenceReader reads what the channels of a site say.
type EvidenceReader interface {
	// EvidenceOf lists every row of a site by channel, address and since.
	EvidenceOf(ctx context.Context, siteID string) ([]Evidence, error)
}

// PolicyReader reads how the policy of a site came about.
type PolicyReader interface {
	// Policies lists the versions of a site, oldest first.
	Policies(ctx context.Context, siteID string) ([]PolicyVersion, error)
}

// Policies reads and writes evidence and policy versions.
type Policies interface {
	EvidenceReader
	PolicyReader
	// PutEvidence adds or replaces a row.
	PutEvidence(ctx context.Context, e Evidence) error
	// AddPolicy adds a version; ErrConflict when it exists.
	AddPolicy(ctx context.Context, v PolicyVersion) error
	// EndPolicy sets the end of a version that has none.
	EndPolicy(ctx context.Context, siteID string, version int64, until string) error
}

// Rights is what a live rights check reads: the facts of one site, and the
// pages that a lookup key names.
type Rights interface {
	// Site returns one site or ErrNotFound.
	Site(ctx context.Context, siteID string) (Site, error)
	// SitesOfHost lists the ids of the approved public sites that showed
	// control of a host, in order; several may share one.
	SitesOfHost(ctx context.Context, host string) ([]string, error)
	// Preferences lists what a site stated, by use; at most eight.
	Preferences(ctx context.Context, siteID string) ([]Preference, error)
	// Passports lists the versions of a site's passport, oldest first.
	Passports(ctx context.Context, siteID string) ([]Passport, error)
	// OffersOf lists the offers of a site by license id.
	OffersOf(ctx context.Context, siteID string) ([]Offer, error)
	// Page returns one page or ErrNotFound.
	Page(ctx context.Context, entryID string) (Page, error)
	// PagesByURL lists the pages of all sites with a canonical address, by
	// entry id.
	PagesByURL(ctx context.Context, canonical string) ([]Page, error)
	// PagesByFingerprint lists the pages with a portable or registry digest,
	// by entry id; at most limit.
	PagesByFingerprint(ctx context.Context, digest string, limit int) ([]Page, error)
	EvidenceReader
	PolicyReader
}
