package originsql

import (
	"context"

	"colophon/internal/origin"
)

var preferenceTable = recordsOf("preference_signals", 2, func(p *origin.Preference) []column {
	return []column{
		{"site_id", &p.SiteID}, {"use", &p.Use}, {"inquiry", &p.Inquiry}, {"declared", &p.Declared}, {"conditions", words{&p.Conditions}},
		{"note", &p.Note}, {"retention", &p.Retention}, {"since", &p.Since}, {"source", &p.Source}, {"changed_at", &p.ChangedAt},
	}
})

var passportTable = recordsOf("passports", 2, func(p *origin.Passport) []column {
	return []column{
		{"site_id", &p.SiteID}, {"version", &p.Version}, {"passport_id", &p.PassportID}, {"holder_name", &p.HolderName},
		{"holder_url", &p.HolderURL}, {"holder_basis", &p.HolderBasis}, {"territories", words{&p.Territories}},
		{"effective_from", &p.EffectiveFrom}, {"private_notes", &p.PrivateNotes}, {"changed_at", &p.ChangedAt},
	}
})

var signalTable = recordsOf("readiness_signals", 2, func(x *origin.Signal) []column {
	return []column{
		{"site_id", &x.SiteID}, {"signal", &x.Signal}, {"state", &x.State}, {"evidence", &x.Evidence}, {"checked_at", &x.CheckedAt},
		{"changed_at", &x.ChangedAt}, {"report", &x.Report},
	}
})

// Preferences lists what a site stated.
func (s *Store) Preferences(ctx context.Context, siteID string) ([]origin.Preference, error) {
	return preferenceTable.list(ctx, s, "list preferences", "WHERE site_id = ?1 ORDER BY use", siteID)
}

// PutPreference adds or replaces one.
func (s *Store) PutPreference(ctx context.Context, p origin.Preference) error {
	return s.putRow(ctx, "write a preference", preferenceTable.row(&p))
}

// Passports lists the versions of a site's passport, oldest first.
func (s *Store) Passports(ctx context.Context, siteID string) ([]origin.Passport, error) {
	return passportTable.list(ctx, s, "list passports", "WHERE site_id = ?1 ORDER BY version", siteID)
}

// AddPassport adds a version.
func (s *Store) AddPassport(ctx context.Context, p origin.Passport) error {
	err := s.insert(ctx, "add a passport", passportTable.row(&p))
	if err != nil {
		return err
	}
	after := []string{"passport_id", p.PassportID, "holder_name", p.HolderName, "holder_url", p.HolderURL, "effective_from", p.EffectiveFrom}
	return s.recordChange(ctx, "passports", targetID([]any{p.SiteID, p.Version}), nil, after)
}

// Signals lists the readiness signals kept for a site.
func (s *Store) Signals(ctx context.Context, siteID string) ([]origin.Signal, error) {
	return signalTable.list(ctx, s, "list readiness signals", "WHERE site_id = ?1 ORDER BY signal", siteID)
}

// PutSignal adds or replaces one.
func (s *Store) PutSignal(ctx context.Context, x origin.Signal) error {
	return s.upsert(ctx, "write a readiness signal", signalTable.row(&x))
}
