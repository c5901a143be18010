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
	return many(ctx, s.db, "list evidence", scanEvidence, evidenceTable.selectWhere("WHERE site_id = ?1 ORDER BY channel, url, since"), siteID)
}

// PutEvidence adds or replaces a row.
func (s *Store) PutEvidence(ctx context.Context, e origin.Evidence) error {
	return s.exec(ctx, "write evidence", evidenceTable.upsert(), e.SiteID, e.Channel, e.URL, e.Since, e.State, e.Document, e.Statements,
		joined(e.Warnings), e.Digest, e.CheckedAt, e.ValidUntil, e.LookedAt, e.ReplacedAt)
}

// Policies lists the versions of a site, oldest first.
func (s *Store) Policies(ctx context.Context, siteID string) ([]origin.PolicyVersion, error) {
	return many(ctx, s.db, "list policy versions", scanPolicy, policyTable.selectWhere("WHERE site_id = ?1 ORDER BY version"), siteID)
}

// AddPolicy adds a version.
func (s *Store) AddPolicy(ctx context.Context, v origin.PolicyVersion) error {
	return s.exec(ctx, "add a policy version", policyTable.insert(), v.SiteID, v.Version, v.EffectiveFrom, v.EffectiveUntil, v.Digest, v.Vector,
		v.Vectors, v.Facts, v.RecordedAt)
}

// EndPolicy sets the end of a version that has none.
func (s *Store) EndPolicy(ctx context.Context, siteID string, version int64, until string) error {
	return s.exec(ctx, "end a policy version",
		"UPDATE policy_history SET effective_until = ?3 WHERE site_id = ?1 AND version = ?2 AND effective_until = ''", siteID, version, until)
}

// SitesOfHost lists the ids of the approved public sites that showed control
// of a host.
func (s *Store) SitesOfHost(ctx context.Context, host string) ([]string, error) {
	const query = `SELECT s.site_id FROM websites w JOIN sites s ON s.site_id = w.site_id
		WHERE w.host = ?1 AND w.associated = 1 AND s.state = 'approved' AND s.visibility = 'public' ORDER BY s.site_id LIMIT 32`
	return many(ctx, s.db, "look up a host", func(r scanner) (id string, err error) { err = r.Scan(&id); return id, err }, query, host)
}

// PagesByURL lists the pages of all sites with a canonical address.
func (s *Store) PagesByURL(ctx context.Context, canonical string) ([]origin.Page, error) {
	return many(ctx, s.db, "look up an address", scanPage, pageTable.selectWhere("WHERE canonical_url = ?1 ORDER BY entry_id LIMIT 32"), canonical)
}

// PagesByFingerprint lists the pages with a digest.
func (s *Store) PagesByFingerprint(ctx context.Context, digest string, limit int) ([]origin.Page, error) {
	return many(ctx, s.db, "look up a fingerprint", scanPage,
		pageTable.selectWhere("WHERE portable = ?1 AND portable <> '' OR registry = ?1 AND registry <> '' ORDER BY entry_id LIMIT ?2"), digest, int64(limit))
}
