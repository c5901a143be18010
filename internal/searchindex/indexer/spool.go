package indexer

import (
	"bufio"
	"os"
	"slices"

	"colophon/internal/staticindex"
)

// spool keeps records in a temporary file, by the order of adding.
type spool struct {
	file *os.File
	out  *bufio.Writer
	ends []int64 // where each record ends
}

func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, "records-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (s *spool) addRecord(record []byte) error {
	if _, err := s.out.Write(record); err != nil {
		return err
	}
	s.ends = append(s.ends, s.recordStart(len(s.ends))+int64(len(record)))
	return nil
}

// recordStart returns where record i begins.
func (s *spool) recordStart(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// maxSpan is how many times their own size records may lie apart to be read at once:
// for a call of the system as many bytes can be copied.
const maxSpan = 8

// readBlock reads records into one piece of memory; many goroutines may.
func (s *spool) readBlock(records []uint32) (staticindex.Block, error) {
	if len(records) == 0 {
		return nil, nil
	}
	size := int64(0)
	for _, i := range records {
		size += s.ends[i] - s.recordStart(int(i))
	}
	from := s.recordStart(int(slices.Min(records)))
	to := s.ends[slices.Max(records)]
	if to-from <= maxSpan*size {
		return s.readSpan(records, from, to)
	}
	return s.readEach(records, size)
}

// readSpan reads records that lie between two offsets, with all between them.
func (s *spool) readSpan(records []uint32, from, to int64) (staticindex.Block, error) {
	text := make([]byte, to-from)
	if _, err := s.file.ReadAt(text, from); err != nil {
		return nil, err
	}
	out := make(staticindex.Block, 0, len(records))
	for _, i := range records {
		start, end := s.recordStart(int(i))-from, s.ends[i]-from
		out = append(out, text[start:end:end])
	}
	return out, nil
}

// readEach reads records of a size one by one.
func (s *spool) readEach(records []uint32, size int64) (staticindex.Block, error) {
	text := make([]byte, size)
	out := make(staticindex.Block, 0, len(records))
	for _, i := range records {
		from := s.recordStart(int(i))
		n := s.ends[i] - from
		if _, err := s.file.ReadAt(text[:n], from); err != nil {
			return nil, err
		}
		out = append(out, text[:n:n])
		text = text[n:]
	}
	return out, nil
}

func (s *spool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
