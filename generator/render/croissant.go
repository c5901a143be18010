package render

import (
	"encoding/hex"
	"strings"

	"colophon/exports"
	"colophon/internal/release"
	"colophon/internal/wire"
)

// Croissant describes the tables of a release in JSON-LD (Croissant 1.1). entryFiles names
// the files of the table of entries, and fileOf finds a file of the release.
func Croissant(s *Service, rel exports.Release, entryFiles []string, fileOf func(name string) release.File) Document {
	base := s.BaseURL + "/"
	file := func(id, key, what string) wire.Value {
		f := fileOf(key)
		return obj(
			jsonMember("@id", str(id)), jsonMember("@type", str("cr:FileObject")), jsonMember("contentSize", str(formatInt(f.Size)+" B")), jsonMember("contentUrl", str(base+key)),
			jsonMember("description", str(what)), jsonMember("encodingFormat", str(parquetMedia)), jsonMember("name", str(id)), jsonMember("sha256", str(hex.EncodeToString(f.SHA256[:]))),
		)
	}
	var distribution, entries []wire.Value
	for _, name := range entryFiles {
		id := strings.TrimSuffix(strings.TrimPrefix(name, release.Folder), ".parquet")
		entries = append(entries, file(id, name, "Part of the table of entries."))
	}
	var parts []wire.Value
	for i := range entries {
		parts = append(parts, obj(jsonMember("@id", str(idOf(&entries[i])))))
	}
	distribution = append(distribution, entries...)
	distribution = append(distribution,
		obj(jsonMember("@id", str("entries")), jsonMember("@type", str("cr:FileSet")), jsonMember("containedIn", arr(parts...)), jsonMember("encodingFormat", str(parquetMedia)),
			jsonMember("includes", str("*.parquet")), jsonMember("name", str("entries"))),
		file("publishers", release.PublishersKey, "Publishers, by site."), file("rights", release.RightsKey, "Verdicts by site, path pattern and use."),
		file("offers", release.OffersKey, "Discoverable licensing records."), file("hosts", release.HostsKey, "Hosts of publishers."),
		file("reservations", release.ReservationsKey, "Statements about content, for which publishers vouch."),
	)
	var sets []wire.Value
	for _, t := range release.Columns() {
		var fields []wire.Value
		for _, c := range t.Columns {
			source := "fileObject"
			if t.Name == "entries" {
				source = "fileSet"
			}
			fields = append(fields, obj(
				jsonMember("@id", str(t.Name+"/"+c.Name)), jsonMember("@type", str("cr:Field")), jsonMember("dataType", str(c.Type)), jsonMember("name", str(c.Name)),
				jsonMember("source", obj(jsonMember("extract", obj(jsonMember("column", str(c.Name)))), jsonMember(source, obj(jsonMember("@id", str(t.Name)))))),
			))
		}
		sets = append(sets, obj(jsonMember("@id", str("table/"+t.Name)), jsonMember("@type", str("cr:RecordSet")), jsonMember("field", arr(fields...)), jsonMember("name", str(t.Name))))
	}
	doc := obj(
		jsonMember("@context", obj(
			jsonMember("@language", str("en")), jsonMember("@vocab", str("https://schema.org/")), jsonMember("column", str("cr:column")), jsonMember("conformsTo", str("dct:conformsTo")),
			jsonMember("cr", str("http://mlcommons.org/croissant/")), jsonMember("dataType", obj(jsonMember("@id", str("cr:dataType")), jsonMember("@type", str("@vocab")))),
			jsonMember("dct", str("http://purl.org/dc/terms/")), jsonMember("extract", str("cr:extract")), jsonMember("field", str("cr:field")), jsonMember("fileObject", str("cr:fileObject")),
			jsonMember("fileSet", str("cr:fileSet")), jsonMember("includes", str("cr:includes")), jsonMember("recordSet", str("cr:recordSet")), jsonMember("sc", str("https://schema.org/")),
			jsonMember("source", str("cr:source")),
		)),
		jsonMember("@type", str("sc:Dataset")), jsonMember("conditionsOfAccess", str("Public metadata. It describes pages and what their publishers say about them; it grants no right to copy, train on or otherwise use the pages.")),
		jsonMember("conformsTo", str("http://mlcommons.org/croissant/1.1")), jsonMember("dateModified", str(rel.GeneratedAt)),
		jsonMember("description", str("Registered pages, their publishers, and what these say about uses of the pages. A page that is not in it is not registered, which is no permission.")),
		jsonMember("distribution", arr(distribution...)), jsonMember("name", str(s.Name)), jsonMember("recordSet", arr(sets...)), jsonMember("url", str(s.BaseURL)),
		jsonMember("usageInfo", str(s.BaseURL+exports.PathMap)), jsonMember("version", str(rel.Name)),
	)
	return fileAt(release.CroissantKey, doc.Append(nil))
}

const parquetMedia = "application/vnd.apache.parquet"

func idOf(v *wire.Value) string {
	id, _ := v.Get("@id").Str()
	return id
}
