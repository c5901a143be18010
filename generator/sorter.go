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
	"strings"
	"sync"

	"colophon/internal/blob"
)

// sorterMemory is how many bytes of values a sorter holds in memory.
const sorterMemory = 32 << 20

// sorter sorts values by key in limited memory: beyond the limit it writes
// sorted runs to disk, and merges them when it is read.
type sorter struct {
	parent string // folder for the runs
	limit  int

	mu    sync.Mutex
	held  []blob.Value
	size  int // bytes of held
	dir   string
	runs  []*os.File
	count int64 // of all values
}

func newSorter(parent string, limit int) *sorter { return &sorter{parent: parent, limit: limit} }

// errTwice is returned if two values have the same key.
var errTwice = errors.New("two values have one key")

// add adds a value. Its data must not change afterwards. Many goroutines may
// call add.
func (s *sorter) add(key string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = append(s.held, blob.Value{Key: key, Data: data})
	s.count++
	s.size += len(key) + len(data) + 64
	if s.size < s.limit {
		return nil
	}
	if err := s.writeRun(); err != nil {
		return fmt.Errorf("cannot write values to sort them: %w", err)
	}
	return nil
}

// writeRun writes the values in memory to disk.
func (s *sorter) writeRun() error {
	if s.dir == "" {
		dir, err := os.MkdirTemp(s.parent, ".sorted-")
		if err != nil {
			return err
		}
		s.dir = dir
	}
	f, err := os.Create(filepath.Join(s.dir, fmt.Sprint(len(s.runs))))
	if err != nil {
		return err
	}
	s.runs = append(s.runs, f)
	s.sortHeld()
	w := bufio.NewWriterSize(f, 256<<10)
	var head []byte
	for _, v := range s.held {
		head = append(binary.AppendUvarint(head[:0], uint64(len(v.Key))), v.Key...)
		head = binary.AppendUvarint(head, uint64(len(v.Data)))
		w.Write(head) //nolint:errcheck // Flush returns the error
		w.Write(v.Data)
	}
	clear(s.held) // its values are on disk
	s.held, s.size = s.held[:0], 0
	return w.Flush()
}

func (s *sorter) sortHeld() {
	slices.SortFunc(s.held, func(a, b blob.Value) int { return strings.Compare(a.Key, b.Key) })
}

// each calls do with all values ordered by key, after the last was added. It
// may be called again. It returns errTwice if two values have the same key.
func (s *sorter) each(do func(blob.Value) error) error {
	s.sortHeld()
	held := s.held
	sources := []func() (blob.Value, error){func() (v blob.Value, err error) {
		if len(held) == 0 {
			return v, io.EOF
		}
		v, held = held[0], held[1:]
		return v, nil
	}}
	for _, f := range s.runs {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		r := bufio.NewReaderSize(f, 64<<10)
		sources = append(sources, func() (blob.Value, error) { return readRunValue(r) })
	}
	return mergeRuns(sources, do)
}

// mergeRuns calls do with the values of sorted sources, ordered by key.
func mergeRuns(sources []func() (blob.Value, error), do func(blob.Value) error) error {
	heads := make([]*blob.Value, len(sources))
	advance := func(i int) error {
		v, err := sources[i]()
		heads[i] = &v
		if err == io.EOF {
			heads[i], err = nil, nil
		}
		return err
	}
	for i := range sources {
		if err := advance(i); err != nil {
			return err
		}
	}
	last, any := "", false
	for {
		least := -1
		for i, h := range heads {
			if h != nil && (least < 0 || h.Key < heads[least].Key) {
				least = i
			}
		}
		if least < 0 {
			return nil
		}
		v := *heads[least]
		if any && v.Key == last {
			return fmt.Errorf("%w: %q", errTwice, v.Key)
		}
		last, any = v.Key, true
		if err := do(v); err != nil {
			return err
		}
		if err := advance(least); err != nil {
			return err
		}
	}
}

func readRunValue(r *bufio.Reader) (v blob.Value, err error) {
	if _, err := r.Peek(1); err != nil {
		return v, err // io.EOF after the last value
	}
	read := func() []byte {
		n, failed := binary.ReadUvarint(r)
		data := make([]byte, n)
		if failed == nil {
			_, failed = io.ReadFull(r, data)
		}
		if failed == io.EOF {
			failed = io.ErrUnexpectedEOF
		}
		err = errors.Join(err, failed)
		return data
	}
	v = blob.Value{Key: string(read()), Data: read()}
	return v, err
}

// close removes the files.
func (s *sorter) close() {
	for _, f := range s.runs {
		f.Close()
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}
