package document

import (
	"encoding/binary"
	"slices"

	"colophon/internal/segment"
)

// fileMark begins the value of a file that stands in segments as it is. Facts of
// entries never begin with it: it is above all of their flags.
const fileMark = 0x80

// AppendFile spells the value of a file: fileMark, a varint with the length of its
// name, the name, and the content.
func AppendFile(dst []byte, name string, data []byte) []byte {
	dst = slices.Grow(dst, 1+binary.MaxVarintLen64+len(name)+len(data))
	dst = append(dst, fileMark)
	dst = binary.AppendUvarint(dst, uint64(len(name)))
	dst = append(dst, name...)
	return append(dst, data...)
}

// IsFile tells whether a value is of a file, and not of an entry.
func IsFile(value []byte) bool { return len(value) > 0 && value[0] == fileMark }

// ParseFile reads the value of a file. The error is segment.ErrDamaged. data is a
// part of the value.
func ParseFile(value []byte) (name string, data []byte, err error) {
	if !IsFile(value) {
		return "", nil, segment.ErrDamaged
	}
	rest := value[1:]
	size, n := binary.Uvarint(rest)
	if n <= 0 || size > uint64(len(rest)-n) {
		return "", nil, segment.ErrDamaged
	}
	rest = rest[n:]
	return string(rest[:size]), rest[size:], nil
}
