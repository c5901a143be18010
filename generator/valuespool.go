package generator

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"colophon/internal/segment"
)

// spoolMemory is how many bytes of values are kept before they go to disk.
const spoolMemory = 32 << 20

// valueSpool sorts values by key in bounded memory: beyond that, they are put
// into 256 temporary files by the first byte of the key, of which one at a time
// is read again.
type valueSpool struct {
	parent string
	limit  int64

	mu      sync.Mutex
	parts   [256][]segment.Value
	held    int64
	dir     string // of the files; "" while all is in memory
	files   [256]*os.File
	writers [256]*bufio.Writer

	count int64
	size  int64 // as segment.Size counts
}

func newValueSpool(parent string, limit int64) *valueSpool {
	return &valueSpool{parent: parent, limit: limit}
}

// addValue keeps a value. Many goroutines may.
func (s *valueSpool) addValue(v segment.Value) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := v.Key[0]
	size := segment.Size([]segment.Value{v})
	s.parts[first] = append(s.parts[first], v)
	s.count++
	s.size += size
	s.held += size
	if s.held < s.limit {
		return nil
	}
	return s.spillToDisk()
}

// spillToDisk writes what is held to disk.
func (s *valueSpool) spillToDisk() error {
	if s.dir == "" {
		dir, err := os.MkdirTemp(s.parent, ".segments-")
		if err != nil {
			return fmt.Errorf("cannot make a folder to sort entries in: %w", err)
		}
		s.dir = dir
	}
	for first := range s.parts {
		if err := s.spillPart(first); err != nil {
			return fmt.Errorf("cannot write entries to sort them: %w", err)
		}
	}
	s.held = 0
	return nil
}

func (s *valueSpool) spillPart(first int) error {
	if s.files[first] == nil {
		f, err := os.Create(filepath.Join(s.dir, fmt.Sprintf("%02x", first)))
		if err != nil {
			return err
		}
		s.files[first] = f
		s.writers[first] = bufio.NewWriterSize(f, 32<<10)
	}
	w := s.writers[first]
	for _, v := range s.parts[first] {
		var head [segment.KeySize + binary.MaxVarintLen64]byte
		n := copy(head[:], v.Key[:])
		n += binary.PutUvarint(head[n:], uint64(len(v.Data)))
		if _, err := w.Write(head[:n]); err != nil {
			return err
		}
		if _, err := w.Write(v.Data); err != nil {
			return err
		}
	}
	clear(s.parts[first]) // what it held is on disk
	s.parts[first] = s.parts[first][:0]
	return nil
}

// flushValues ends adding.
func (s *valueSpool) flushValues() error {
	if s.dir == "" {
		return nil
	}
	if err := s.spillToDisk(); err != nil {
		return err
	}
	for _, w := range s.writers {
		if err := w.Flush(); err != nil {
			return fmt.Errorf("cannot write entries to sort them: %w", err)
		}
	}
	return nil
}

// valuesWithByte lists the values whose keys begin with a byte, by key, after flushValues. Two
// values of one key are an error.
func (s *valueSpool) valuesWithByte(first byte) ([]segment.Value, error) {
	values := s.parts[first]
	if s.dir != "" {
		var err error
		if values, err = s.readPart(first); err != nil {
			return nil, fmt.Errorf("cannot read entries to sort them: %w", err)
		}
	}
	slices.SortFunc(values, func(a, b segment.Value) int { return a.Key.Compare(b.Key) })
	for i := 1; i < len(values); i++ {
		if values[i].Key == values[i-1].Key {
			return nil, errors.New("two entries have one key")
		}
	}
	return values, nil
}

func (s *valueSpool) readPart(first byte) ([]segment.Value, error) {
	f := s.files[first]
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, err
	}
	var out []segment.Value
	for len(data) > 0 {
		var v segment.Value
		data = data[copy(v.Key[:], data):]
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return nil, io.ErrUnexpectedEOF
		}
		v.Data = data[n : n+int(size)]
		data = data[n+int(size):]
		out = append(out, v)
	}
	return out, nil
}

// close removes the files.
func (s *valueSpool) close() {
	if s.dir == "" {
		return
	}
	for _, f := range s.files {
		if f != nil {
			f.Close()
		}
	}
	os.RemoveAll(s.dir)
	s.dir = ""
}
