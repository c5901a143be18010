package originsql

import (
	"context"

	"colophon/internal/origin"
)

var joinTable = table{"joins", 1, []string{
	"join_id", "host", "state", "lookup", "hash", "found", "reason", "site_id", "created_at", "looked_at", "expires_at", "changed_at",
}}

func scanJoin(r scanner) (j origin.Join, err error) {
	err = r.Scan(&j.JoinID, &j.Host, &j.State, &j.Lookup, &j.Hash, &j.Found, &j.Reason, &j.SiteID, &j.CreatedAt, &j.LookedAt, &j.ExpiresAt, &j.ChangedAt)
	return j, err
}

// JoinsByLookup lists the requests to join with a lookup text.
func (s *Store) JoinsByLookup(ctx context.Context, lookup string) ([]origin.Join, error) {
	return queryAll(ctx, s.db, "look up a request to join", scanJoin, joinTable.selectWhere("WHERE lookup = ?1 ORDER BY join_id"), lookup)
}

// JoinsOf lists the requests to join of a state, the oldest first.
func (s *Store) JoinsOf(ctx context.Context, state string, limit int64) ([]origin.Join, error) {
	if state == "" {
		return queryAll(ctx, s.db, "list requests to join", scanJoin, joinTable.selectWhere("ORDER BY created_at, join_id LIMIT ?1"), limit)
	}
	return queryAll(ctx, s.db, "list requests to join", scanJoin, joinTable.selectWhere("WHERE state = ?1 ORDER BY created_at, join_id LIMIT ?2"), state, limit)
}

// JoinsOfHost lists the requests to join of a host, the newest first.
func (s *Store) JoinsOfHost(ctx context.Context, host string) ([]origin.Join, error) {
	return queryAll(ctx, s.db, "list requests of a host", scanJoin, joinTable.selectWhere("WHERE host = ?1 ORDER BY created_at DESC, join_id"), host)
}

// Join returns one request to join, or origin.ErrNotFound.
func (s *Store) Join(ctx context.Context, joinID string) (origin.Join, error) {
	return queryOne(ctx, s.db, "read a request to join", scanJoin, joinTable.selectWhere("WHERE join_id = ?1"), joinID)
}

// PutJoin adds or replaces one.
func (s *Store) PutJoin(ctx context.Context, j origin.Join) error {
	return s.putRow(ctx, "write a request to join", joinTable, j.JoinID, j.Host, j.State, j.Lookup, j.Hash, j.Found, j.Reason, j.SiteID, j.CreatedAt, j.LookedAt, j.ExpiresAt, j.ChangedAt)
}
