package ledgerlog_test

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/ledgerlog"
)

func ExampleTilePath() {
	fmt.Println(ledgerlog.TilePath(tlog.Tile{H: 8, L: 0, N: 1234067, W: 256}))
	fmt.Println(ledgerlog.TilePath(tlog.Tile{H: 8, L: ledgerlog.EntriesLevel, N: 3, W: 70}))
	// Output:
	// tile/0/x001/x234/067
	// tile/entries/003.p/70
}
