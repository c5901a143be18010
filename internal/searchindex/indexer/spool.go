package indexer

import (
	"bufio"
	"encoding/binary"
	"os"

	"colophon/internal/searchindex"
)

// spool keeps stored records in a temporary file, by the order of adding.
type spool struct {
	file  *os.File
	out   *bufio.Writer
	ends  []int64 // where each record ends
	bytes []byte  // of the record about to be written
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "records-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (s *spool) addRecord(r searchindex.Stored) error {
	s.bytes = flattenRecord(s.bytes[:0], r)
	if _, err := s.out.Write(s.bytes); err != nil {
		return err
	}
	s.ends = append(s.ends, s.recordEnd(len(s.ends))+int64(len(s.bytes)))
	return nil
}

// flattenRecord writes all parts of a record after b.
func flattenRecord(b []byte, r searchindex.Stored) []byte {
	b = binary.AppendUvarint(b, uint64(len(r.Texts)))
	for _, t := range r.Texts {
		b = append(binary.AppendUvarint(b, uint64(len(t))), t...)
	}
	b = binary.AppendUvarint(b, uint64(len(r.Ints)))
	for _, n := range r.Ints {
		b = binary.AppendUvarint(b, n)
	}
	return append(b, r.Raw...)
}

// unflattenRecord reads what flattenRecord wrote.
func unflattenRecord(b []byte) (r searchindex.Stored) {
	next := func() int {
		n, size := binary.Uvarint(b)
		b = b[size:]
		return int(n)
	}
	r.Texts = make([]string, next())
	for i := range r.Texts {
		n := next()
		r.Texts[i], b = string(b[:n]), b[n:]
	}
	r.Ints = make([]uint64, next())
	for i := range r.Ints {
		r.Ints[i] = uint64(next())
	}
	r.Raw = b
	return r
}

// recordEnd is where record i begins.
func (s *spool) recordEnd(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// readRecord reads record i; many goroutines may.
func (s *spool) readRecord(i uint32) (searchindex.Stored, error) {
	from := s.recordEnd(int(i))
	b := make([]byte, s.ends[i]-from)
	if _, err := s.file.ReadAt(b, from); err != nil {
		return searchindex.Stored{}, err
	}
	return unflattenRecord(b), nil
}

// readBlock reads records, each changed by brief unless that is nil.
func (s *spool) readBlock(records []uint32, brief func(uint32, searchindex.Stored) searchindex.Stored) (searchindex.Block, error) {
	out := make(searchindex.Block, 0, len(records))
	for _, i := range records {
		r, err := s.readRecord(i)
		if err != nil {
			return nil, err
		}
		if brief != nil {
			r = brief(i, r)
		}
		out = append(out, r)
	}
	return out, nil
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
