package originsql

import (
	"context"
	"slices"
	"strconv"
	"strings"

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

// RightsFacts reads everything in one statement, because waiting for another
// one costs the worker more than what it reads.
func (s *Store) RightsFacts(ctx context.Context, l origin.RightsLookup) (f origin.RightsFacts, err error) {
	args, pages, sites := rightsQuery(&l)
	scan := func(r scanner) (origin.SiteRights, error) {
		var cells siteCells
		var found string
		if err := r.Scan(&found, &cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5]); err != nil {
			return origin.SiteRights{}, err
		}
		if f.Pages == nil { // each row has all pages
			var err error
			if f.Pages, err = jsonRows(found, pageTable.scan()); err != nil {
				return origin.SiteRights{}, err
			}
		}
		return rightsOf(&cells)
	}
	query := "SELECT " + pageTable.jsonRows("WHERE "+pages) + ", " + siteColumns + "(" + sites + ") ORDER BY asked.site_id"
	f.Sites, err = queryAll(ctx, s, scan, read("read the facts of rights", query, args...))
	if err != nil {
		return origin.RightsFacts{}, err
	}
	return f, nil
}

// rightsQuery returns the arguments of a lookup, the condition, order and limit
// of its pages, and the statement that lists its sites. Pages with exactly the
// requested address come first.
func rightsQuery(l *origin.RightsLookup) (args []any, pages, sites string) {
	past := boolColumn(l.Past)
	bound := " ORDER BY entry_id LIMIT " + maxFound
	switch {
	case l.SiteID != "":
		return []any{l.SiteID, l.At, past}, "1 = 0", "SELECT site_id FROM sites WHERE site_id = ?1"
	case l.EntryID != "":
		args, pages = []any{l.EntryID, l.At, past, l.Host}, "entry_id = ?1"
	case l.Fingerprint != "":
		args, pages = []any{l.Fingerprint, l.At, past, l.Host}, "portable = ?1 AND portable <> '' OR registry = ?1 AND registry <> ''"
	default:
		addresses := joinList(append([]string{l.URL}, l.SamePage...))
		args, pages = []any{addresses, l.At, past, l.Host, l.URL}, "canonical_url IN "+batchKeys
		bound = " ORDER BY canonical_url <> ?5, entry_id LIMIT " + maxFound
	}
	return args, pages + bound, sitesOfPages(pages, bound)
}

// sitesOfPages returns SQL for the sites of pages or, if there are none, those
// of the host.
func sitesOfPages(pages, bound string) string {
	return "SELECT site_id FROM (SELECT site_id FROM pages WHERE " + pages + bound + ") AS found" +
		" UNION ALL SELECT site_id FROM (" + sitesOfHost + " AND NOT EXISTS (SELECT 1 FROM pages WHERE " + pages + ") ORDER BY w.site_id LIMIT " + maxFound + ") AS hosted"
}

var maxFound = strconv.Itoa(origin.MaxFound)

// sitesOfHost lists the approved public sites that showed control of the host
// ?4.
const sitesOfHost = "SELECT w.site_id FROM websites w JOIN sites s ON s.site_id = w.site_id" +
	" WHERE w.host = ?4 AND w.associated = 1 AND s.state = 'approved' AND s.visibility = 'public'"

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
}, ", ") + " FROM sites AS asked WHERE asked.site_id IN "

const ofSite = "WHERE site_id = asked.site_id "

// siteCells are the columns of siteColumns.
type siteCells [6]string

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
