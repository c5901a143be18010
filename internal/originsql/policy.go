package originsql

import (
	"context"

	"colophon/internal/origin"
)

var _ origin.Rights = (*Store)(nil)

var evidenceTable = recordsOf("evidence", 4, func(e *origin.Evidence) []column {
	return []column{
		{"site_id", &e.SiteID}, {"channel", &e.Channel}, {"url", &e.URL}, {"since", &e.Since}, {"state", &e.State}, {"document", &e.Document},
		{"statements", &e.Statements}, {"warnings", words{&e.Warnings}}, {"digest", &e.Digest}, {"checked_at", &e.CheckedAt},
		{"valid_until", &e.ValidUntil}, {"looked_at", &e.LookedAt}, {"replaced_at", &e.ReplacedAt},
	}
})

var policyTable = recordsOf("policy_history", 2, func(v *origin.PolicyVersion) []column {
	return []column{
		{"site_id", &v.SiteID}, {"version", &v.Version}, {"effective_from", &v.EffectiveFrom}, {"effective_until", &v.EffectiveUntil},
		{"digest", &v.Digest}, {"vector", &v.Vector}, {"vectors", &v.Vectors}, {"facts", &v.Facts}, {"recorded_at", &v.RecordedAt},
	}
})

// PutEvidence adds or replaces a row.
func (s *Store) PutEvidence(ctx context.Context, e origin.Evidence) error {
	return s.lazy().upsert(ctx, "write evidence", evidenceTable.row(&e))
}

// AddPolicy adds a version.
func (s *Store) AddPolicy(ctx context.Context, v origin.PolicyVersion) error {
	return s.lazy().insert(ctx, "add a policy version", policyTable.row(&v))
}

// EndPolicy sets the end of a version that has none.
func (s *Store) EndPolicy(ctx context.Context, siteID string, version int64, until string) error {
	return s.lazy().exec(ctx, write("end a policy version",
		"UPDATE policy_history SET effective_until = ?3 WHERE site_id = ?1 AND version = ?2 AND effective_until = ''", siteID, version, until))
}
