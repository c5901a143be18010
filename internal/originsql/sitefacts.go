package originsql

import (
	"context"

	"colophon/internal/origin"
)

// FactsOfSites runs one statement for each table, however many sites there are.
func (s *Store) FactsOfSites(ctx context.Context, siteIDs []string) ([]origin.SiteFacts, error) {
	list := make([]origin.SiteFacts, len(siteIDs))
	bySite := make(map[string]*origin.SiteFacts, len(siteIDs))
	for i, id := range siteIDs {
		list[i].SiteID = id
		bySite[id] = &list[i]
	}

	ids := joinList(siteIDs)
	for _, readAll := range []factReader{
		readFacts(websiteTable, "host", func(x origin.Website) *[]origin.Website { return &bySite[x.SiteID].Websites }),
		readFacts(preferenceTable, "use", func(x origin.Preference) *[]origin.Preference { return &bySite[x.SiteID].Preferences }),
		readFacts(passportTable, "version", func(x origin.Passport) *[]origin.Passport { return &bySite[x.SiteID].Passports }),
		readFacts(signalTable, "signal", func(x origin.Signal) *[]origin.Signal { return &bySite[x.SiteID].Signals }),
		readFacts(offerTable, "license_id", func(x origin.Offer) *[]origin.Offer { return &bySite[x.SiteID].Offers }),
		readFacts(evidenceTable, "channel, url, since", func(x origin.Evidence) *[]origin.Evidence { return &bySite[x.SiteID].Evidence }),
		readFacts(policyTable, "version", func(x origin.PolicyVersion) *[]origin.PolicyVersion { return &bySite[x.SiteID].Policies }),
	} {
		if err := readAll(ctx, s, ids); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// factReader reads one kind of fact of sites, whose ids are a JSON array.
type factReader func(ctx context.Context, s *Store, ids string) error

// readFacts reads the rows of a table, each into the list that listOf returns
// for it.
func readFacts[T any](t records[T], order string, listOf func(T) *[]T) factReader {
	return func(ctx context.Context, s *Store, ids string) error {
		return eachOfSites(ctx, s, t, order, ids, func(x T) {
			list := listOf(x)
			*list = append(*list, x)
		})
	}
}

// ObservationsOfSites lists what was observed of sites.
func (s *Store) ObservationsOfSites(ctx context.Context, siteIDs []string) (map[string][]origin.Observation, error) {
	bySite := map[string][]origin.Observation{}
	err := eachOfSites(ctx, s, observationTable, "channel, url", joinList(siteIDs), func(o origin.Observation) {
		bySite[o.SiteID] = append(bySite[o.SiteID], o)
	})
	if err != nil {
		return nil, err
	}
	return bySite, nil
}

// eachOfSites reads the rows of a table that belong to sites. order is the
// order of each site's rows, ids a JSON array of site ids.
func eachOfSites[T any](ctx context.Context, s *Store, t records[T], order, ids string, add func(T)) error {
	scan := t.scan()
	keep := func(row scanner) error {
		x, err := scan(row)
		if err == nil {
			add(x)
		}
		return err
	}
	query := t.selectWhere("WHERE site_id IN " + batchKeys + " ORDER BY site_id, " + order)
	_, err := s.readRows(ctx, keep, -1, read("read "+t.name+" of many sites", query, ids))
	return err
}
