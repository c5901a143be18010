package originsql

import (
	"context"

	"colophon/internal/origin"
)

var hostProofTable = recordsOf("host_proofs", 2, func(p *origin.HostProof) []column {
	return []column{
		{"site_id", &p.SiteID}, {"host", &p.Host}, {"method", &p.Method}, {"address", &p.Address}, {"digest", &p.Digest},
		{"first_at", &p.FirstAt}, {"seen_at", &p.SeenAt}, {"looked_at", &p.LookedAt}, {"missed_at", &p.MissedAt}, {"lapsed_at", &p.LapsedAt},
	}
})

// ProofsOfSite lists the proofs of a site by host.
func (s *Store) ProofsOfSite(ctx context.Context, siteID string) ([]origin.HostProof, error) {
	return hostProofTable.list(ctx, s, "list proofs", "WHERE site_id = ?1 ORDER BY host", siteID)
}

// ProofsOfHost lists the proofs of a host by site id.
func (s *Store) ProofsOfHost(ctx context.Context, host string) ([]origin.HostProof, error) {
	return hostProofTable.list(ctx, s, "list proofs of a host", "WHERE host = ?1 ORDER BY site_id", host)
}

// PutHostProof adds or replaces one.
func (s *Store) PutHostProof(ctx context.Context, p origin.HostProof) error {
	return s.putRow(ctx, "write a proof", hostProofTable.row(&p))
}
