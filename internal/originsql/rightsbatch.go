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
		{k.URLs, "p.canonical_url IN " + batchKeys},
		{k.EntryIDs, "p.entry_id IN " + batchKeys},
		{k.Fingerprints, "(p.portable IN " + batchKeys + " AND p.portable <> '' OR p.registry IN " + batchKeys + " AND p.registry <> '')"},
	} {
		if len(kind.keys) == 0 {
			continue
		}
		rows, err := queryAll(ctx, s, scanFound(), read("read the pages of a batch", foundPages+kind.where+batchLimit, joinList(kind.keys)))
		if err != nil {
			return found, err
		}
		for i := range rows {
			if id := rows[i].page.EntryID; !seen[id] {
				seen[id] = true
				found.Pages = append(found.Pages, rows[i].page)
				found.Versions = append(found.Versions, origin.SiteVersion{SiteID: rows[i].page.SiteID, Version: rows[i].version})
			}
		}
	}
	if len(k.Hosts) > 0 {
		scan := func(r scanner) (h origin.HostSite, err error) {
			v := origin.SiteVersion{}
			err = r.Scan(&h.Host, &h.SiteID, &v.Version)
			v.SiteID = h.SiteID
			found.Versions = append(found.Versions, v)
			return h, err
		}
		found.Hosts, err = queryAll(ctx, s, scan, read("read the sites of hosts", sitesOfHosts, joinList(k.Hosts)))
	}
	found.Versions = onceEach(found.Versions)
	return found, err
}

const batchKeys = "(SELECT value FROM json_each(?1) AS j)"

var batchLimit = " ORDER BY p.entry_id LIMIT " + strconv.Itoa(origin.MaxBatchFound+1)

var sitesOfHosts = "SELECT w.host, w.site_id, coalesce(v.version, '') FROM websites w JOIN sites s ON s.site_id = w.site_id" + versionOf("s") + " WHERE w.host IN " + batchKeys +
	" AND w.associated = 1 AND s.state = 'approved' AND s.visibility = 'public' ORDER BY w.host, w.site_id LIMIT " + strconv.Itoa(origin.MaxBatchFound+1)

// RightsOfSites reads everything in one statement, so that the facts of a site
// belong to one moment.
func (s *Store) RightsOfSites(ctx context.Context, siteIDs []string, at string, past bool) ([]origin.SiteRights, error) {
	scan := func(r scanner) (origin.SiteRights, error) {
		var cells siteCells
		if err := r.Scan(&cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5], &cells[6]); err != nil {
			return origin.SiteRights{}, err
		}
		return rightsOf(&cells)
	}
	query := "SELECT " + siteColumns + batchKeys + " ORDER BY asked.site_id"
	return queryAll(ctx, s, scan, read("read the rights of sites", query, joinList(siteIDs), at, boolColumn(past)))
}
