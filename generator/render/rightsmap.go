package render

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/searchindex"
	"colophon/internal/wire"
)

// RightsMap returns the rights map: its first page, the record of each
// publisher, and the CSV with its description.
func RightsMap(base string, c *Catalog) ([]Document, error) {
	records := c.mapRecords()
	var docs []Document
	for i := range records {
		docs = append(docs, recordAt(exports.MapPublisherPath(records[i].SiteID), &records[i]))
	}
	l := firstPage(c, exports.PathMap, records, 50, int64(len(records)), listing.PlaceOfMap, searchindex.RightsMap, "")
	l.Extra = func(m *wire.Members) { m.Const("readiness_note", exports.ReadinessNote) }
	table, err := mapCSV(records, c.Release.Name)
	return append(docs, recordAt(exports.PathMap, l), fileAt(exports.KeyOf(exports.PathMapCSV), table), valueAt(exports.PathMapCSVMeta, mapCSVMeta(base))), err
}

// mapRecords returns the records of the rights map, sorted by site id.
func (c *Catalog) mapRecords() []exports.MapRecord {
	var out []exports.MapRecord
	for _, p := range c.Publishers {
		if p.Map != nil {
			out = append(out, *p.Map)
		}
	}
	return out
}

// mapColumns returns the names of the CSV's columns, each with its CSVW data
// type.
func mapColumns() [][2]string {
	cols := [][2]string{{"site_id", "string"}, {"name", "string"}, {"site_url", "anyURI"}, {"categories", "string"}, {"readiness", "string"}}
	for _, s := range exports.ReadinessSignals {
		cols = append(cols, [2]string{"sig_" + s, "integer"})
	}
	cols = append(cols, [2]string{"rights_vector", "string"}, [2]string{"rights_as_of", "dateTime"})
	for _, u := range exports.Uses {
		cols = append(cols, [2]string{"inquiry_" + string(u), "string"})
	}
	for _, u := range exports.Uses {
		cols = append(cols, [2]string{"declared_" + string(u), "string"})
	}
	return append(cols, [][2]string{
		{"consistency", "string"}, {"rsl_url", "anyURI"}, {"tdmrep_url", "anyURI"}, {"policy_version", "integer"}, {"registered_pages", "integer"},
		{"offers", "integer"}, {"provenance_records", "integer"}, {"accepts_inquiries", "boolean"}, {"record_url", "string"},
		{"updated_at", "dateTime"}, {"release", "string"}, {"group_id", "string"}, {"group", "string"},
	}...)
}

// mapCSV returns the map as CSV (RFC 4180), with one row for each publisher,
// sorted by site id.
func mapCSV(records []exports.MapRecord, release string) ([]byte, error) {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	w.UseCRLF = true
	var head []string
	for _, c := range mapColumns() {
		head = append(head, c[0])
	}
	rows := [][]string{head}
	for i := range records {
		rows = append(rows, mapRow(&records[i], release))
	}
	err := w.WriteAll(rows)
	return buf.Bytes(), err
}

func mapRow(r *exports.MapRecord, release string) []string {
	row := []string{r.SiteID, escapeCell(r.Name), escapeCell(r.SiteURL), strings.Join(r.Categories, ";"), r.Readiness}
	for _, s := range r.Signals {
		row = append(row, map[string]string{"found": "1", "not_found": "0", "stale": "0"}[s.State])
	}
	row = append(row, r.RightsVector, r.RightsAsOf)
	for _, p := range r.Preferences {
		row = append(row, p.Inquiry)
	}
	for _, p := range r.Preferences {
		row = append(row, p.Declared)
	}
	version := ""
	if r.Policy != nil {
		version = formatInt(r.Policy.Version)
	}
	group := exports.GroupRef{}
	if r.Group != nil {
		group = *r.Group
	}
	return append(row, r.Consistency(), escapeCell(channelURL(r, "rsl")), escapeCell(channelURL(r, "tdmrep")), version, formatInt(r.RegisteredPages), formatInt(r.Offers),
		formatInt(r.ProvenanceRecords), strconv.FormatBool(r.AcceptsInquiries), exports.MapPublisherPath(r.SiteID), r.UpdatedAt, release, group.GroupID, escapeCell(group.Name))
}

func channelURL(r *exports.MapRecord, channel string) string {
	for _, c := range r.Channels {
		if c.Channel == channel && c.State == "valid" {
			return c.URL
		}
	}
	return ""
}

// escapeCell keeps spreadsheet programs from reading a text as a formula.
func escapeCell(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// mapCSVMeta returns the description of the CSV's columns (CSV on the Web).
func mapCSVMeta(base string) wire.Value {
	var cols []wire.Value
	for _, c := range mapColumns() {
		cols = append(cols, wire.Object(wire.M("name", wire.String(c[0])), wire.M("titles", wire.String(c[0])), wire.M("datatype", wire.String(c[1]))))
	}
	return wire.Object(
		wire.M("@context", wire.String("http://www.w3.org/ns/csvw")),
		wire.M("url", wire.String(base+exports.PathMapCSV)),
		wire.M("dc:title", wire.String("AI rights map")),
		wire.M("dc:description", wire.String(exports.ReadinessNote)),
		wire.M("dialect", wire.Object(wire.M("lineTerminators", wire.Strings("\r\n")), wire.M("header", wire.Bool(true)), wire.M("encoding", wire.String("utf-8")))),
		wire.M("tableSchema", wire.Object(wire.M("columns", wire.Array(cols...)), wire.M("primaryKey", wire.String("site_id")))),
	)
}
