package rights

import "colophon/exports"

// Map returns the rights-map record of a site. ok is false if the site may not
// appear.
func Map(f *SiteSnapshot, t *Tally) (exports.MapRecord, bool) {
	if !Public(f.Site) {
		return exports.MapRecord{}, false
	}
	s := publisherSummary(f, t)
	groups, warnings := f.ownJudge().Agents(&Resource{}, f.Signals)
	return exports.MapRecord{
		Agents: groups, AgentWarnings: warnings,
		SiteID: s.SiteID, Name: s.Name, SiteURL: s.SiteURL, Categories: s.Categories, Readiness: s.Readiness, Signals: readinessSignals(f, t),
		RightsVector: s.RightsVector, RightsAsOf: s.RightsAsOf, Preferences: f.publicPreferences(), Channels: f.Channels(), Conflicts: f.Conflicts(), Doubts: f.Doubts(), RegisteredPages: t.Pages,
		Offers: f.openOffers(), ProvenanceRecords: t.Records, AcceptsInquiries: s.AcceptsInquiries, Policy: currentPolicy(f),
		DomainControl: f.Site.DomainControl, ControlChecked: f.Site.ControlChecked, UpdatedAt: s.UpdatedAt,
		Group: s.Group,
	}, true
}

// readinessSignals returns the states of all twelve readiness signals. Those
// that the data show are derived; the others are what the operator recorded, or
// unchecked.
func readinessSignals(f *SiteSnapshot, t *Tally) []exports.ReadinessSignal {
	out := make([]exports.ReadinessSignal, 0, len(exports.ReadinessSignals))
	for _, name := range exports.ReadinessSignals {
		s := exports.ReadinessSignal{Signal: name, State: "unchecked"}
		for _, kept := range f.Signals {
			if kept.Signal == name {
				s.State = kept.State
				s.Evidence = kept.Evidence
				s.CheckedAt = kept.CheckedAt
			}
		}
		deriveSignal(f, t, &s)
		out = append(out, s)
	}
	return out
}

func deriveSignal(f *SiteSnapshot, t *Tally, s *exports.ReadinessSignal) {
	id := f.Site.SiteID
	is := func(yes bool, evidence, at string) {
		s.State = "not_found"
		s.Evidence = ""
		s.CheckedAt = at
		if yes {
			s.State, s.Evidence = "found", evidence
		}
	}
	switch s.Signal {
	case "registered_inventory":
		is(t.Pages > 0, exports.InventoryPath(id), latestTime(f.Site.ChangedAt, t.LatestChange))
	case "marketplace_discovery":
		is(true, exports.PublisherPath(id), f.Site.ApprovedAt)
	case "rights_passport":
		if p := f.Passport(); p != nil {
			is(true, exports.SiteRecordsPath(id), p.EffectiveFrom)
		} else {
			is(false, "", f.Site.ChangedAt)
		}
	case "website_association":
		for _, w := range f.Websites {
			if w.Associated && w.Method != "lapsed" {
				is(true, exports.PublisherPath(id), w.CheckedAt)
				return
			}
		}
		is(false, "", f.Site.ChangedAt)
	case "provenance_record":
		is(t.Records > 0, exports.SiteRecordsPath(id), latestTime(t.LatestRecord, f.Site.ChangedAt))
	case "provenance_ledger":
		is(f.Ledger && t.Records > 0, exports.PathLedgerManifest, latestTime(t.LatestRecord, f.Site.ChangedAt))
	case "rsl":
		for _, c := range f.Channels() {
			if c.Channel == "rsl" {
				is(c.State == "valid", c.URL, c.CheckedAt)
			}
		}
	}
}
