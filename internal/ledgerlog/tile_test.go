package ledgerlog_test

import (
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
)

func TestTilePaths(t *testing.T) {
	for _, c := range []struct {
		tile tlog.Tile
		path string
	}{
		{tlog.Tile{H: 8, L: 0, N: 0, W: 256}, "tile/0/000"},
		{tlog.Tile{H: 8, L: 0, N: 1234067, W: 256}, "tile/0/x001/x234/067"},
		{tlog.Tile{H: 8, L: 3, N: 1000, W: 1}, "tile/3/x001/000.p/1"},
		{tlog.Tile{H: 8, L: ledgerlog.EntriesLevel, N: 999, W: 255}, "tile/entries/999.p/255"},
		{tlog.Tile{H: 8, L: ledgerlog.EntriesLevel, N: 1<<63 - 1, W: 256}, "tile/entries/x009/x223/x372/x036/x854/x775/807"},
	} {
		if got := ledgerlog.TilePath(c.tile); got != c.path {
			t.Errorf("TilePath(%+v) = %s, want %s", c.tile, got, c.path)
		}
		if got, ok := ledgerlog.ParseTilePath(c.path); !ok || got != c.tile {
			t.Errorf("ParseTilePath(%s) = %+v, %t", c.path, got, ok)
		}
	}
	for _, path := range []string{
		"", "tile", "tile/", "tile/0", "tile/0/", "tile/00/000", "tile/64/000", "tile/-1/000", "tile/entries/", "tile/data/000", "tile/8/0/000",
		"tile/0/0", "tile/0/0000", "tile/0/x000/000", "tile/0/001/000", "tile/0/x001", "tile/0/x001/", "tile/0/x001//000", "/tile/0/000", "tile/0/000/",
		"tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/1/2", "tile/0/000.q/1", "tile/0/x001.p/1",
		"tile/0/x009/x223/x372/x036/x854/x775/808", "tile/0/../000", "checkpoint",
	} {
		if tile, ok := ledgerlog.ParseTilePath(path); ok {
			t.Errorf("ParseTilePath(%q) = %+v", path, tile)
		}
	}
}

// TestTilePathsReadBack parses the paths of random tiles. Apart from the
// height, which C2SP leaves out, the path of a hash tile is that of x/mod.
func TestTilePathsReadBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		tile := tlog.Tile{
			H: ledgerlog.TileHeight,
			L: rapid.IntRange(ledgerlog.EntriesLevel, 63).Draw(r, "level"),
			N: rapid.Int64Range(0, 1<<40).Draw(r, "n"),
			W: rapid.IntRange(1, 256).Draw(r, "width"),
		}
		path := ledgerlog.TilePath(tile)
		if tile.L >= 0 && "tile/8/"+strings.TrimPrefix(path, "tile/") != tile.Path() {
			r.Fatalf("%s, x/mod has %s", path, tile.Path())
		}
		if back, ok := ledgerlog.ParseTilePath(path); !ok || back != tile {
			r.Fatalf("%s is read as %+v", path, back)
		}
	})
}

func TestEntryBundles(t *testing.T) {
	v := loadLedger(t)
	var bundle []byte
	var err error
	for _, leaf := range append(v.leaves(), nil, make([]byte, 1<<16-1)) {
		if bundle, err = ledgerlog.AppendEntry(bundle, leaf); err != nil {
			t.Fatal(err)
		}
	}
	leaves, err := ledgerlog.ParseEntries(bundle)
	if err != nil || len(leaves) != 7 || string(leaves[4]) != v.Records[4].LeafJCS || len(leaves[6]) != 1<<16-1 {
		t.Fatalf("%d leaves, %v", len(leaves), err)
	}
	if _, err := ledgerlog.ParseEntries(bundle[:len(bundle)-1]); err != outcome.BundleMalformed {
		t.Errorf("cut: %v", err)
	}
	if _, err := ledgerlog.ParseEntries([]byte{0}); err != outcome.BundleMalformed {
		t.Errorf("half a length: %v", err)
	}
	if _, err := ledgerlog.ParseEntries(make([]byte, 2*256)); err != nil {
		t.Errorf("256 empty leaves: %v", err)
	}
	if _, err := ledgerlog.ParseEntries(make([]byte, 2*257)); err != outcome.BundleMalformed {
		t.Errorf("257 leaves: %v", err)
	}
	if kept, err := ledgerlog.AppendEntry([]byte("x"), make([]byte, 1<<16)); err != outcome.BundleMalformed || string(kept) != "x" {
		t.Errorf("a long leaf: %v", err)
	}
}
