package originsql

import (
	"context"

	"colophon/internal/origin"
)

// FactsOfSites asks one statement for each table, however many sites there are.
func (s *Store) FactsOfSites(ctx context.Context, siteIDs []string) ([]origin.SiteFacts, error) {
	list := make([]origin.SiteFacts, len(siteIDs))
	bySite := make(map[string]*origin.SiteFacts, len(siteIDs))
	for i, id := range siteIDs {
		list[i].SiteID = id
		bySite[id] = &list[i]
	}

	ids := joinList(siteIDs)
	for _, read := range []func() error{
		func() error {
			return eachOfSites(ctx, s.db, websiteTable, "host", ids, scanWebsite, func(x origin.Website) {
				bySite[x.SiteID].Websites = append(bySite[x.SiteID].Websites, x)
			})
		},
		func() error {
			return eachOfSites(ctx, s.db, preferenceTable, "use", ids, scanPreference, func(x origin.Preference) {
				bySite[x.SiteID].Preferences = append(bySite[x.SiteID].Preferences, x)
			})
		},
		func() error {
			return eachOfSites(ctx, s.db, passportTable, "version", ids, scanPassport, func(x origin.Passport) {
				bySite[x.SiteID].Passports = append(bySite[x.SiteID].Passports, x)
			})
		},
		func() error {
			return eachOfSites(ctx, s.db, signalTable, "signal", ids, scanSignal, func(x origin.Signal) {
				bySite[x.SiteID].Signals = append(bySite[x.SiteID].Signals, x)
			})
		},
		func() error {
			return eachOfSites(ctx, s.db, offerTable, "license_id", ids, scanOffer, func(x origin.Offer) {
				bySite[x.SiteID].Offers = append(bySite[x.SiteID].Offers, x)
			})
		},
		func() error {
			return eachOfSites(ctx, s.db, evidenceTable, "channel, url, since", ids, scanEvidence, func(x origin.Evidence) {
				bySite[x.SiteID].Evidence = append(bySite[x.SiteID].Evidence, x)
			})
		},
		func() error {
			return eachOfSites(ctx, s.db, policyTable, "version", ids, scanPolicy, func(x origin.PolicyVersion) {
				bySite[x.SiteID].Policies = append(bySite[x.SiteID].Policies, x)
			})
		},
	} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ObservationsOfSites lists what was observed of sites.
func (s *Store) ObservationsOfSites(ctx context.Context, siteIDs []string) (map[string][]origin.Observation, error) {
	bySite := map[string][]origin.Observation{}
	err := eachOfSites(ctx, s.db, observationTable, "channel, url", joinList(siteIDs), scanObservation, func(o origin.Observation) {
		bySite[o.SiteID] = append(bySite[o.SiteID], o)
	})
	if err != nil {
		return nil, err
	}
	return bySite, nil
}

// eachOfSites reads the rows of a table that belong to sites. order is that of the
// rows of each site, ids a JSON array of site ids.
func eachOfSites[T any](ctx context.Context, db database, t table, order, ids string, scan func(scanner) (T, error), add func(T)) error {
	keep := func(row scanner) error {
		x, err := scan(row)
		if err == nil {
			add(x)
		}
		return err
	}
	query := t.selectWhere("WHERE site_id IN " + batchKeys + " ORDER BY site_id, " + order)
	_, err := readRows(ctx, db, keep, -1, query, []any{ids})
	return Wrap("read "+t.name+" of many sites", err)
}
