package ledgerlog_test

import (
	"errors"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
)

// tileFiles returns the tiles of a log as x/mod makes them, under C2SP names.
func tileFiles(t testing.TB, s tree, leaves [][]byte, size int64) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, x := range tlog.NewTiles(ledgerlog.TileHeight, 0, size) {
		data, err := tlog.ReadTileData(x, s)
		must(t, err)
		out[ledgerlog.TilePath(x)] = data
	}
	for n := int64(0); n*ledgerlog.TileWidth < size; n++ {
		tile, _ := ledgerlog.TileAt(size, ledgerlog.EntriesLevel, n)
		var bundle []byte
		for i := range tile.W {
			bundle, _ = ledgerlog.AppendEntry(bundle, leaves[int(n)*ledgerlog.TileWidth+i])
		}
		out[ledgerlog.TilePath(tile)] = bundle
	}
	return out
}

// TestTilesReadWhatXModWrites checks nodes and leaves of logs at the edges of
// tiles, and counts the files that one proof needs.
func TestTilesReadWhatXModWrites(t *testing.T) {
	leaves := manyLeaves(70_000)
	s := grow(t, leaves)
	for _, size := range []int64{1, 255, 256, 257, 513, 65_535, 65_536, 65_537, 70_000} {
		files := tileFiles(t, s, leaves, size)
		read := func(path string) ([]byte, error) {
			if data, ok := files[path]; ok {
				return data, nil
			}
			return nil, errors.New("missing " + path)
		}
		for _, index := range []int64{0, size / 2, size - 1} {
			tiles := ledgerlog.NewTiles(size, read)
			path, err := tlog.ProveRecord(size, index, tiles)
			if err != nil {
				t.Fatalf("leaf %d of %d: %v", index, size, err)
			}
			if err := tlog.CheckRecord(path, size, s.root(t, size), index, tlog.RecordHash(leaves[index])); err != nil {
				t.Errorf("leaf %d of %d: the path does not hold: %v", index, size, err)
			}
			if tiles.N > 5 {
				t.Errorf("leaf %d of %d: %d files were read", index, size, tiles.N)
			}
			bundle, err := tiles.Leaves(index / ledgerlog.TileWidth)
			if err != nil || string(bundle[index%ledgerlog.TileWidth]) != string(leaves[index]) {
				t.Errorf("leaf %d of %d: %d leaves, %v", index, size, len(bundle), err)
			}
		}
	}
}

// TestTilesFallBack reads a partial tile that is gone from the full tile.
func TestTilesFallBack(t *testing.T) {
	leaves := manyLeaves(256)
	s := grow(t, leaves)
	files := tileFiles(t, s, leaves, 256)
	tiles := ledgerlog.NewTiles(100, func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, errors.New("gone")
	})
	root, err := tlog.TreeHash(100, tiles)
	if err != nil || root != s.root(t, 100) {
		t.Errorf("root %x, %v", root, err)
	}
	if bundle, err := tiles.Leaves(0); err != nil || len(bundle) != 100 || string(bundle[99]) != "leaf 99" {
		t.Errorf("%d leaves, %v", len(bundle), err)
	}
	for _, n := range []int64{-1, 1} {
		if bundle, err := tiles.Leaves(n); err == nil {
			t.Errorf("bundle %d of 100 leaves has %d", n, len(bundle))
		}
	}
	for _, beyond := range []int64{tlog.StoredHashIndex(3, 12), tlog.StoredHashIndex(0, 100), tlog.StoredHashIndex(8, 0)} {
		if _, err := tiles.ReadHashes([]int64{beyond}); err != outcome.TileMalformed {
			t.Errorf("the hash %d, which the log does not have: %v", beyond, err)
		}
	}
}

func TestTilesRefuseDamage(t *testing.T) {
	for _, data := range [][]byte{nil, make([]byte, 31), make([]byte, 33), make([]byte, 64), make([]byte, 32*257)} {
		tiles := ledgerlog.NewTiles(3, func(string) ([]byte, error) { return data, nil })
		if h, err := tiles.ReadHashes([]int64{tlog.StoredHashIndex(0, 2)}); err == nil {
			t.Errorf("%d bytes gave %x", len(data), h)
		}
	}
}

// TestTilesOfALongLog proves each leaf of a log with more tiles than Tiles
// keeps, in order and out of order.
func TestTilesOfALongLog(t *testing.T) {
	leaves := manyLeaves(80 * ledgerlog.TileWidth)
	s := grow(t, leaves)
	size := int64(len(leaves))
	files := tileFiles(t, s, leaves, size)
	tiles := ledgerlog.NewTiles(size, func(path string) ([]byte, error) { return files[path], nil })
	root := s.root(t, size)
	for i := range size {
		index := i * 7919 % size
		if i%2 == 0 {
			index = i
		}
		path, err := tlog.ProveRecord(size, index, tiles)
		must(t, err)
		if err := tlog.CheckRecord(path, size, root, index, tlog.RecordHash(leaves[index])); err != nil {
			t.Fatalf("leaf %d: %v", index, err)
		}
	}
}
