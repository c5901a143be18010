package blob

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"colophon/exports"
)

// ErrDamaged says that bytes break the format or do not match their digest.
var ErrDamaged = errors.New("blob: the data is damaged")

// ID is the first 16 bytes of a SHA-256: the digest of a blob or page, and the
// name of a pack.
type ID [16]byte

// IDOf returns the ID of data.
func IDOf(data []byte) ID {
	sum := sha256.Sum256(data)
	return ID(sum[:])
}

// String returns the ID in lower-case hex.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// The keys of published packs.
const (
	// RootKey is the key of the root.
	RootKey = "v1/_packs.json"

	packSuffix = ".pack"
)

// PackKey returns the key of a pack:
//
//	_packs/9f/86d081884c7d659a2feaa0c55ad015.pack
func PackKey(pack ID) string {
	name := pack.String()
	return exports.PackPrefix + name[:2] + "/" + name[2:] + packSuffix
}

// Location is the place of a blob or page in a pack.
type Location struct {
	Pack   ID
	Offset int64
	Length int64
	Digest ID
}

// Row is a row of a page: the location of a blob or page, with the key of its
// first value.
type Row struct {
	Key string
	At  *Location
}

// Value is a value with its key.
type Value struct {
	Key  string
	Data []byte
}
