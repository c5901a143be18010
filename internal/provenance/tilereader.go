package provenance

import "golang.org/x/mod/sumdb/tlog"

// ReadTile reads one published file of a ledger by its path below the
// ledger's prefix (TilePath, CheckpointPath).
type ReadTile func(path string) ([]byte, error)

// What Tiles keeps: files, and hashes computed from them. Proofs of
// neighbouring leaves share most of both.
const (
	keptTiles  = 64
	keptHashes = 4096
)

// Tiles reads the hashes (it is a tlog.HashReader) and leaves of a ledger of
// one size out of its tiles, each file once. It does not judge them: what is
// computed from them must lead to a root that is signed.
type Tiles struct {
	size   int64
	read   ReadTile
	tiles  map[tlog.Tile][]byte
	hashes map[int64]tlog.Hash // by tlog.StoredHashIndex
	N      int                 // files read
}

// NewTiles reads a ledger of that size.
func NewTiles(size int64, read ReadTile) *Tiles {
	return &Tiles{size: size, read: read, tiles: map[tlog.Tile][]byte{}, hashes: map[int64]tlog.Hash{}}
}

// ReadHashes reads hashes of complete subtrees by tlog.StoredHashIndex. The
// error is TileMalformed for a hash that the ledger does not have or a tile of
// the wrong length, otherwise that of reading.
func (t *Tiles) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		h, err := t.readHash(index)
		if err != nil {
			return nil, err
		}
		out[i] = h
	}
	return out, nil
}

func (t *Tiles) readHash(index int64) (tlog.Hash, error) {
	if h, ok := t.hashes[index]; ok {
		return h, nil
	}
	needed := tlog.TileForIndex(TileHeight, index)
	tile, ok := TileAt(t.size, needed.L, needed.N)
	if !ok || needed.W > tile.W {
		return tlog.Hash{}, TileMalformed
	}
	data, err := t.loadTile(tile)
	if err != nil {
		return tlog.Hash{}, err
	}
	h, err := tlog.HashFromTile(tile, data, index)
	if err != nil {
		return tlog.Hash{}, TileMalformed
	}
	if len(t.hashes) >= keptHashes {
		clear(t.hashes)
	}
	t.hashes[index] = h
	return h, nil
}

// Leaf is the bytes of one leaf.
func (t *Tiles) Leaf(index int64) ([]byte, error) {
	tile, ok := TileAt(t.size, EntriesLevel, index>>TileHeight)
	if !ok || index >= t.size {
		return nil, BundleMalformed
	}
	data, err := t.readTileFile(tile)
	if err != nil {
		return nil, err
	}
	leaves, err := ParseEntries(data)
	if err != nil || len(leaves) < tile.W {
		return nil, BundleMalformed
	}
	return leaves[index&(TileWidth-1)], nil
}

func (t *Tiles) loadTile(tile tlog.Tile) ([]byte, error) {
	if data, ok := t.tiles[tile]; ok {
		return data, nil
	}
	data, err := t.readTileFile(tile)
	if err != nil {
		return nil, err
	}
	if len(data) < tlog.HashSize*tile.W || len(data)%tlog.HashSize != 0 || len(data) > tlog.HashSize*TileWidth {
		return nil, TileMalformed
	}
	if len(t.tiles) >= keptTiles {
		clear(t.tiles)
	}
	t.tiles[tile] = data
	return data, nil
}

// readTileFile reads a tile; a partial one that is gone is the beginning of the full
// one.
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
