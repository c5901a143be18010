package ledgerlog

import (
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
)

// The shape of the ledger's files (C2SP tlog-tiles).
const (
	CheckpointPath = "checkpoint"
	TileHeight     = 8
	TileWidth      = 1 << TileHeight // hashes in a full tile, entries in a full bundle
	EntriesLevel   = -1              // the level of the entry bundles
	maxTileLevel   = 63
)

// tlog puts the height into its paths and calls the entries data.
const (
	tlogPrefix    = "tile/8/"
	tlogEntries   = "data/"
	ledgerPrefix  = "tile/"
	ledgerEntries = "entries/"
)

// TilePath returns the name of a tile of height TileHeight, below the ledger's
// prefix (C2SP tlog-tiles): tile/0/x001/067, tile/entries/000.p/5.
func TilePath(t tlog.Tile) string {
	path := strings.TrimPrefix(t.Path(), tlogPrefix)
	if bundle, ok := strings.CutPrefix(path, tlogEntries); ok {
		return ledgerPrefix + ledgerEntries + bundle
	}
	return ledgerPrefix + path
}

// ParseTilePath parses what TilePath returns and accepts nothing else.
func ParseTilePath(path string) (tlog.Tile, bool) {
	rest, ok := strings.CutPrefix(path, ledgerPrefix)
	if !ok || strings.HasPrefix(rest, tlogEntries) {
		return tlog.Tile{}, false
	}
	if bundle, ok := strings.CutPrefix(rest, ledgerEntries); ok {
		rest = tlogEntries + bundle
	}
	t, err := tlog.ParseTilePath(tlogPrefix + rest)
	if err != nil || t.L > maxTileLevel || t.N < 0 {
		return tlog.Tile{}, false
	}
	return t, true
}

// TileAt returns tile n of a level in a ledger of the given size, with its
// width; it returns false if the ledger has no such tile.
func TileAt(size int64, level int, n int64) (tlog.Tile, bool) {
	count := size >> (TileHeight * max(level, 0))
	width := min(count-n<<TileHeight, TileWidth)
	return tlog.Tile{H: TileHeight, L: level, N: n, W: int(width)}, n >= 0 && width > 0
}

// AppendEntry appends a leaf to an entry bundle: its length in two bytes,
// big-endian, then the leaf. It returns BundleMalformed for a leaf of more than
// 65,535 bytes.
func AppendEntry(bundle, leaf []byte) ([]byte, error) {
	if len(leaf) > 1<<16-1 {
		return bundle, outcome.BundleMalformed
	}
	bundle = append(bundle, byte(len(leaf)>>8), byte(len(leaf)))
	return append(bundle, leaf...), nil
}

// ParseEntries splits an entry bundle into its leaves, at most TileWidth; it
// returns BundleMalformed.
func ParseEntries(bundle []byte) ([][]byte, error) {
	var leaves [][]byte
	for len(bundle) > 0 {
		if len(bundle) < 2 || len(leaves) == TileWidth {
			return nil, outcome.BundleMalformed
		}
		n := int(bundle[0])<<8 | int(bundle[1])
		if len(bundle) < 2+n {
			return nil, outcome.BundleMalformed
		}
		leaves, bundle = append(leaves, bundle[2:2+n:2+n]), bundle[2+n:]
	}
	return leaves, nil
}
