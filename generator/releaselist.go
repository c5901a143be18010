package generator

import (
	"colophon/exports"
	"colophon/internal/release"
)

// releaseFiles returns the signed list of the published files: its tiles, and
// release.json, which names them.
func (b *build) releaseFiles(rows []release.File) (map[exports.Key][]byte, error) {
	var files []release.File
	l := release.List{BaseURL: b.opt.BaseURL, Catalog: b.catalog.Release, Tables: b.tablesOf, Ranges: b.ranges}
	for i := range rows {
		if r := &rows[i]; release.Listed(r.Name) {
			files = append(files, *r)
			l.Bytes += r.Size
		}
	}
	l.Files = int64(len(files))
	tiles, texts := release.CutTiles(files, b.filesPerTile())
	l.Tiles = tiles
	l.Proof.Created = max(b.catalog.Release.GeneratedAt, b.opt.NotYet)
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

// filesPerTile returns the number of files in a tile of the list. With large
// packs there are few objects, and every change writes one that is larger than
// a large tile, so tiles can be large.
func (b *build) filesPerTile() int64 {
	if b.opt.Form == FormPacks && b.opt.PackSize >= LargePacks {
		return release.LargeTileFiles
	}
	return release.TileFiles
}
