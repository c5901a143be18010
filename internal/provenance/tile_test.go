package provenance_test

import (
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"colophon/internal/provenance"
)

func TestTilePaths(t *testing.T) {
	for _, c := range []struct {
		tile provenance.Tile
		path string
	}{
		{provenance.Tile{Level: 0, N: 0, Width: 256}, "tile/0/000"},
		{provenance.Tile{Level: 0, N: 1234067, Width: 256}, "tile/0/x001/x234/067"},
		{provenance.Tile{Level: 3, N: 1000, Width: 1}, "tile/3/x001/000.p/1"},
		{provenance.Tile{Level: provenance.EntriesLevel, N: 999, Width: 255}, "tile/entries/999.p/255"},
		{provenance.Tile{Level: provenance.EntriesLevel, N: 1<<63 - 1, Width: 256}, "tile/entries/x009/x223/x372/x036/x854/x775/807"},
	} {
		if got := c.tile.Path(); got != c.path {
			t.Errorf("%+v.Path() = %s, want %s", c.tile, got, c.path)
		}
		if got, ok := provenance.ParseTile(c.path); !ok || got != c.tile {
			t.Errorf("ParseTile(%s) = %+v, %t", c.path, got, ok)
		}
	}
	for _, path := range []string{
		"", "tile", "tile/", "tile/0", "tile/0/", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/entries/", "tile/data/000", "tile/8/0/000",
		"tile/0/0", "tile/0/0000", "tile/0/x000/000", "tile/0/001/000", "tile/0/x001", "tile/0/x001/", "tile/0/x001//000", "/tile/0/000", "tile/0/000/",
		"tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/1/2", "tile/0/000.q/1", "tile/0/x001.p/1",
		"tile/0/x009/x223/x372/x036/x854/x775/808", "tile/0/../000", "checkpoint",
	} {
		if tile, ok := provenance.ParseTile(path); ok {
			t.Errorf("ParseTile(%q) = %+v", path, tile)
		}
	}
}

// TestTilePathsAgreeWithXMod compares with x/mod, which writes the height too.
func TestTilePathsAgreeWithXMod(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tile := provenance.Tile{
			Level: rapid.IntRange(0, 63).Draw(r, "level"),
			N:     rapid.Int64Range(0, 1<<40).Draw(r, "n"),
			Width: rapid.IntRange(1, 256).Draw(r, "width"),
		}
		theirs := tlog.Tile{H: 8, L: tile.Level, N: tile.N, W: tile.Width}.Path()
		if got := tile.Path(); "tile/8/"+strings.TrimPrefix(got, "tile/") != theirs {
			r.Fatalf("%s, x/mod has %s", got, theirs)
		}
		if back, ok := provenance.ParseTile(tile.Path()); !ok || back != tile {
			r.Fatalf("%s is read as %+v", tile.Path(), back)
		}
	})
}

func TestEntryBundles(t *testing.T) {
	v := loadVectors(t)
	var bundle []byte
	var err error
	for _, leaf := range append(v.leaves(), nil, make([]byte, 1<<16-1)) {
		if bundle, err = provenance.AppendEntry(bundle, leaf); err != nil {
			t.Fatal(err)
		}
	}
	leaves, err := provenance.ParseEntries(bundle)
	if err != nil || len(leaves) != 7 || string(leaves[4]) != v.Records[4].LeafJCS || len(leaves[6]) != 1<<16-1 {
		t.Fatalf("%d leaves, %v", len(leaves), err)
	}
	if _, err := provenance.ParseEntries(bundle[:len(bundle)-1]); err != provenance.BundleMalformed {
		t.Errorf("cut: %v", err)
	}
	if _, err := provenance.ParseEntries([]byte{0}); err != provenance.BundleMalformed {
		t.Errorf("half a length: %v", err)
	}
	if _, err := provenance.ParseEntries(make([]byte, 2*256)); err != nil {
		t.Errorf("256 empty leaves: %v", err)
	}
	if _, err := provenance.ParseEntries(make([]byte, 2*257)); err != provenance.BundleMalformed {
		t.Errorf("257 leaves: %v", err)
	}
	if kept, err := provenance.AppendEntry([]byte("x"), make([]byte, 1<<16)); err != provenance.BundleMalformed || string(kept) != "x" {
		t.Errorf("a long leaf: %v", err)
	}
}
