package origin

import "context"

// HostProof is evidence that a site's publisher controls one of its hosts.
type HostProof struct {
	SiteID   string
	Host     string
	Method   string // of exports.ProvenControls
	Address  string // what was checked: an address, or the name of a DNS record
	Digest   string // hex SHA-256 of what was seen there
	FirstAt  string
	SeenAt   string // last seen
	LookedAt string // last looked for
	MissedAt string // first check that missed it since it was seen, "" if none
	LapsedAt string // when it stopped counting, "" while it counts
}

// HostProofs reads and writes proofs, one a host and site.
type HostProofs interface {
	// ProofsOfSite lists the proofs of a site by host.
	ProofsOfSite(ctx context.Context, siteID string) ([]HostProof, error)
	// ProofsOfHost lists the proofs of a host by site id.
	ProofsOfHost(ctx context.Context, host string) ([]HostProof, error)
	// PutHostProof adds or replaces one.
	PutHostProof(ctx context.Context, p HostProof) error
}
