// Package release defines the form in which a registry publishes its facts as
// data: Parquet tables (entries, publishers, rights, offers, hosts,
// reservations), and the signed list of all published files, with which anyone can keep a verified
// copy.
//
// Two releases with the same facts have the same bytes, so no table names the
// release that it is part of. The root of the catalog is a digest of the facts
// that does not depend on the form of the tables: see Facts.
package release

import (
	"fmt"
	"math/bits"
	"strings"

	"colophon/internal/withdrawn"
)

// The paths and keys of a release.
const (
	ListKey       = "v1/public/release.json"
	Folder        = "v1/public/release/"
	CroissantKey  = Folder + "croissant.json"
	PublishersKey = Folder + "publishers.parquet"
	RightsKey     = Folder + "rights.parquet"
	OffersKey     = Folder + "offers.parquet"
	HostsKey      = Folder + "hosts.parquet"

	ReservationsKey = Folder + "reservations.parquet"

	TilesFolder   = Folder + "files/"
	entriesFolder = Folder + "entries/"
)

// Bounds of the sizes of files.
const (
	fileRows  = 1 << 15 // rows of a file of entries, on average
	groupRows = 1 << 14 // rows of a row group, which a reader of one key has to read

	// The files that a tile of the list names, on average. The larger figure
	// suits stores where the number of objects matters more than the bytes of a
	// change.
	TileFiles      = 1 << 11
	LargeTileFiles = 1 << 14
)

// FileBits returns the number of leading key bits by which n rows are divided
// into files.
func FileBits(n int64) int { return bitsFor(n, fileRows) }

func bitsFor(n, most int64) int {
	if n <= most {
		return 0
	}
	return bits.Len64(uint64((n - 1) / most))
}

// EntriesKey returns the name of the file of the entries whose URL's SHA-256
// begins with the given bits, as a number.
func EntriesKey(part, bits int) string {
	return entriesFolder + prefixName(part, bits) + ".parquet"
}

// TileKey returns the name of the tile of the files whose name's SHA-256 begins
// with the given bits, as a number.
func TileKey(part, bits int) string {
	return fmt.Sprintf("%s%d/%s.txt", TilesFolder, bits, prefixName(part, bits))
}

func prefixName(part, bits int) string { return fmt.Sprintf("%0*x", max(1, (bits+3)/4), part) }

// IsTable reports whether a published file is a table of the release.
func IsTable(name string) bool {
	return strings.HasPrefix(name, Folder) && strings.HasSuffix(name, ".parquet")
}

// Listed reports whether a published file is named in the signed list: all are,
// except the list, its tiles, the list of withdrawals and the notes of a build.
func Listed(name string) bool {
	return name != ListKey && name != withdrawn.Key && !strings.HasPrefix(name, TilesFolder) && !strings.HasPrefix(name, "_build/")
}

// IsSibling reports whether a listed file is the compressed form of another;
// such a file has no address.
func IsSibling(name string) bool { return strings.HasSuffix(name, ".gz") }
