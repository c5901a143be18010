package originsql

import (
	"context"

	"colophon/internal/origin"
)

var (
	preferenceTable = table{"preference_signals", 2, []string{"site_id", "use", "inquiry", "declared", "conditions", "note", "since", "source", "changed_at"}}
	passportTable   = table{"passports", 2, []string{"site_id", "version", "passport_id", "holder_name", "holder_url", "holder_basis", "territories", "effective_from", "private_notes", "changed_at"}}
	signalTable     = table{"readiness_signals", 2, []string{"site_id", "signal", "state", "evidence", "checked_at", "changed_at", "report"}}
)

func scanPreference(r scanner) (p origin.Preference, err error) {
	err = r.Scan(&p.SiteID, &p.Use, &p.Inquiry, &p.Declared, words{&p.Conditions}, &p.Note, &p.Since, &p.Source, &p.ChangedAt)
	return p, err
}

func scanPassport(r scanner) (p origin.Passport, err error) {
	err = r.Scan(&p.SiteID, &p.Version, &p.PassportID, &p.HolderName, &p.HolderURL, &p.HolderBasis, words{&p.Territories}, &p.EffectiveFrom, &p.PrivateNotes, &p.ChangedAt)
	return p, err
}

func scanSignal(r scanner) (x origin.Signal, err error) {
	err = r.Scan(&x.SiteID, &x.Signal, &x.State, &x.Evidence, &x.CheckedAt, &x.ChangedAt, &x.Report)
	return x, err
}

// Preferences lists what a site stated.
func (s *Store) Preferences(ctx context.Context, siteID string) ([]origin.Preference, error) {
	return queryAll(ctx, s.db, "list preferences", scanPreference, preferenceTable.selectWhere("WHERE site_id = ?1 ORDER BY use"), siteID)
}

// PutPreference adds or replaces one.
func (s *Store) PutPreference(ctx context.Context, p origin.Preference) error {
	return s.putRow(ctx, "write a preference", preferenceTable, p.SiteID, p.Use, p.Inquiry, p.Declared, joinList(p.Conditions), p.Note, p.Since, p.Source, p.ChangedAt)
}

// Passports lists the versions of a site's passport, oldest first.
func (s *Store) Passports(ctx context.Context, siteID string) ([]origin.Passport, error) {
	return queryAll(ctx, s.db, "list passports", scanPassport, passportTable.selectWhere("WHERE site_id = ?1 ORDER BY version"), siteID)
}

// AddPassport adds a version.
func (s *Store) AddPassport(ctx context.Context, p origin.Passport) error {
	err := s.exec(ctx, "add a passport", passportTable.insertStatement(), p.SiteID, p.Version, p.PassportID, p.HolderName, p.HolderURL, p.HolderBasis,
		joinList(p.Territories), p.EffectiveFrom, p.PrivateNotes, p.ChangedAt)
	if err != nil {
		return err
	}
	after := []string{"passport_id", p.PassportID, "holder_name", p.HolderName, "holder_url", p.HolderURL, "effective_from", p.EffectiveFrom}
	return s.recordChange(ctx, "passports", targetID([]any{p.SiteID, p.Version}), nil, after)
}

// Signals lists the readiness signals kept for a site.
func (s *Store) Signals(ctx context.Context, siteID string) ([]origin.Signal, error) {
	return queryAll(ctx, s.db, "list readiness signals", scanSignal, signalTable.selectWhere("WHERE site_id = ?1 ORDER BY signal"), siteID)
}

// PutSignal adds or replaces one.
func (s *Store) PutSignal(ctx context.Context, x origin.Signal) error {
	return s.exec(ctx, "write a readiness signal", signalTable.upsertStatement(), x.SiteID, x.Signal, x.State, x.Evidence, x.CheckedAt, x.ChangedAt, x.Report)
}
