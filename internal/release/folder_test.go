package release

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"
	"testing/fstest"

	"colophon/internal/assert"
	"colophon/internal/wire"
)

// TestReadFolder checks that the files of a release are those of its list, the
// list and its tiles, sorted by name. A tile that is missing or differs from
// the list is damage.
func TestReadFolder(t *testing.T) {
	line := hex.EncodeToString(make([]byte, 32)) + " 3 z.html\n"
	sum := sha256.Sum256([]byte(line))
	tile := Tile{Name: TileKey(0, 0), Size: int64(len(line)), SHA256: hex.EncodeToString(sum[:])}
	signed := &List{BaseURL: "https://registry.example", Tiles: []Tile{tile}, Files: 1, Bytes: 3}
	signed.Catalog.GeneratedAt, signed.Proof.Created = "2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z"
	list := wire.Append(nil, signed)
	folder := fstest.MapFS{ListKey: {Data: list}, tile.Name: {Data: []byte(line)}}
	files, err := ReadFolder(folder)
	if err != nil || len(files) != 3 || files[2].Name != "z.html" || files[2].Size != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	folder[tile.Name] = &fstest.MapFile{Data: []byte("1" + line[1:])}
	assert.ErrorIs(t, assert.Err(ReadFolder(folder)), ErrDamaged, "another tile")
	delete(folder, tile.Name)
	assert.ErrorIs(t, assert.Err(ReadFolder(folder)), ErrDamaged, "no tile")
	assert.ErrorIs(t, assert.Err(ReadFolder(fstest.MapFS{})), fs.ErrNotExist, "no list")
}
