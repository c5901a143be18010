package originsql

import (
	"context"
	"strconv"

	"colophon/internal/origin"
)

// RightsPages runs one statement for each kind of key, however many keys there
// are.
func (s *Store) RightsPages(ctx context.Context, k origin.RightsKeys) (found origin.RightsPages, err error) {
	seen := map[string]bool{}
	for _, kind := range []struct {
		keys  []string
		where string
	}{
		{k.URLs, "canonical_url IN " + batchKeys},
		{k.EntryIDs, "entry_id IN " + batchKeys},
		{k.Fingerprints, "portable IN " + batchKeys + " AND portable <> '' OR registry IN " + batchKeys + " AND registry <> ''"},
	} {
		if len(kind.keys) == 0 {
			continue
		}
		pages, err := pageTable.list(ctx, s, "read the pages of a batch", "WHERE "+kind.where+batchLimit, joinList(kind.keys))
		if err != nil {
			return found, err
		}
		for i := range pages {
			if id := pages[i].EntryID; !seen[id] {
				seen[id] = true
				found.Pages = append(found.Pages, pages[i])
			}
		}
	}
	if len(k.Hosts) > 0 {
		found.Hosts, err = queryAll(ctx, s, scanHostSite, read("read the sites of hosts", sitesOfHosts, joinList(k.Hosts)))
	}
	return found, err
}

const batchKeys = "(SELECT value FROM json_each(?1) AS j)"

var batchLimit = " ORDER BY entry_id LIMIT " + strconv.Itoa(origin.MaxBatchFound+1)

var sitesOfHosts = "SELECT w.host, w.site_id FROM websites w JOIN sites s ON s.site_id = w.site_id WHERE w.host IN " + batchKeys +
	" AND w.associated = 1 AND s.state = 'approved' AND s.visibility = 'public' ORDER BY w.host, w.site_id LIMIT " + strconv.Itoa(origin.MaxBatchFound+1)

func scanHostSite(r scanner) (h origin.HostSite, err error) {
	err = r.Scan(&h.Host, &h.SiteID)
	return h, err
}

// RightsOfSites reads everything in one statement, so that the facts of a site
// belong to one moment.
func (s *Store) RightsOfSites(ctx context.Context, siteIDs []string, at string) ([]origin.SiteRights, error) {
	scan := func(r scanner) (origin.SiteRights, error) {
		var cells siteCells
		if err := r.Scan(&cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5]); err != nil {
			return origin.SiteRights{}, err
		}
		return rightsOf(&cells)
	}
	query := "SELECT " + siteColumns + batchKeys + " ORDER BY asked.site_id"
	return queryAll(ctx, s, scan, read("read the rights of sites", query, joinList(siteIDs), at, int64(0)))
}
