package generator

import (
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/release"
	"colophon/internal/wire"
)

// releaseFiles spells the signed list of the published files: its tiles, and
// release.json, which names them.
func (b *build) releaseFiles(rows []fileRow) (map[exports.Key][]byte, error) {
	var files []release.File
	l := release.List{BaseURL: b.opt.BaseURL, Catalog: b.release, Tables: b.tablesOf, Ranges: b.ranges}
	for i := range rows {
		if r := &rows[i]; release.Listed(r.name) {
			files = append(files, release.File{Name: r.name, Size: r.size, SHA256: r.sum})
			l.Bytes += r.size
		}
	}
	l.Files = int64(len(files))
	tiles, texts := release.CutTiles(files, b.filesPerTile())
	l.Tiles = tiles
	l.Proof.Created = max(b.release.GeneratedAt, b.opt.NotYet)
	signed, err := l.Sign(b.opt.Signer)
	if err != nil {
		return nil, err
	}
	out := map[exports.Key][]byte{release.ListKey: signed}
	for i := range tiles {
		out[exports.Key(tiles[i].Name)] = texts[i]
	}
	return out, nil
}

// filesPerTile returns how many files a tile of the list has. Large packs are
// few objects, of which every change writes one that is larger than such a
// tile.
func (b *build) filesPerTile() int64 {
	if b.opt.Form == FormPacks && b.opt.PackSize >= LargePacks {
		return release.LargeTileFiles
	}
	return release.TileFiles
}

// croissant describes the tables in JSON-LD (Croissant 1.1).
func (b *build) croissant() error {
	base := b.opt.BaseURL + "/"
	file := func(id, key, what string) wire.Value {
		note, _ := b.out.noteOf(key)
		return obj(
			jsonMember("@id", str(id)), jsonMember("@type", str("cr:FileObject")), jsonMember("contentSize", str(sizeText(note.size))), jsonMember("contentUrl", str(base+key)),
			jsonMember("description", str(what)), jsonMember("encodingFormat", str(parquetMedia)), jsonMember("name", str(id)), jsonMember("sha256", str(hex.EncodeToString(note.sum[:]))),
		)
	}
	var distribution, entries []wire.Value
	for _, name := range slices.Sorted(maps.Keys(b.plan.now.Tables)) {
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
		jsonMember("conformsTo", str("http://mlcommons.org/croissant/1.1")), jsonMember("dateModified", str(b.release.GeneratedAt)),
		jsonMember("description", str("Registered pages, their publishers, and what these say about uses of the pages. A page that is not in it is not registered, which is no permission.")),
		jsonMember("distribution", arr(distribution...)), jsonMember("name", str(b.opt.Name)), jsonMember("recordSet", arr(sets...)), jsonMember("url", str(b.opt.BaseURL)),
		jsonMember("usageInfo", str(b.opt.BaseURL+exports.PathMap)), jsonMember("version", str(b.release.Name)),
	)
	return b.out.putFile(release.CroissantKey, doc.Append(nil))
}

func sizeText(n int64) string { return strconv.FormatInt(n, 10) + " B" }

const parquetMedia = "application/vnd.apache.parquet"

func idOf(v *wire.Value) string {
	id, _ := v.Get("@id").Str()
	return id
}
