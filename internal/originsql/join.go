package originsql

import (
	"context"

	"colophon/internal/origin"
)

var joinTable = recordsOf("joins", 1, func(j *origin.Join) []column {
	return []column{
		{"join_id", &j.JoinID}, {"host", &j.Host}, {"state", &j.State}, {"lookup", &j.Lookup}, {"hash", &j.Hash}, {"found", &j.Found},
		{"reason", &j.Reason}, {"site_id", &j.SiteID}, {"created_at", &j.CreatedAt}, {"looked_at", &j.LookedAt}, {"expires_at", &j.ExpiresAt},
		{"changed_at", &j.ChangedAt},
	}
})

// JoinsByLookup lists the requests to join with a lookup text.
func (s *Store) JoinsByLookup(ctx context.Context, lookup string) ([]origin.Join, error) {
	return joinTable.list(ctx, s, "look up a request to join", "WHERE lookup = ?1 ORDER BY join_id", lookup)
}

// JoinsOf lists the requests to join of a state, the oldest first.
func (s *Store) JoinsOf(ctx context.Context, state string, limit int64) ([]origin.Join, error) {
	if state == "" {
		return joinTable.list(ctx, s, "list requests to join", "ORDER BY created_at, join_id LIMIT ?1", limit)
	}
	return joinTable.list(ctx, s, "list requests to join", "WHERE state = ?1 ORDER BY created_at, join_id LIMIT ?2", state, limit)
}

// JoinsOfHost lists the requests to join of a host, the newest first.
func (s *Store) JoinsOfHost(ctx context.Context, host string) ([]origin.Join, error) {
	return joinTable.list(ctx, s, "list requests of a host", "WHERE host = ?1 ORDER BY created_at DESC, join_id", host)
}

// Join returns one request to join, or origin.ErrNotFound.
func (s *Store) Join(ctx context.Context, joinID string) (origin.Join, error) {
	return joinTable.one(ctx, s, "read a request to join", "WHERE join_id = ?1", joinID)
}

// PutJoin adds or replaces one.
func (s *Store) PutJoin(ctx context.Context, j origin.Join) error {
	return s.putRow(ctx, "write a request to join", joinTable.row(&j))
}
