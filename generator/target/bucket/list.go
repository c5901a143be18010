package bucket

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"colophon/generator/target"
	"colophon/internal/wire"

	"github.com/klauspost/compress/zstd"
)

// A list is the contents of a release in the bucket. Its objects have headers.
type (
	list    target.List
	object  = target.Object
	waiting = target.Waiting
)

// maxList is the maximum size of an uncompressed list, with about 134 bytes for
// an object.
const maxList = 4 << 30

// encodeList returns the rows of the list, compressed, and their digest, which
// is the list's name.
func (l *list) encodeList() (data []byte, name string, err error) {
	if l.encodedLength() > maxList {
		return nil, "", fmt.Errorf("%d objects are more than a list can hold", len(l.Objects))
	}
	var buf bytes.Buffer
	z, err := zstd.NewWriter(&buf, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, "", err
	}
	w := bufio.NewWriterSize(z, 1<<16) // keeps the first error
	var row []byte
	for i := range l.Objects {
		row = l.Objects[i].AppendRow(row[:0])
		_, _ = w.Write(row)
	}
	for i := range l.Waiting {
		row = l.Waiting[i].AppendRow(row[:0])
		_, _ = w.Write(row)
	}
	if err := w.Flush(); err != nil {
		return nil, "", err
	}
	if err := z.Close(); err != nil {
		return nil, "", err
	}
	return buf.Bytes(), wire.SHA256Hex(buf.Bytes()), nil
}

// decodeList decodes what encodeList returned, and checks the name.
func decodeList(data []byte, name string) (*list, error) {
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != name {
		return nil, fmt.Errorf("%w: the list %s is not as it was written", target.ErrDamaged, name)
	}
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()

	l := &target.List{}
	bounded := &io.LimitedReader{R: z, N: maxList + 1}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(nil, 1<<16)
	for lines.Scan() {
		if err := l.AddLine(lines.Text()); err != nil {
			return nil, err
		}
	}
	if bounded.N == 0 {
		return nil, fmt.Errorf("%w: the list %s is longer than a list can be", target.ErrDamaged, name)
	}
	return (*list)(l), lines.Err()
}

// encodedLength returns an upper bound of the length of the uncompressed list.
func (l *list) encodedLength() int64 {
	const fixed = 2*sha256.Size + 20 + 8 + 4 // digest, size, headers, spaces and the end of the line
	const since = 23                         // with spaces and the mark of rows that wait
	var n int64
	for i := range l.Objects {
		n += fixed + int64(len(l.Objects[i].Key))
	}
	for i := range l.Waiting {
		n += fixed + since + int64(len(l.Waiting[i].Key))
	}
	return n
}

// sortRows sorts both parts by key.
func (l *list) sortRows() {
	slices.SortFunc(l.Objects, func(a, b object) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(l.Waiting, func(a, b waiting) int { return strings.Compare(a.Key, b.Key) })
}

func (l *list) totalBytes() int64 {
	var n int64
	for i := range l.Objects {
		n += l.Objects[i].Size
	}
	return n
}
