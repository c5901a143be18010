package provenance_test

import (
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"colophon/internal/provenance"
)

// nodes reads subtrees out of what x/mod keeps.
func (s tree) nodes(height int, n int64) (provenance.Hash, error) {
	i := tlog.StoredHashIndex(height, n)
	if i >= int64(len(s)) {
		return provenance.Hash{}, errors.New("no such subtree")
	}
	return provenance.Hash(s[i]), nil
}

func manyLeaves(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = []byte(fmt.Sprintf("leaf %d", i))
	}
	return out
}

// TestTreePathsAgreeWithXMod draws sizes and positions: roots and both kinds
// of proof are those of x/mod.
func TestTreePathsAgreeWithXMod(t *testing.T) {
	s := grow(t, manyLeaves(1200))
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 1200).Draw(t, "size")
		root, err := provenance.TreeRoot(size, s.nodes)
		want, _ := tlog.TreeHash(size, s)
		if err != nil || root != provenance.Hash(want) {
			t.Fatalf("root %x, %v; want %x", root, err, want)
		}
		index := rapid.Int64Range(0, size-1).Draw(t, "index")
		path, err := provenance.InclusionPath(index, size, s.nodes)
		if err != nil {
			t.Fatal(err)
		}
		record, err := tlog.ProveRecord(size, index, s)
		if err != nil || fmt.Sprint(path) != fmt.Sprint(hashes(record)) {
			t.Fatalf("inclusion of %d in %d: %x, want %x (%v)", index, size, path, record, err)
		}
		old := rapid.Int64Range(1, size).Draw(t, "old")
		path, err = provenance.ConsistencyPath(old, size, s.nodes)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := tlog.ProveTree(size, old, s)
		if err != nil || fmt.Sprint(path) != fmt.Sprint(hashes(proof)) {
			t.Fatalf("consistency of %d and %d: %x, want %x (%v)", old, size, path, proof, err)
		}
	})
}

func TestTreePathsRefuse(t *testing.T) {
	s := grow(t, manyLeaves(8))
	for _, c := range [][2]int64{{-1, 8}, {8, 8}, {9, 8}} {
		if p, err := provenance.InclusionPath(c[0], c[1], s.nodes); err == nil {
			t.Errorf("a path for leaf %d of %d: %x", c[0], c[1], p)
		}
	}
	for _, c := range [][2]int64{{0, 8}, {9, 8}} {
		if p, err := provenance.ConsistencyPath(c[0], c[1], s.nodes); err == nil {
			t.Errorf("a path from %d to %d: %x", c[0], c[1], p)
		}
	}
	if _, err := provenance.TreeRoot(9, s.nodes); err == nil {
		t.Error("a root over leaves that are not there")
	}
	if root, err := provenance.TreeRoot(0, nil); err != nil || fmt.Sprintf("%x", root)[:8] != "e3b0c442" {
		t.Errorf("the root of nothing: %x, %v", root, err)
	}
}

// tileFiles spells the tiles of a log with x/mod, under C2SP names.
func tileFiles(t testing.TB, s tree, leaves [][]byte, size int64) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, x := range tlog.NewTiles(provenance.TileHeight, 0, size) {
		data, err := tlog.ReadTileData(x, s)
		if err != nil {
			t.Fatal(err)
		}
		out[provenance.Tile{Level: x.L, N: x.N, Width: x.W}.Path()] = data
	}
	for n := int64(0); n*provenance.TileWidth < size; n++ {
		tile, _ := provenance.TileAt(size, provenance.EntriesLevel, n)
		var bundle []byte
		for i := range tile.Width {
			bundle, _ = provenance.AppendEntry(bundle, leaves[int(n)*provenance.TileWidth+i])
		}
		out[tile.Path()] = bundle
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
			tiles := provenance.NewTiles(size, read)
			path, err := provenance.InclusionPath(index, size, tiles.Node)
			if err != nil {
				t.Fatalf("leaf %d of %d: %v", index, size, err)
			}
			if !provenance.CheckInclusion(path, index, size, provenance.LeafHash(leaves[index]), s.root(t, size)) {
				t.Errorf("leaf %d of %d: the path does not hold", index, size)
			}
			if tiles.N > 5 {
				t.Errorf("leaf %d of %d: %d files were read", index, size, tiles.N)
			}
			leaf, err := tiles.Leaf(index)
			if err != nil || string(leaf) != string(leaves[index]) {
				t.Errorf("leaf %d of %d reads %q, %v", index, size, leaf, err)
			}
		}
	}
}

// TestTilesFallBack reads a partial tile that is gone from the full one.
func TestTilesFallBack(t *testing.T) {
	leaves := manyLeaves(256)
	s := grow(t, leaves)
	files := tileFiles(t, s, leaves, 256)
	tiles := provenance.NewTiles(100, func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, errors.New("gone")
	})
	root, err := provenance.TreeRoot(100, tiles.Node)
	if err != nil || root != s.root(t, 100) {
		t.Errorf("root %x, %v", root, err)
	}
	if leaf, err := tiles.Leaf(99); err != nil || string(leaf) != "leaf 99" {
		t.Errorf("leaf %q, %v", leaf, err)
	}
	for _, i := range []int64{-1, 100} {
		if leaf, err := tiles.Leaf(i); err == nil {
			t.Errorf("leaf %d of 100: %q", i, leaf)
		}
	}
	if _, err := tiles.Node(3, 13); err == nil {
		t.Error("a subtree that goes beyond the log")
	}
}

func TestTilesRefuseDamage(t *testing.T) {
	for _, data := range [][]byte{nil, make([]byte, 31), make([]byte, 33), make([]byte, 64), make([]byte, 32*257)} {
		tiles := provenance.NewTiles(3, func(string) ([]byte, error) { return data, nil })
		if h, err := tiles.Node(0, 2); err == nil {
			t.Errorf("%d bytes gave %x", len(data), h)
		}
	}
}
