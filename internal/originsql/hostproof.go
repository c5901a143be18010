package originsql

import (
	"context"

	"colophon/internal/origin"
)

var hostProofTable = table{"host_proofs", 2, []string{
	"site_id", "host", "method", "address", "digest", "first_at", "seen_at", "looked_at", "missed_at", "lapsed_at",
}}

func scanHostProof(r scanner) (p origin.HostProof, err error) {
	err = r.Scan(&p.SiteID, &p.Host, &p.Method, &p.Address, &p.Digest, &p.FirstAt, &p.SeenAt, &p.LookedAt, &p.MissedAt, &p.LapsedAt)
	return p, err
}

// ProofsOfSite lists the proofs of a site by host.
func (s *Store) ProofsOfSite(ctx context.Context, siteID string) ([]origin.HostProof, error) {
	return queryAll(ctx, s.db, "list proofs", scanHostProof, hostProofTable.selectWhere("WHERE site_id = ?1 ORDER BY host"), siteID)
}

// ProofsOfHost lists the proofs of a host by site id.
func (s *Store) ProofsOfHost(ctx context.Context, host string) ([]origin.HostProof, error) {
	return queryAll(ctx, s.db, "list proofs of a host", scanHostProof, hostProofTable.selectWhere("WHERE host = ?1 ORDER BY site_id"), host)
}

// PutHostProof adds or replaces one.
func (s *Store) PutHostProof(ctx context.Context, p origin.HostProof) error {
	return s.putRow(ctx, "write a proof", hostProofTable, p.SiteID, p.Host, p.Method, p.Address, p.Digest, p.FirstAt, p.SeenAt, p.LookedAt, p.MissedAt, p.LapsedAt)
}
