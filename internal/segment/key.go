package segment

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"colophon/exports"
)

// KeySize is the size of a key in bytes.
const KeySize = 16

// Key is the first 16 bytes of the SHA-256 of a name.
type Key [KeySize]byte

// KeyOf is the key of a name.
func KeyOf(name string) Key {
	sum := sha256.Sum256([]byte(name))
	return Key(sum[:KeySize])
}

// Compare orders keys as their bytes.
func (k Key) Compare(other Key) int { return bytes.Compare(k[:], other[:]) }

// keyBits are n bits of the key, from bit number first on; n is at most 32.
func (k Key) keyBits(first, n int) uint32 {
	if n == 0 {
		return 0
	}
	head := binary.BigEndian.Uint64(k[:8])
	return uint32(head << first >> (64 - n))
}

// Digest is the SHA-256 of an object.
type Digest [sha256.Size]byte

// DigestOf is the digest of the bytes of an object.
func DigestOf(object []byte) Digest { return sha256.Sum256(object) }

// String is the digest in lower-case hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// ParseDigest reads what String writes.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	if len(s) != hex.EncodedLen(len(d)) {
		return d, ErrDamaged
	}
	raw, err := hex.DecodeString(s)
	if err != nil {
		return d, ErrDamaged
	}
	copy(d[:], raw)
	if d.String() != s {
		return d, ErrDamaged
	}
	return d, nil
}

// Where segments are published.
const (
	// RootKey is the key of the root.
	RootKey = "v1/_segments.json"

	// ObjectPrefix begins the key of every object and directory.
	ObjectPrefix = exports.SegmentPrefix
)

// ObjectKey is the key of an object or directory:
//
//	_seg/9f/86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.idx
func ObjectKey(d Digest) string {
	name := d.String()
	return ObjectPrefix + name[:2] + "/" + name[2:] + ".idx"
}

// KeyBelow is the key of an object that stands below another folder than
// ObjectPrefix.
func KeyBelow(folder, objectKey string) string {
	return folder + strings.TrimPrefix(objectKey, ObjectPrefix)
}
