package originsql

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// maxArguments is how many arguments a function of D1 takes.
const maxArguments = 32

// jsonArray returns SQL for the columns of a row as a JSON array, or as an
// array of consecutive arrays if there are more columns than a function takes
// arguments.
func (t table) jsonArray() string {
	var parts []string
	for part := range slices.Chunk(t.cols, maxArguments) {
		parts = append(parts, "json_array("+strings.Join(part, ", ")+")")
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "json_array(" + strings.Join(parts, ", ") + ")"
}

// jsonRows returns SQL for the rows of a table as a JSON array of arrays.
func (t table) jsonRows(where string) string {
	return "(SELECT coalesce(json_group_array(" + t.jsonArray() + "), '[]') FROM (SELECT " + t.columnList() + " FROM " + t.name + " " + where + ") AS kept)"
}

// foundTable has what a rights check needs of a page.
var foundTable = recordsOf("pages", 1, func(p *origin.Page) []column {
	return []column{
		{"entry_id", &p.EntryID}, {"site_id", &p.SiteID}, {"canonical_url", &p.CanonicalURL}, {"content_format", &p.ContentFormat},
		{"published_at", &p.PublishedAt}, {"state", &p.State}, {"portable", &p.Portable}, {"registry", &p.Registry},
		{"successor", &p.Successor}, {"successor_url", &p.SuccessorURL},
	}
})

// foundPages selects pages with the versions of their sites, up to the
// condition.
var foundPages = "SELECT " + foundTable.columnsOf("p") + ", coalesce(v.version, '') FROM pages p" + versionOf("p") + " WHERE "

// versionOf joins v, the version of the site of another table. A site without
// one has the version "", which is that of no facts.
func versionOf(alias string) string {
	return " LEFT JOIN rights_versions v ON v.site_id = " + alias + ".site_id"
}

// foundRow is a row of foundPages. One without a page names a site.
type foundRow struct {
	page    origin.Page
	version string
}

// scanFound returns the function that reads a row of foundPages.
func scanFound() func(scanner) (foundRow, error) {
	row := new(foundRow)
	fields := foundTable.fields(&row.page, &row.version)
	return func(r scanner) (foundRow, error) {
		err := r.Scan(fields...)
		return *row, err
	}
}

// onceEach returns the version of each site once, by site id.
func onceEach(list []origin.SiteVersion) []origin.SiteVersion {
	slices.SortStableFunc(list, func(a, b origin.SiteVersion) int { return strings.Compare(a.SiteID, b.SiteID) })
	return slices.CompactFunc(list, func(a, b origin.SiteVersion) bool { return a.SiteID == b.SiteID })
}

// FindRights runs one small statement.
func (s *Store) FindRights(ctx context.Context, l origin.RightsLookup) (f origin.RightsFound, err error) {
	query, args := lookupQuery(&l)
	found, err := queryAll(ctx, s, scanFound(), read("find pages and versions of rights", query, args...))
	if err != nil {
		return f, err
	}
	for i := range found {
		if found[i].page.EntryID == exports.PrefixReservation {
			f.Reserved = true
			continue
		}
		if found[i].page.EntryID != "" {
			f.Pages = append(f.Pages, found[i].page)
		}
		f.Sites = append(f.Sites, origin.SiteVersion{SiteID: found[i].page.SiteID, Version: found[i].version})
	}
	f.Sites = onceEach(f.Sites)
	return f, nil
}

// lookupQuery returns the statement of a lookup. Pages with exactly the
// requested address come first, and the sites of the host if there is no page.
func lookupQuery(l *origin.RightsLookup) (query string, args []any) {
	switch {
	case l.SiteID != "":
		return foundSites + "sites s" + versionOf("s") + " WHERE s.site_id = ?1", []any{l.SiteID}
	case l.EntryID != "":
		return foundPages + "p.entry_id = ?1", []any{l.EntryID}
	case l.Fingerprint != "":
		return foundByFingerprint, []any{l.Fingerprint}
	}
	addresses := joinList(append([]string{l.URL}, l.SamePage...))
	return foundByAddress, []any{addresses, l.URL, l.Host}
}

// foundSites selects sites as rows of foundPages without a page, up to the
// table s.
var foundSites = "SELECT '', s.site_id" + strings.Repeat(", ''", len(foundTable.cols)-2) + ", coalesce(v.version, '') FROM "

// foundByFingerprint ends with a row that has exports.PrefixReservation in place of
// a page if the content has reservations.
var foundByFingerprint = "SELECT * FROM (" + foundPages + "(p.portable = ?1 AND p.portable <> '' OR p.registry = ?1 AND p.registry <> '') ORDER BY p.entry_id LIMIT " + maxFound + ") AS pages_found" +
	" UNION ALL SELECT '" + exports.PrefixReservation + "'" + strings.Repeat(", ''", len(foundTable.cols)) + " FROM (SELECT 1 FROM content_reservations WHERE code = ?1 LIMIT 1) AS reserved"

var foundByAddress = "SELECT * FROM (" + foundPages + "p.canonical_url IN " + batchKeys + " ORDER BY p.canonical_url <> ?2, p.entry_id LIMIT " + maxFound + ") AS pages_found" +
	" UNION ALL SELECT * FROM (" + foundSites + sitesOfHost + " AND NOT EXISTS (SELECT 1 FROM pages WHERE canonical_url IN " + batchKeys + ")" +
	" ORDER BY s.site_id LIMIT " + maxFound + ") AS sites_found"

var maxFound = strconv.Itoa(origin.MaxFound)

// sitesOfHost joins the approved public sites s that showed control of the host
// ?3.
var sitesOfHost = "websites w JOIN sites s ON s.site_id = w.site_id" + versionOf("s") +
	" WHERE w.host = ?3 AND w.associated = 1 AND s.state = 'approved' AND s.visibility = 'public'"

// siteColumns reads a JSON text of each table for each site in the list of ids
// that follows it. It reads nothing that was replaced before the instant ?2,
// unless the past is wanted (?3). It is the largest part of each statement
// about rights, and the worker contains it once.
var siteColumns = strings.Join([]string{
	siteTable.jsonRows(ofSite),
	preferenceTable.jsonRows(ofSite + "ORDER BY use"),
	passportTable.jsonRows(ofSite + "ORDER BY version"),
	offerTable.jsonRows(ofSite + "ORDER BY license_id"),
	evidenceTable.jsonRows(ofSite + "AND (?3 = 1 OR replaced_at = '' OR replaced_at > ?2) ORDER BY channel, url, since"),
	policyTable.jsonRows(ofSite + "AND (?3 = 1 OR version = 1 OR effective_until = '' OR effective_until > ?2) ORDER BY version"),
}, ", ") + ", coalesce(v.version, '') FROM sites AS asked" + versionOf("asked") + " WHERE asked.site_id IN "

const ofSite = "WHERE site_id = asked.site_id "

// siteCells are the columns of siteColumns.
type siteCells [7]string

// rightsOf reads what siteColumns found about one site.
func rightsOf(cells *siteCells) (r origin.SiteRights, err error) {
	sites, err := jsonRows(cells[0], siteTable.scan())
	if err != nil {
		return r, err
	}
	if len(sites) != 1 {
		return r, errColumns
	}
	r.Site = sites[0]
	if r.Preferences, err = jsonRows(cells[1], preferenceTable.scan()); err != nil {
		return r, err
	}
	if r.Passports, err = jsonRows(cells[2], passportTable.scan()); err != nil {
		return r, err
	}
	if r.Offers, err = jsonRows(cells[3], offerTable.scan()); err != nil {
		return r, err
	}
	if r.Evidence, err = jsonRows(cells[4], evidenceTable.scan()); err != nil {
		return r, err
	}
	r.Version = cells[6]
	r.Policies, err = jsonRows(cells[5], policyTable.scan())
	return r, err
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
		cells := doc.Items[i].Items
		if len(cells) > 0 && cells[0].Kind == wire.KindArray {
			var all []wire.Value
			for _, part := range cells {
				all = append(all, part.Items...)
			}
			cells = all
		}
		v, err := scan(jsonRow{cells})
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
