package originsql

import (
	"context"

	"colophon/internal/origin"
)

// Withheld are the columns whose values the audit trail does not show.
var Withheld = withheld

// RawBody returns the body of a page, or origin.ErrNotFound if there is none.
func (s *Store) RawBody(ctx context.Context, entryID string) (origin.Body, error) {
	stored, err := bodyTable.one(ctx, s, "read a body", "WHERE entry_id = ?1", entryID)
	return stored.Body, err
}

// EvidenceOf lists every row of a site by channel, address and since.
func (s *Store) EvidenceOf(ctx context.Context, siteID string) ([]origin.Evidence, error) {
	return evidenceTable.list(ctx, s, "list evidence", "WHERE site_id = ?1 ORDER BY channel, url, since", siteID)
}

// Policies lists the versions of a site, oldest first.
func (s *Store) Policies(ctx context.Context, siteID string) ([]origin.PolicyVersion, error) {
	return policyTable.list(ctx, s, "list policy versions", "WHERE site_id = ?1 ORDER BY version", siteID)
}
