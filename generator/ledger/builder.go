package ledger

import (
	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
)

const (
	height = ledgerlog.TileHeight
	width  = ledgerlog.TileWidth
)

// Builder writes the files of a log with Final leaves while the leaves are
// added in order. It holds only the hashes that are in no full tile yet, and
// one bundle.
type Builder struct {
	Put   func(path string, data []byte) error
	Sizes []int64 // sizes at which the log was signed, ascending
	Final int64   // final size of the log

	size   int64
	hashes edge
	bundle []byte
}

// edge holds hashes by tlog.StoredHashIndex: the hashes of the tiles at the
// right edge of a log, and of the subtrees within those tiles.
type edge map[int64]tlog.Hash

// ReadHashes implements tlog.HashReader. It returns provenance.TileMalformed
// for a hash that the edge does not hold.
func (e edge) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		h, ok := e[index]
		if !ok {
			return nil, outcome.TileMalformed
		}
		out[i] = h
	}
	return out, nil
}

// forget drops the hashes of a full tile. Its root stays, because it is a hash
// of the tile above.
func (e edge) forget(t tlog.Tile) {
	for level := range height {
		first := t.N << (height - level)
		for i := range int64(width) >> level {
			delete(e, tlog.StoredHashIndex(t.L*height+level, first+i))
		}
	}
}

// Resume continues after size leaves, which must be a multiple of 256. hashes
// are those of the full tiles below the right edge, as Edge returns them.
func (b *Builder) Resume(size int64, hashes map[int64]tlog.Hash) {
	b.size = size
	b.hashes = edge{}
	for index, h := range hashes {
		b.hashes[index] = h
	}
	for len(b.Sizes) > 0 && b.Sizes[0] <= size {
		b.Sizes = b.Sizes[1:]
	}
}

// Size returns the number of leaves added so far.
func (b *Builder) Size() int64 { return b.size }

// Add appends a leaf. It returns provenance.BundleMalformed if the leaf is too
// long, or the error of Put.
func (b *Builder) Add(leaf []byte) error {
	var err error
	if b.bundle, err = ledgerlog.AppendEntry(b.bundle, leaf); err != nil {
		return err
	}
	if b.hashes == nil {
		b.hashes = edge{}
	}
	stored, err := tlog.StoredHashes(b.size, leaf, b.hashes)
	if err != nil {
		return err
	}
	first := tlog.StoredHashIndex(0, b.size)
	for i, h := range stored {
		b.hashes[first+int64(i)] = h
	}
	b.size++
	if err := b.putFullTiles(); err != nil {
		return err
	}
	if len(b.Sizes) > 0 && b.Sizes[0] == b.size {
		b.Sizes = b.Sizes[1:]
		return b.putPartialTiles()
	}
	return nil
}

// putFullTiles writes the tiles that became full with the last leaf, and their
// bundle.
func (b *Builder) putFullTiles() error {
	for level := 0; b.size%(1<<(height*(level+1))) == 0; level++ {
		t := tlog.Tile{H: height, L: level, N: b.size>>(height*(level+1)) - 1, W: width}
		if err := b.putTile(t); err != nil {
			return err
		}
		b.hashes.forget(t)
		if level == 0 {
			b.bundle = nil
		}
	}
	return nil
}

// putPartialTiles writes the partial tiles at the right edge of the log at a
// signed size, except those that are full in the final log.
func (b *Builder) putPartialTiles() error {
	for _, t := range partialTiles(b.size, b.Final) {
		if err := b.putTile(t); err != nil {
			return err
		}
	}
	return nil
}

// putTile writes a tile of hashes and, with a tile of level 0, the bundle of
// its entries.
func (b *Builder) putTile(t tlog.Tile) error {
	if b.Put == nil {
		return nil
	}
	if t.L == 0 {
		entries := t
		entries.L = ledgerlog.EntriesLevel
		if err := b.Put(ledgerlog.TilePath(entries), b.bundle); err != nil {
			return err
		}
	}
	data, err := tlog.ReadTileData(t, b.hashes)
	if err != nil {
		return err
	}
	return b.Put(ledgerlog.TilePath(t), data)
}

// Root returns the root over the leaves so far. It returns
// provenance.TileMalformed after a Resume without the hashes of the edge.
func (b *Builder) Root() (tlog.Hash, error) { return tlog.TreeHash(b.size, b.hashes) }

// partialTiles lists the tiles at the right edge of a log of size leaves that
// are full neither at that size nor in the final log.
func partialTiles(size, final int64) []tlog.Tile {
	if size > final {
		return nil
	}
	var out []tlog.Tile
	for level := 0; size>>(height*level) > 0; level++ {
		count := size >> (height * level)
		n := count >> height
		if count%width == 0 || final>>(height*(level+1)) > n {
			continue
		}
		out = append(out, tlog.Tile{H: height, L: level, N: n, W: int(count % width)})
	}
	return out
}

// Partials returns the paths of the partial tiles that a log of final leaves
// keeps for the signed sizes.
func Partials(sizes []int64, final int64) map[string]bool {
	out := map[string]bool{}
	for _, size := range sizes {
		for _, t := range partialTiles(size, final) {
			out[ledgerlog.TilePath(t)] = true
			if t.L == 0 {
				t.L = ledgerlog.EntriesLevel
				out[ledgerlog.TilePath(t)] = true
			}
		}
	}
	return out
}

// Edge reads the hashes at the right edge of a log from the tiles of level 1
// and above, and computes the hashes of the subtrees within them. Resume takes
// the result.
func Edge(size int64, read ledgerlog.ReadTile) (map[int64]tlog.Hash, error) {
	tiles := ledgerlog.NewTiles(size, read)
	hashes := map[int64]tlog.Hash{}
	for level := 1; size>>(height*level) > 0; level++ {
		count := size >> (height * level)
		first := count &^ (width - 1)
		for within := range height {
			for n := first >> within; (n+1)<<within <= count; n++ {
				index := tlog.StoredHashIndex(level*height+within, n)
				h, err := tiles.ReadHashes([]int64{index})
				if err != nil {
					return nil, err
				}
				hashes[index] = h[0]
			}
		}
	}
	return hashes, nil
}
