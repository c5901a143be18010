package bucket

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// ErrDamaged means that a list or note of the bucket or folder cannot be read.
var ErrDamaged = errors.New("damaged")

// object is a row of a list: an object as it is stored.
type object struct {
	Key     string
	SHA256  [32]byte
	Size    int64
	Headers string // digest of the headers it is stored with, 8 hex digits
}

// waiting is an object that releases no longer name.
type waiting struct {
	object
	Since time.Time // when the release without it was published, in seconds
}

// list is what a release has in the bucket. Both parts are sorted by key.
type list struct {
	Objects []object
	Waiting []waiting
}

const (
	// maxList bounds a list as it is spelled, before compression: about 134
	// bytes an object.
	maxList = 4 << 30

	objectFields  = 4
	waitingFields = 6
	waitingMark   = "-"
)

// encodeList spells a list, compressed, and the digest that is its name.
//
//	<sha-256> <size> <headers> <key>
//	- <since, unix seconds> <sha-256> <size> <headers> <key>
func (l *list) encodeList() (data []byte, name string, err error) {
	if l.encodedLength() > maxList {
		return nil, "", fmt.Errorf("%d objects are more than a list can hold", len(l.Objects))
	}
	var buf bytes.Buffer
	z, err := zstd.NewWriter(&buf, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, "", err
	}
	w := bufio.NewWriterSize(z, 1<<16)
	for i := range l.Objects {
		writeRow(w, &l.Objects[i])
	}
	for i := range l.Waiting {
		fmt.Fprintf(w, "%s %d ", waitingMark, l.Waiting[i].Since.Unix())
		writeRow(w, &l.Waiting[i].object)
	}
	if err := w.Flush(); err != nil {
		return nil, "", err
	}
	if err := z.Close(); err != nil {
		return nil, "", err
	}
	sum := sha256.Sum256(buf.Bytes())
	return buf.Bytes(), hex.EncodeToString(sum[:]), nil
}

// writeRow writes a row to a buffered writer, which keeps the first error.
func writeRow(w *bufio.Writer, o *object) {
	var digest [64]byte
	hex.Encode(digest[:], o.SHA256[:])
	_, _ = w.Write(digest[:])
	_, _ = w.WriteString(" " + strconv.FormatInt(o.Size, 10) + " " + o.Headers + " " + o.Key + "\n")
}

// decodeList reads what encodeList wrote and checks its name.
func decodeList(data []byte, name string) (*list, error) {
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != name {
		return nil, fmt.Errorf("%w: the list %s is not as it was written", ErrDamaged, name)
	}
	z, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()

	l := &list{}
	bounded := &io.LimitedReader{R: z, N: maxList + 1}
	lines := bufio.NewScanner(bounded)
	lines.Buffer(nil, 1<<16)
	for lines.Scan() {
		if err := l.addLine(lines.Text()); err != nil {
			return nil, err
		}
	}
	if bounded.N == 0 {
		return nil, fmt.Errorf("%w: the list %s is longer than a list can be", ErrDamaged, name)
	}
	return l, lines.Err()
}

// encodedLength is at least that of the list as it is spelled.
func (l *list) encodedLength() int64 {
	const fixed = 2*sha256.Size + 20 + 8 + 4   // digest, size, headers, spaces and the end of the line
	const since = int64(len(waitingMark)) + 22 // with spaces
	var n int64
	for i := range l.Objects {
		n += fixed + int64(len(l.Objects[i].Key))
	}
	for i := range l.Waiting {
		n += fixed + since + int64(len(l.Waiting[i].Key))
	}
	return n
}

func (l *list) addLine(line string) error {
	if !strings.HasPrefix(line, waitingMark+" ") {
		o, err := parseRow(strings.SplitN(line, " ", objectFields))
		l.Objects = append(l.Objects, o)
		return err
	}
	fields := strings.SplitN(line, " ", waitingFields)
	if len(fields) != waitingFields {
		return damagedRow(line)
	}
	since, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return damagedRow(line)
	}
	o, err := parseRow(fields[2:])
	l.Waiting = append(l.Waiting, waiting{o, time.Unix(since, 0).UTC()})
	return err
}

// parseRow reads digest, size, headers and key.
func parseRow(fields []string) (object, error) {
	if len(fields) != objectFields {
		return object{}, damagedRow(strings.Join(fields, " "))
	}
	o, err := parseObject(fields[0], fields[1], fields[3])
	o.Headers = fields[2]
	return o, err
}

// parseObject reads what every kind of list has.
func parseObject(digest, size, key string) (object, error) {
	o := object{Key: key}
	n, err := hex.Decode(o.SHA256[:], []byte(digest[:min(len(digest), 64)]))
	if err != nil || n != len(o.SHA256) || len(digest) != 64 {
		return object{}, damagedRow(key)
	}
	o.Size, err = strconv.ParseInt(size, 10, 64)
	if err != nil || o.Size < 0 || !fs.ValidPath(key) {
		return object{}, damagedRow(key)
	}
	return o, nil
}

func damagedRow(text string) error {
	return fmt.Errorf("%w: a list of files at %.100q", ErrDamaged, text)
}

// sortRows puts both parts in order.
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
