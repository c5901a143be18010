package ledgerlog

import (
	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
)

// ReadTile reads a published file of a ledger by its path below the ledger's
// prefix (TilePath, CheckpointPath).
type ReadTile func(path string) ([]byte, error)

// Tiles reads hashes (it is a tlog.HashReader) and leaves of a ledger of one
// size from its tiles, and each hash tile once. It does not verify them: the
// caller must compute a signed root from them.
type Tiles struct {
	size int64
	read ReadTile
	kept []tileData // a proof needs few of them
	N    int        // files read
}

type tileData struct {
	tile tlog.Tile
	data []byte
}

// maxKeptTiles is the most tiles that Tiles keeps.
const maxKeptTiles = 64

// NewTiles returns a reader of a ledger of the given size.
func NewTiles(size int64, read ReadTile) *Tiles { return &Tiles{size: size, read: read} }

// ReadHashes returns hashes of complete subtrees by tlog.StoredHashIndex. It
// returns TileMalformed for a hash that the ledger does not have or a tile of
// the wrong length, and otherwise read's errors.
func (t *Tiles) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		tile, ok := t.tileOf(index)
		if !ok {
			return nil, outcome.TileMalformed
		}
		data, err := t.loadTile(tile)
		if err != nil {
			return nil, err
		}
		if out[i], err = hashFromTile(tile, data, index); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tileOf returns the tile that holds a hash. It is a separate function because
// code that may wait for files is twice as large in the worker.
//
//go:noinline
func (t *Tiles) tileOf(index int64) (tlog.Tile, bool) {
	needed := tlog.TileForIndex(TileHeight, index)
	tile, ok := TileAt(t.size, needed.L, needed.N)
	return tile, ok && needed.W <= tile.W
}

//go:noinline
func hashFromTile(tile tlog.Tile, data []byte, index int64) (tlog.Hash, error) {
	if len(data) < tlog.HashSize*tile.W || len(data)%tlog.HashSize != 0 || len(data) > tlog.HashSize*TileWidth {
		return tlog.Hash{}, outcome.TileMalformed
	}
	return tlog.HashFromTile(tile, data, index)
}

// Leaves returns the leaves of entry bundle n.
func (t *Tiles) Leaves(n int64) ([][]byte, error) {
	tile, ok := TileAt(t.size, EntriesLevel, n)
	if !ok {
		return nil, outcome.BundleMalformed
	}
	data, err := t.readTileFile(tile)
	if err != nil {
		return nil, err
	}
	leaves, err := ParseEntries(data)
	if err != nil || len(leaves) < tile.W {
		return nil, outcome.BundleMalformed
	}
	return leaves[:tile.W], nil
}

func (t *Tiles) loadTile(tile tlog.Tile) ([]byte, error) {
	if data := t.keptTile(tile); data != nil {
		return data, nil
	}
	data, err := t.readTileFile(tile)
	if err == nil {
		t.keepTile(tile, data)
	}
	return data, err
}

//go:noinline
func (t *Tiles) keptTile(tile tlog.Tile) []byte {
	for i := range t.kept {
		if t.kept[i].tile == tile {
			return t.kept[i].data
		}
	}
	return nil
}

//go:noinline
func (t *Tiles) keepTile(tile tlog.Tile, data []byte) {
	if len(t.kept) == maxKeptTiles {
		t.kept = t.kept[:0]
	}
	t.kept = append(t.kept, tileData{tile, data})
}

// readTileFile reads a tile. If a partial tile is gone, it reads the full tile,
// which begins with the same bytes.
func (t *Tiles) readTileFile(tile tlog.Tile) ([]byte, error) {
	t.N++
	data, err := t.read(TilePath(tile))
	if err == nil || tile.W == TileWidth {
		return data, err
	}
	full := tile
	full.W = TileWidth
	if more, bad := t.read(TilePath(full)); bad == nil {
		return more, nil
	}
	return nil, err
}
