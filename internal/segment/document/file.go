package document

import (
	"encoding/binary"
	"slices"

	"colophon/internal/segment"
	"colophon/internal/staticindex"
)

// The first byte of the value of a file that stands in segments, as it is or
// compressed. Facts of entries never begin with one: both are above all of their
// flags.
const (
	fileMark           = 0x80
	compressedFileMark = 0x81
)

// maxCompressed bounds the content of a compressed file, in bytes: a value may be
// no larger either.
const maxCompressed = segment.MaxValue

// AppendFile spells the value of a file: fileMark, a varint with the length of its
// name, the name, and the content.
func AppendFile(dst []byte, name string, data []byte) []byte {
	dst = slices.Grow(dst, 1+binary.MaxVarintLen64+len(name)+len(data))
	dst = appendFileHead(dst, fileMark, name)
	return append(dst, data...)
}

// AppendCompressedFile is AppendFile, but where it saves a tenth of the content or
// more, the mark is compressedFileMark and the content a packed text (see package
// staticindex). The value depends on nothing but the file and what z is.
func AppendCompressedFile(dst []byte, name string, data []byte, z staticindex.Deflater) []byte {
	if len(data) > maxCompressed {
		return AppendFile(dst, name, data)
	}
	value := appendFileHead(dst, compressedFileMark, name)
	head := len(value)
	value = staticindex.AppendPacked(value, data, z)
	if saved := len(data) - (len(value) - head); saved <= 0 || saved < len(data)/10 {
		return AppendFile(dst, name, data)
	}
	return value
}

func appendFileHead(dst []byte, mark byte, name string) []byte {
	dst = append(dst, mark)
	dst = binary.AppendUvarint(dst, uint64(len(name)))
	return append(dst, name...)
}

// IsFile tells whether a value is of a file, and not of an entry.
func IsFile(value []byte) bool {
	return len(value) > 0 && (value[0] == fileMark || value[0] == compressedFileMark)
}

// ParseFile reads the value of a file. The error is segment.ErrDamaged. data is a
// part of the value where the file is not compressed.
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
	name, data = string(rest[:size]), rest[size:]
	if value[0] == fileMark {
		return name, data, nil
	}
	text := staticindex.NewReader(data)
	data = text.ReadPacked(maxCompressed)
	if text.Finish() != nil {
		return "", nil, segment.ErrDamaged
	}
	return name, data, nil
}
