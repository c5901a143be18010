package origin

import "context"

// The states of a request to join.
const (
	JoinWaiting  = "waiting"
	JoinApproved = "approved"
	JoinDeclined = "declined"
)

// Join is a site that asked to be listed. No part of it is public before an
// operator approves it.
type Join struct {
	JoinID    string
	Host      string
	State     string
	Lookup    string // first 16 hex digits of Hash
	Hash      string // hex SHA-256 of the secret in the address of its page
	Found     string // JSON of exports.JoinFound, "" if nobody looked
	Reason    string // why it was declined
	SiteID    string // publisher that it became
	CreatedAt string
	LookedAt  string
	ExpiresAt string
	ChangedAt string
}

// Joins reads and writes requests to join.
type Joins interface {
	// JoinsByLookup lists the requests with that lookup text, usually one.
	JoinsByLookup(ctx context.Context, lookup string) ([]Join, error)
	// JoinsOf lists the requests of a state, the oldest first, at most limit;
	// "" lists all.
	JoinsOf(ctx context.Context, state string, limit int64) ([]Join, error)
	// JoinsOfHost lists the requests of a host, the newest first.
	JoinsOfHost(ctx context.Context, host string) ([]Join, error)
	// Join returns one or ErrNotFound.
	Join(ctx context.Context, joinID string) (Join, error)
	// PutJoin adds or replaces one.
	PutJoin(ctx context.Context, j Join) error
}
