package blob

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"colophon/exports"
)

// ErrDamaged says that bytes are not what this format allows, or not what their
// digest says.
var ErrDamaged = errors.New("blob: the data is damaged")

// ID is the first 16 bytes of a SHA-256: the digest of a blob or page, and the
// name of a pack.
type ID [16]byte

// IDOf returns the ID of bytes.
func IDOf(data []byte) ID {
	sum := sha256.Sum256(data)
	return ID(sum[:])
}

// String returns the ID in lower-case hex.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// parseID reads what String writes.
func parseID(s string) (id ID, err error) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != len(id) {
		return id, ErrDamaged
	}
	return ID(raw), nil
}

// Where packs are published.
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

// Location says where a blob or page lies.
type Location struct {
	Pack   ID
	Offset int64
	Length int64
	Digest ID
}

// Row is a row of a page: a blob or page, with the key of its first value.
type Row struct {
	Key string
	At  *Location
}

// Value is a value with its key.
type Value struct {
	Key  string
	Data []byte
}
