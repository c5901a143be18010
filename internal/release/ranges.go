package release

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"colophon/exports"
	"colophon/internal/urlkey"
)

// RangeKind is the kind of key that a file for private look-ups holds.
type RangeKind string

// The kinds of keys.
const (
	RangeURL         RangeKind = "url"
	RangeHost        RangeKind = "host"
	RangeFingerprint RangeKind = "fingerprint"
)

// RangeFolder is the folder of the files for private look-ups. The next part of
// their path is the kind.
const RangeFolder = "v1/public/range/"

// MinRange is the least number of keys in a file, if the registry is large
// enough. The server learns of a look-up only that it is for one of these keys,
// or for some unregistered key that begins with the same bits.
const MinRange = 1000

// maxRangeBits limits the files of each kind to 1<<16.
const maxRangeBits = 16

// RangeRow is a key with what is known about it: the entry, the site and the
// rights vector.
type RangeRow struct {
	Key    [16]byte // first half of the lookup key
	Own    [6]byte  // of the entry id, see Entry; zero for a host
	Site   [6]byte  // first bytes of the SHA-256 of the site id
	Vector [8]byte  // letters of the rights vector
}

const (
	rangeMagic  = "service.range.v1"
	rangeHead   = len(rangeMagic) + 8
	rangeRow    = 16 + 6 + 6 + 4
	rangeBlock  = 4 << 10
	vectorWords = "?LlDdSsUuW" // a letter is encoded as its index
)

// RangeBits returns by how many leading bits of their keys n rows are divided:
// as many as leave MinRange keys in a file that has five standard deviations
// less than the mean.
func RangeBits(n int64) int {
	bits := 0
	for bits < maxRangeBits && leastRange(n, bits+1) >= MinRange {
		bits++
	}
	return bits
}

func leastRange(n int64, bits int) float64 {
	mean := float64(n) / float64(int64(1)<<bits)
	return mean - 5*math.Sqrt(mean)
}

// RangeSize returns the size of the files into which n rows are divided by
// bits: room for six standard deviations above the mean, in blocks of 4 KiB.
// All files of a kind have the same size, so the length of an answer reveals
// nothing.
func RangeSize(n int64, bits int) int {
	mean := float64(n) / float64(int64(1)<<bits)
	return roundUp(rangeHead + rangeRow*int(math.Ceil(mean+6*math.Sqrt(mean))))
}

func roundUp(n int) int { return (n + rangeBlock - 1) / rangeBlock * rangeBlock }

// rangeFileSize returns the size of a file with this many rows.
func rangeFileSize(rows int) int { return roundUp(rangeHead + rangeRow*rows) }

// RangeName returns the name of the file of the keys that begin with the given
// bits, as a number.
func RangeName(kind RangeKind, part, bits int) string {
	return RangeFolder + string(kind) + "/" + prefixName(part, bits)
}

// RangeWriter divides the rows of one kind into files.
type RangeWriter struct {
	put  func(key exports.Key, data []byte) error
	kind RangeKind
	bits int
	size int
	part int
	rows []RangeRow // of the part
}

// NewRangeWriter returns a RangeWriter for n rows.
func NewRangeWriter(kind RangeKind, n int64, put func(key exports.Key, data []byte) error) *RangeWriter {
	bits := RangeBits(n)
	return &RangeWriter{put: put, kind: kind, bits: bits, size: RangeSize(n, bits)}
}

// Add adds a row. Rows must come in the order of their keys.
func (w *RangeWriter) Add(r *RangeRow) error {
	err := w.putUntil(urlkey.Part(r.Key[:], w.bits))
	w.rows = append(w.rows, *r)
	return err
}

// Finish puts the last files. It returns by how many leading bits of their keys the
// rows are divided.
func (w *RangeWriter) Finish() (bits int64, err error) { return int64(w.bits), w.putUntil(1 << w.bits) }

// putUntil puts the files before a part.
func (w *RangeWriter) putUntil(part int) error {
	for ; w.part < part; w.part++ {
		data, err := AppendRange(w.rows, max(w.size, rangeFileSize(len(w.rows))))
		if err != nil {
			return err
		}
		if err := w.put(exports.Key(RangeName(w.kind, w.part, w.bits)), data); err != nil {
			return err
		}
		w.rows = w.rows[:0]
	}
	return nil
}

// RangeVector returns a rights vector. For one of another length it returns the
// vector "unknown".
func RangeVector(vector string) [8]byte {
	if len(vector) != 8 {
		vector = "UUUUUUUU"
	}
	return [8]byte([]byte(vector))
}

// SiteMark returns the mark of a site in files for private look-ups.
func SiteMark(siteID string) [6]byte {
	sum := sha256.Sum256([]byte(siteID))
	return [6]byte(sum[:])
}

// AppendRange sorts rows and encodes them as a file, padded with zeros to size:
// "service.range.v1", the number of rows and a zero as big-endian numbers of
// four bytes, then for each row the half key, the entry's own bytes, the mark
// of the site, and the vector, four bits a letter.
func AppendRange(rows []RangeRow, size int) ([]byte, error) {
	slices.SortFunc(rows, func(a, b RangeRow) int {
		if c := bytes.Compare(a.Key[:], b.Key[:]); c != 0 {
			return c
		}
		return bytes.Compare(append(a.Site[:], a.Own[:]...), append(b.Site[:], b.Own[:]...))
	})
	out := make([]byte, 0, size)
	out = append(out, rangeMagic...)
	out = binary.BigEndian.AppendUint64(out, uint64(len(rows))<<32)
	for i := range rows {
		r := &rows[i]
		out = append(append(append(out, r.Key[:]...), r.Own[:]...), r.Site[:]...)
		for k := 0; k < len(r.Vector); k += 2 {
			high, low := bytes.IndexByte([]byte(vectorWords), r.Vector[k]), bytes.IndexByte([]byte(vectorWords), r.Vector[k+1])
			if high < 1 || low < 1 {
				return nil, fmt.Errorf("%q is no rights vector", r.Vector)
			}
			out = append(out, byte(high<<4|low))
		}
	}
	if len(out) > size {
		return nil, fmt.Errorf("%d rows do not fit %d bytes", len(rows), size)
	}
	return append(out, make([]byte, size-len(out))...), nil
}

// ParseRange parses a file; it returns ErrDamaged.
func ParseRange(data []byte) ([]RangeRow, error) {
	if len(data) < rangeHead || string(data[:len(rangeMagic)]) != rangeMagic {
		return nil, fmt.Errorf("%w: a file for private look-ups", ErrDamaged)
	}
	count := int(binary.BigEndian.Uint32(data[len(rangeMagic):]))
	if data = data[rangeHead:]; len(data)/rangeRow < count {
		return nil, fmt.Errorf("%w: a file for private look-ups is cut", ErrDamaged)
	}
	rows := make([]RangeRow, count)
	for i := range rows {
		d := data[i*rangeRow:]
		r := &rows[i]
		r.Key = [16]byte(d)
		r.Own = [6]byte(d[16:])
		r.Site = [6]byte(d[22:])
		for k, b := range d[28:rangeRow] {
			if int(b>>4) >= len(vectorWords) || int(b&15) >= len(vectorWords) {
				return nil, fmt.Errorf("%w: a rights vector", ErrDamaged)
			}
			r.Vector[2*k], r.Vector[2*k+1] = vectorWords[b>>4], vectorWords[b&15]
		}
	}
	return rows, nil
}
