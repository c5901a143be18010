package provenance

// ReadTile reads one published file of a ledger by its path below the
// ledger's prefix (Tile.Path, CheckpointPath).
type ReadTile func(path string) ([]byte, error)

// Tiles reads the hashes and leaves of a ledger of one size out of its tiles,
// each file once. It does not judge them: what is computed from them must lead
// to a root that is signed.
type Tiles struct {
	size int64
	read ReadTile
	rows map[Tile][][]Hash // by height within the tile
	keep int
	N    int // files read
}

// NewTiles reads a ledger of that size.
func NewTiles(size int64, read ReadTile) *Tiles {
	return &Tiles{size: size, read: read, rows: map[Tile][][]Hash{}, keep: 64}
}

// TileAt is the tile n of a level in a ledger of that size, with its width.
// It is false when the ledger has no such tile.
func TileAt(size int64, level int, n int64) (Tile, bool) {
	count := size
	for range max(level, 0) {
		count >>= TileHeight
	}
	width := min(count-n<<TileHeight, TileWidth)
	return Tile{Level: level, N: n, Width: int(width)}, n >= 0 && width > 0
}

// Node is the hash of a complete subtree within the size: see Nodes.
func (t *Tiles) Node(height int, n int64) (Hash, error) {
	level, within := height/TileHeight, height%TileHeight
	at := n << within
	tile, ok := TileAt(t.size, level, at>>TileHeight)
	if !ok {
		return Hash{}, TileMalformed
	}
	rows, err := t.loadTile(tile)
	if err != nil {
		return Hash{}, err
	}
	i := int(at&(TileWidth-1)) >> within
	if i >= len(rows[within]) {
		return Hash{}, TileMalformed
	}
	return rows[within][i], nil
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
	if err != nil || len(leaves) < tile.Width {
		return nil, BundleMalformed
	}
	return leaves[index&(TileWidth-1)], nil
}

// loadTile reads a tile and computes what lies between its hashes.
func (t *Tiles) loadTile(tile Tile) ([][]Hash, error) {
	if rows := t.rows[tile]; rows != nil {
		return rows, nil
	}
	data, err := t.readTileFile(tile)
	if err != nil {
		return nil, err
	}
	if len(data) < 32*tile.Width || len(data)%32 != 0 || len(data) > 32*TileWidth {
		return nil, TileMalformed
	}
	row := make([]Hash, tile.Width)
	for i := range row {
		copy(row[i][:], data[32*i:])
	}
	rows := [][]Hash{row}
	for len(rows) < TileHeight {
		half := make([]Hash, len(row)/2)
		for i := range half {
			half[i] = NodeHash(row[2*i], row[2*i+1])
		}
		rows, row = append(rows, half), half
	}
	if len(t.rows) >= t.keep {
		clear(t.rows)
	}
	t.rows[tile] = rows
	return rows, nil
}

// readTileFile reads a tile; a partial one that is gone is the beginning of the full
// one.
func (t *Tiles) readTileFile(tile Tile) ([]byte, error) {
	t.N++
	data, err := t.read(tile.Path())
	if err == nil || tile.Width == TileWidth {
		return data, err
	}
	full := tile
	full.Width = TileWidth
	if more, bad := t.read(full.Path()); bad == nil {
		return more, nil
	}
	return nil, err
}
