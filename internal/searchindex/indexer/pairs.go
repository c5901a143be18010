package indexer

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// pairSpool keeps the words of records in a temporary file, record by record,
// until a collection is inverted. Collections are filled concurrently and
// inverted one after the other, so only one holds its words in memory.
type pairSpool struct {
	file  *os.File
	out   *bufio.Writer
	ends  []uint64 // where the pairs of each record end
	count uint64   // of all pairs
}

const pairBytes = 4

func newPairSpool(dir string) (*pairSpool, error) {
	f, err := os.CreateTemp(dir, "words-*")
	if err != nil {
		return nil, err
	}
	return &pairSpool{file: f, out: bufio.NewWriterSize(f, 1<<16)}, nil
}

// addPair adds a pair of the current record.
func (s *pairSpool) addPair(pair uint32) error {
	s.count++
	_, err := s.out.Write(binary.LittleEndian.AppendUint32(s.out.AvailableBuffer(), pair))
	return err
}

// endRecord ends the current record.
func (s *pairSpool) endRecord() { s.ends = append(s.ends, s.count) }

// readPairs reads all pairs back, after the writer was flushed.
func (s *pairSpool) readPairs() ([]uint32, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, int64(s.count*pairBytes)), 1<<16)
	pairs := make([]uint32, s.count)
	var word [pairBytes]byte
	for i := range pairs {
		if _, err := io.ReadFull(in, word[:]); err != nil {
			return nil, err
		}
		pairs[i] = binary.LittleEndian.Uint32(word[:])
	}
	return pairs, nil
}

// bounds returns where the pairs of record i stand among all.
func (s *pairSpool) bounds(i uint32) (from, to uint64) {
	if i > 0 {
		from = s.ends[i-1]
	}
	return from, s.ends[i]
}

func (s *pairSpool) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
