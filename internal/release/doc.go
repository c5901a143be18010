// Package release is the form in which a registry publishes its facts as data:
// Parquet tables (entries, publishers, rights, offers, hosts), and the signed
// list of all published files, by which anybody can keep a verified copy.
//
// Two releases with the same facts have the same bytes. Nothing in a table
// names the release it is part of. The root of the catalog is a digest of the facts,
// and does not depend on the form of the tables: see Facts.
package release

import (
	"fmt"
	"math/bits"
	"strings"

	"colophon/internal/withdrawn"
)

// Where the release is, below the address of a service.
const (
	ListPath      = "/v1/public/release.json"
	ListKey       = "v1/public/release.json"
	Folder        = "v1/public/release/"
	CroissantKey  = Folder + "croissant.json"
	PublishersKey = Folder + "publishers.parquet"
	RightsKey     = Folder + "rights.parquet"
	OffersKey     = Folder + "offers.parquet"
	HostsKey      = Folder + "hosts.parquet"
	TilesFolder   = Folder + "files/"
	entriesFolder = Folder + "entries/"
)

// How large things are at most.
const (
	fileRows  = 1 << 15 // of a file of entries, on average
	groupRows = 1 << 14 // of a row group: what a reader of one key has to read

	// Of a tile of the list of files, on average: the latter where few objects count
	// more than the bytes of a change.
	TileFiles      = 1 << 11
	LargeTileFiles = 1 << 14
)

// FileBits returns the number of leading key bits by which n rows are split into files.
func FileBits(n int64) int { return bitsFor(n, fileRows) }

func bitsFor(n, most int64) int {
	if n <= most {
		return 0
	}
	return bits.Len64(uint64((n - 1) / most))
}

// EntriesKey names the file of the entries whose URL's SHA-256 begins with the
// bits of part.
func EntriesKey(part, bits int) string {
	return entriesFolder + prefixName(part, bits) + ".parquet"
}

// TileKey names the tile of the files whose name's SHA-256 begins with the bits
// of part.
func TileKey(part, bits int) string {
	return fmt.Sprintf("%s%d/%s.txt", TilesFolder, bits, prefixName(part, bits))
}

func prefixName(part, bits int) string { return fmt.Sprintf("%0*x", max(1, (bits+3)/4), part) }

// Part returns the leading bits of a digest as a number; bits is at most 32.
func Part(digest [32]byte, bits int) int {
	top := uint32(digest[0])<<24 | uint32(digest[1])<<16 | uint32(digest[2])<<8 | uint32(digest[3])
	return int(uint64(top) >> (32 - bits))
}

// IsTable reports whether a published file is a table of the release.
func IsTable(name string) bool {
	return strings.HasPrefix(name, Folder) && strings.HasSuffix(name, ".parquet")
}

// Listed reports whether a published file stands in the signed list: all do but
// the list, its tiles, what was withdrawn since, and notes of a build.
func Listed(name string) bool {
	return name != ListKey && name != withdrawn.Key && !strings.HasPrefix(name, TilesFolder) && !strings.HasPrefix(name, "_build/")
}

// IsSibling reports whether a listed file is the compressed sibling of another, which has no
// address of its own.
func IsSibling(name string) bool { return strings.HasSuffix(name, ".gz") }
