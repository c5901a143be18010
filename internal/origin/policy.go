package origin

import "context"

// Evidence is one document in which a site states something about rights, as it
// read between two instants: the parsed form of an Observation. When the
// document changes, a row with a later Since takes its place and this one keeps
// ReplacedAt, so that an earlier instant can still be judged.
type Evidence struct {
	SiteID     string
	Channel    string
	URL        string
	Since      string // first seen in this form
	State      string // valid, invalid, absent, unreachable
	Document   string // canonical JSON of what it says, "" if nothing
	Statements int64
	Warnings   []string // stable codes
	Digest     string   // hex digest of the document, "" if none
	CheckedAt  string   // last seen in this form
	ValidUntil string   // "" when not known
	LookedAt   string   // last looked for
	ReplacedAt string   // when another took its place, "" if none has
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
	RecordedAt     string // instant of the data that showed the change
}

// Policies writes evidence and policy versions.
type Policies interface {
	// PutEvidence adds or replaces a row.
	PutEvidence(ctx context.Context, e Evidence) error
	// AddPolicy adds a version. It returns ErrConflict if it exists.
	AddPolicy(ctx context.Context, v PolicyVersion) error
	// EndPolicy sets the end of a version that has none.
	EndPolicy(ctx context.Context, siteID string, version int64, until string) error
}

// Rights is what a live rights check reads. Each site has a version of the
// facts about its rights: whoever writes such a fact gives it another one in the
// same transaction, and none is ever used twice.
type Rights interface {
	// FindRights returns the pages that a lookup names and the versions of their
	// sites, all as of one moment. Pages and sites that do not exist are left
	// out without an error.
	FindRights(ctx context.Context, l RightsLookup) (RightsFound, error)

	// RightsPages returns the pages that many keys name, each once, by entry id
	// for each kind of key, and the approved public sites that showed control
	// of hosts. Each list is cut after MaxBatchFound, with one more row if
	// there are more.
	RightsPages(ctx context.Context, k RightsKeys) (RightsPages, error)

	// RightsOfSites returns all facts about the rights of sites, by site id,
	// with their versions: those in force at an instant (RFC 3339) and later or,
	// if past is set, those of any time. The facts of a site belong to one
	// moment.
	RightsOfSites(ctx context.Context, siteIDs []string, at string, past bool) ([]SiteRights, error)

	// ReservationsByCode returns the reservations of approved public sites for
	// the content with some codes, by code and site id: those in force or, if
	// past is set, those of any time. The list is cut after MaxBatchFound, with
	// one more if there are more.
	ReservationsByCode(ctx context.Context, codes []string, past bool) ([]VouchedReservation, error)
}

// RightsKeys are what a batch of rights questions is about.
type RightsKeys struct {
	URLs         []string // canonical addresses of pages
	EntryIDs     []string
	Fingerprints []string // portable or registry digests of pages
	Hosts        []string
}

// MaxBatchFound bounds the pages, and the sites of hosts, of one batch.
const MaxBatchFound = 4000

// RightsPages is what the keys of a batch name. Pages are abridged.
type RightsPages struct {
	Pages    []Page
	Hosts    []HostSite
	Versions []SiteVersion // of the sites of both, in no particular order
}

// HostSite is a site that showed control of a host.
type HostSite struct{ Host, SiteID string }

// SiteVersion is the current version of the facts about the rights of a site.
type SiteVersion struct{ SiteID, Version string }

// RightsLookup names what a rights question is about, by one of the first four.
type RightsLookup struct {
	URL         string   // canonical address of pages
	SamePage    []string // other addresses under which that page may be registered
	EntryID     string
	Fingerprint string // portable or registry digest of pages
	SiteID      string
	Host        string // whose approved public sites are meant if no page is found; "" for none
}

// MaxFound bounds the pages, and the sites of a host, that a lookup finds.
const MaxFound = 32

// RightsFound is what a lookup found. Pages are abridged: they have what rights
// depend on and what identifies them.
type RightsFound struct {
	Pages []Page        // by entry id, those with exactly the address that was asked for first
	Sites []SiteVersion // of the pages, or else the named one or those of the host

	Reserved bool // whether the content with the fingerprint has reservations, perhaps withdrawn ones
}

// SiteRights is what the origin holds about the rights of one site.
type SiteRights struct {
	Version     string // of everything below
	Site        Site
	Preferences []Preference    // by use
	Passports   []Passport      // oldest first
	Offers      []Offer         // by license id
	Evidence    []Evidence      // by channel, address and since
	Policies    []PolicyVersion // oldest first; the first of all is always there
}
