package originsql

import (
	"context"

	"colophon/internal/origin"
)

var (
	evidenceTable = table{"evidence", 4, []string{
		"site_id", "channel", "url", "since", "state", "document", "statements", "warnings", "digest", "checked_at", "valid_until", "looked_at", "replaced_at",
	}}
	policyTable = table{"policy_history", 2, []string{
		"site_id", "version", "effective_from", "effective_until", "digest", "vector", "vectors", "facts", "recorded_at",
	}}
)

var _ origin.Rights = (*Store)(nil)

func scanEvidence(r scanner) (e origin.Evidence, err error) {
	err = r.Scan(&e.SiteID, &e.Channel, &e.URL, &e.Since, &e.State, &e.Document, &e.Statements, words{&e.Warnings}, &e.Digest,
		&e.CheckedAt, &e.ValidUntil, &e.LookedAt, &e.ReplacedAt)
	return e, err
}

func scanPolicy(r scanner) (v origin.PolicyVersion, err error) {
	err = r.Scan(&v.SiteID, &v.Version, &v.EffectiveFrom, &v.EffectiveUntil, &v.Digest, &v.Vector, &v.Vectors, &v.Facts, &v.RecordedAt)
	return v, err
}

// EvidenceOf lists every row of a site.
func (s *Store) EvidenceOf(ctx context.Context, siteID string) ([]origin.Evidence, error) {
	return queryAll(ctx, s.db, "list evidence", scanEvidence, evidenceTable.selectWhere("WHERE site_id = ?1 ORDER BY channel, url, since"), siteID)
}

// execLazily runs a write that does not wait for the disk. It is for evidence and
// policies, which follow from observations and are found again; what states
// them for ever, AppendLedger, waits for all that came before.
func (s *Store) execLazily(ctx context.Context, what, query string, args ...any) error {
	return Wrap(what, s.db.sparse().exec(ctx, query, args))
}

// PutEvidence adds or replaces a row.
func (s *Store) PutEvidence(ctx context.Context, e origin.Evidence) error {
	return s.execLazily(ctx, "write evidence", evidenceTable.upsertStatement(), e.SiteID, e.Channel, e.URL, e.Since, e.State, e.Document, e.Statements,
		joinList(e.Warnings), e.Digest, e.CheckedAt, e.ValidUntil, e.LookedAt, e.ReplacedAt)
}

// Policies lists the versions of a site, oldest first.
func (s *Store) Policies(ctx context.Context, siteID string) ([]origin.PolicyVersion, error) {
	return queryAll(ctx, s.db, "list policy versions", scanPolicy, policyTable.selectWhere("WHERE site_id = ?1 ORDER BY version"), siteID)
}

// AddPolicy adds a version.
func (s *Store) AddPolicy(ctx context.Context, v origin.PolicyVersion) error {
	return s.execLazily(ctx, "add a policy version", policyTable.insertStatement(), v.SiteID, v.Version, v.EffectiveFrom, v.EffectiveUntil, v.Digest, v.Vector,
		v.Vectors, v.Facts, v.RecordedAt)
}

// EndPolicy sets the end of a version that has none.
func (s *Store) EndPolicy(ctx context.Context, siteID string, version int64, until string) error {
	return s.execLazily(ctx, "end a policy version",
		"UPDATE policy_history SET effective_until = ?3 WHERE site_id = ?1 AND version = ?2 AND effective_until = ''", siteID, version, until)
}
