package indexer

import (
	"bufio"
	"os"

	"colophon/internal/staticindex"
)

// spool keeps stored records in a temporary file, by the order of adding.
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

// recordStart is where record i begins.
func (s *spool) recordStart(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// readBlock reads records into one piece of memory; many goroutines may.
func (s *spool) readBlock(records []uint32) (staticindex.Block, error) {
	size := int64(0)
	for _, i := range records {
		size += s.ends[i] - s.recordStart(int(i))
	}
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
