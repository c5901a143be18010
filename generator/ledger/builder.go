package ledger

import (
	"colophon/internal/provenance"
)

const width = provenance.TileWidth

// Builder spells the files of a log of Final leaves while they are added in
// order. It holds one row of hashes for each level and one bundle.
type Builder struct {
	Put   func(path string, data []byte) error
	Sizes []int64 // sizes that were signed, ascending
	Final int64   // size that the log will have

	size   int64
	rows   [][]provenance.Hash // of each level, those in no full tile yet
	bundle []byte
}

// Resume goes on after size leaves, a multiple of 256. rows holds, from level
// 1 on, the hashes that are in no full tile.
func (b *Builder) Resume(size int64, rows [][]provenance.Hash) {
	b.size = size
	b.rows = [][]provenance.Hash{nil}
	for _, r := range rows {
		b.rows = append(b.rows, append([]provenance.Hash(nil), r...))
	}
	for len(b.Sizes) > 0 && b.Sizes[0] <= size {
		b.Sizes = b.Sizes[1:]
	}
}

// Size is how many leaves were added.
func (b *Builder) Size() int64 { return b.size }

// Add appends a leaf.
func (b *Builder) Add(leaf []byte) error {
	var err error
	if b.bundle, err = provenance.AppendEntry(b.bundle, leaf); err != nil {
		return err
	}
	b.size++
	h := provenance.LeafHash(leaf)
	for level := 0; ; level++ {
		if level == len(b.rows) {
			b.rows = append(b.rows, nil)
		}
		b.rows[level] = append(b.rows[level], h)
		if len(b.rows[level]) < width {
			break
		}
		if err := b.putFullTile(level); err != nil {
			return err
		}
		h = subtreeRoot(b.rows[level])
		b.rows[level] = b.rows[level][:0]
	}
	if len(b.Sizes) > 0 && b.Sizes[0] == b.size {
		b.Sizes = b.Sizes[1:]
		return b.putPartialTiles()
	}
	return nil
}

// putFullTile puts the tile of a level that has just filled, with the bundle of
// level 0.
func (b *Builder) putFullTile(level int) error {
	n := b.size>>(8*(level+1)) - 1
	if level == 0 {
		if err := b.putTile(provenance.Tile{Level: provenance.EntriesLevel, N: n, Width: width}, b.bundle); err != nil {
			return err
		}
		b.bundle = nil
	}
	return b.putTile(provenance.Tile{Level: level, N: n, Width: width}, concatHashes(b.rows[level]))
}

// putPartialTiles puts the right edge of the log at a size that is signed, less what
// is within a full tile by the end.
func (b *Builder) putPartialTiles() error {
	for level, row := range b.rows {
		n := b.size >> (8 * (level + 1))
		if len(row) == 0 || b.Final>>(8*(level+1)) > n {
			continue
		}
		if level == 0 {
			if err := b.putTile(provenance.Tile{Level: provenance.EntriesLevel, N: n, Width: len(row)}, b.bundle); err != nil {
				return err
			}
		}
		if err := b.putTile(provenance.Tile{Level: level, N: n, Width: len(row)}, concatHashes(row)); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) putTile(t provenance.Tile, data []byte) error {
	if b.Put == nil {
		return nil
	}
	return b.Put(t.Path(), data)
}

// Root is the root over the leaves so far.
func (b *Builder) Root() provenance.Hash {
	var root provenance.Hash
	empty := true
	for _, row := range b.rows {
		for rest := row; len(rest) > 0; {
			group := len(rest) & -len(rest) // the last of the powers of two that make up the row
			h := subtreeRoot(rest[len(rest)-group:])
			if rest = rest[:len(rest)-group]; empty {
				root, empty = h, false
			} else {
				root = provenance.NodeHash(h, root)
			}
		}
	}
	if empty {
		root, _ = provenance.TreeRoot(0, nil)
	}
	return root
}

// subtreeRoot is the root over 2^n hashes.
func subtreeRoot(row []provenance.Hash) provenance.Hash {
	row = append([]provenance.Hash(nil), row...)
	for len(row) > 1 {
		for i := 0; i < len(row); i += 2 {
			row[i/2] = provenance.NodeHash(row[i], row[i+1])
		}
		row = row[:len(row)/2]
	}
	return row[0]
}

func concatHashes(row []provenance.Hash) []byte {
	out := make([]byte, 0, 32*len(row))
	for i := range row {
		out = append(out, row[i][:]...)
	}
	return out
}

// Partials lists the partial tiles that a log of final leaves keeps for the
// sizes that were signed, by path.
func Partials(sizes []int64, final int64) map[string]bool {
	out := map[string]bool{}
	for _, size := range sizes {
		for level := 0; size>>(8*level) > 0; level++ {
			n := size >> (8 * (level + 1))
			w := int(size >> (8 * level) & (width - 1))
			if w == 0 || final>>(8*(level+1)) > n || size > final {
				continue
			}
			out[provenance.Tile{Level: level, N: n, Width: w}.Path()] = true
			if level == 0 {
				out[provenance.Tile{Level: provenance.EntriesLevel, N: n, Width: w}.Path()] = true
			}
		}
	}
	return out
}

// Edge reads the hashes of a log's right edge from level 1 on, as Resume takes
// them.
func Edge(size int64, read provenance.ReadTile) ([][]provenance.Hash, error) {
	var rows [][]provenance.Hash
	for level := 1; size>>(8*level) > 0; level++ {
		count := size >> (8 * level)
		if count%width == 0 {
			rows = append(rows, nil)
			continue
		}
		tile, _ := provenance.TileAt(size, level, count/width)
		data, err := read(tile.Path())
		if err != nil {
			return nil, err
		}
		if len(data) != 32*tile.Width {
			return nil, provenance.TileMalformed
		}
		row := make([]provenance.Hash, tile.Width)
		for i := range row {
			copy(row[i][:], data[32*i:])
		}
		rows = append(rows, row)
	}
	return rows, nil
}
