package originsql

import (
	"context"
	"strconv"
	"strings"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

// jsonArray gives the columns of a row as a JSON array.
func (t table) jsonArray() string {
	return "json_array(" + t.columnList() + ")"
}

// jsonRows gives the rows of a table as a JSON array of arrays.
func (t table) jsonRows(where string) string {
	return "(SELECT json_group_array(" + t.jsonArray() + ") FROM (SELECT " + t.columnList() + " FROM " + t.name + " " + where + ") AS kept)"
}

// RightsFacts reads everything in one statement: each one that the worker has
// to wait for costs more than what it reads.
func (s *Store) RightsFacts(ctx context.Context, l origin.RightsLookup) (origin.RightsFacts, error) {
	key, text := rightsQuery(&l)
	var cells [7]string
	scan := func(r scanner) (origin.RightsFacts, error) {
		err := r.Scan(&cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5], &cells[6])
		if err != nil {
			return origin.RightsFacts{}, err
		}
		return factsOf(&cells)
	}
	args := []any{key, l.At, boolColumn(l.Past)}
	if l.SiteID == "" {
		args = append(args, l.Host)
	}
	return queryOne(ctx, s.db, "read the facts of rights", scan, text, args...)
}

// The statements by what is looked up, written once.
var (
	rightsOfSite        = rightsStatement("WHERE 1 = 0", "SELECT site_id FROM sites WHERE site_id = ?1")
	rightsOfEntry       = rightsOfPages("WHERE entry_id = ?1")
	rightsOfFingerprint = rightsOfPages("WHERE portable = ?1 AND portable <> '' OR registry = ?1 AND registry <> '' ORDER BY entry_id LIMIT " + maxFound)
	rightsOfURL         = rightsOfPages("WHERE canonical_url = ?1 ORDER BY entry_id LIMIT " + maxFound)
)

var maxFound = strconv.Itoa(origin.MaxFound)

// rightsQuery gives the key of a lookup and its statement.
func rightsQuery(l *origin.RightsLookup) (key, text string) {
	switch {
	case l.SiteID != "":
		return l.SiteID, rightsOfSite
	case l.EntryID != "":
		return l.EntryID, rightsOfEntry
	case l.Fingerprint != "":
		return l.Fingerprint, rightsOfFingerprint
	}
	return l.URL, rightsOfURL
}

// rightsOfPages is the statement for pages and, where there are none, for the
// sites of the host.
func rightsOfPages(pages string) string {
	found := "SELECT site_id FROM (SELECT site_id FROM pages " + pages + ") AS found"
	return rightsStatement(pages, found+" UNION ALL SELECT site_id FROM ("+sitesOfHost+" AND NOT EXISTS (SELECT 1 FROM pages "+pages+") ORDER BY w.site_id LIMIT "+maxFound+") AS hosted")
}

// sitesOfHost lists the approved public sites that showed control of the host
// ?4.
const sitesOfHost = "SELECT w.site_id FROM websites w JOIN sites s ON s.site_id = w.site_id" +
	" WHERE w.host = ?4 AND w.associated = 1 AND s.state = 'approved' AND s.visibility = 'public'"

// rightsStatement reads one row with a JSON text of each table. Of what was
// replaced before the instant ?2 nothing is read, unless the past is wanted
// (?3).
func rightsStatement(pages, sites string) string {
	of := "WHERE site_id IN (" + sites + ") "
	return "SELECT " + strings.Join([]string{
		pageTable.jsonRows(pages),
		siteTable.jsonRows(of + "ORDER BY site_id"),
		preferenceTable.jsonRows(of + "ORDER BY site_id, use"),
		passportTable.jsonRows(of + "ORDER BY site_id, version"),
		offerTable.jsonRows(of + "ORDER BY license_id"),
		evidenceTable.jsonRows(of + "AND (?3 = 1 OR replaced_at = '' OR replaced_at > ?2) ORDER BY site_id, channel, url, since"),
		policyTable.jsonRows(of + "AND (?3 = 1 OR version = 1 OR effective_until = '' OR effective_until > ?2) ORDER BY site_id, version"),
	}, ", ")
}

// factsOf reads the row of rightsStatement.
func factsOf(cells *[7]string) (f origin.RightsFacts, err error) {
	f.Pages, err = jsonRows(cells[0], scanPage)
	if err != nil {
		return f, err
	}
	sites, err := jsonRows(cells[1], scanSite)
	if err != nil {
		return f, err
	}
	for _, site := range sites {
		f.Sites = append(f.Sites, origin.SiteRights{Site: site})
	}
	of := func(siteID string) *origin.SiteRights {
		for i := range f.Sites {
			if f.Sites[i].Site.SiteID == siteID {
				return &f.Sites[i]
			}
		}
		return new(origin.SiteRights) // foreign keys leave no such row
	}
	err = eachRow(cells[2], scanPreference, func(p origin.Preference) {
		x := of(p.SiteID)
		x.Preferences = append(x.Preferences, p)
	})
	if err != nil {
		return f, err
	}
	err = eachRow(cells[3], scanPassport, func(p origin.Passport) {
		x := of(p.SiteID)
		x.Passports = append(x.Passports, p)
	})
	if err != nil {
		return f, err
	}
	err = eachRow(cells[4], scanOffer, func(o origin.Offer) {
		x := of(o.SiteID)
		x.Offers = append(x.Offers, o)
	})
	if err != nil {
		return f, err
	}
	err = eachRow(cells[5], scanEvidence, func(e origin.Evidence) {
		x := of(e.SiteID)
		x.Evidence = append(x.Evidence, e)
	})
	if err != nil {
		return f, err
	}
	return f, eachRow(cells[6], scanPolicy, func(v origin.PolicyVersion) {
		x := of(v.SiteID)
		x.Policies = append(x.Policies, v)
	})
}

// jsonRows reads the rows of one JSON text.
func jsonRows[T any](text string, scan func(scanner) (T, error)) ([]T, error) {
	var list []T
	err := eachRow(text, scan, func(v T) { list = append(list, v) })
	return list, err
}

func eachRow[T any](text string, scan func(scanner) (T, error), add func(T)) error {
	doc, err := wire.Parse([]byte(text), wire.Trusted)
	if err != nil {
		return err
	}
	for i := range doc.Items {
		v, err := scan(jsonRow{doc.Items[i].Items})
		if err != nil {
			return err
		}
		add(v)
	}
	return nil
}

// jsonRow is a row that came as a JSON array.
type jsonRow struct{ cells []wire.Value }

// Scan copies the row into fields.
func (r jsonRow) Scan(dest ...any) error {
	if len(dest) != len(r.cells) {
		return errColumns
	}
	for i, d := range dest {
		c := &r.cells[i]
		n, isNumber := c.Int()
		var err error
		if isNumber {
			err = assignValue(d, n)
		} else {
			err = assignValue(d, c.Text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
