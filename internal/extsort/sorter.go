// Package extsort sorts more values than fit into memory.
package extsort

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

// Memory is how many bytes of values a Sorter holds in memory, as a rule.
const Memory = 8 << 20

// Sorter sorts values by key in limited memory: beyond the limit it writes
// sorted runs to disk, and merges them when it is read.
type Sorter struct {
	parent string // folder for the runs
	limit  int

	mu    sync.Mutex
	held  []blob.Value
	size  int // bytes of held
	dir   string
	runs  []*os.File
	count int64 // of all values
}

// New returns a Sorter that holds about limit bytes in memory, and creates its
// files in the folder parent.
func New(parent string, limit int) *Sorter { return &Sorter{parent: parent, limit: limit} }

// ErrTwice is returned if two values have the same key.
var ErrTwice = errors.New("two values have one key")

// Count returns how many values were added.
func (s *Sorter) Count() int64 { return s.count }

// Add adds a value. Its data must not change afterwards. Many goroutines may
// call Add.
func (s *Sorter) Add(key string, data []byte) error {
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
func (s *Sorter) writeRun() error {
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

func (s *Sorter) sortHeld() {
	slices.SortFunc(s.held, func(a, b blob.Value) int { return strings.Compare(a.Key, b.Key) })
}

// Each calls do with all values ordered by key, after the last was added. It
// may be called again. It returns ErrTwice if two values have the same key.
func (s *Sorter) Each(do func(blob.Value) error) error {
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
		r := &run{Reader: bufio.NewReaderSize(f, 64<<10)}
		sources = append(sources, r.read)
	}
	return mergeRuns(sources, do)
}

// EachPart is Each for values that are divided into n parts, whose numbers never
// fall with rising keys. It calls do once for each part, also for those without
// values.
func (s *Sorter) EachPart(n int, partOf func(key string) int, do func(part int, values []blob.Value) error) error {
	part, values := 0, []blob.Value(nil)
	finishUntil := func(next int) error {
		for part < next {
			if err := do(part, values); err != nil {
				return err
			}
			part, values = part+1, values[:0]
		}
		return nil
	}
	err := s.Each(func(v blob.Value) error {
		err := finishUntil(partOf(v.Key))
		values = append(values, v)
		return err
	})
	if err != nil {
		return err
	}
	return finishUntil(n)
}

// mergeRuns calls do with the values of sorted sources, ordered by key.
func mergeRuns(sources []func() (blob.Value, error), do func(blob.Value) error) error {
	heads, open := make([]blob.Value, len(sources)), make([]bool, len(sources))
	advance := func(i int) (err error) {
		heads[i], err = sources[i]()
		if open[i] = err == nil; err == io.EOF {
			err = nil
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
		for i := range heads {
			if open[i] && (least < 0 || heads[i].Key < heads[least].Key) {
				least = i
			}
		}
		if least < 0 {
			return nil
		}
		v := heads[least]
		if any && v.Key == last {
			return fmt.Errorf("%w: %q", ErrTwice, v.Key)
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

// run reads the values of a run.
type run struct {
	*bufio.Reader
	key []byte // reused
}

// read returns the next value, or io.EOF after the last one.
func (r *run) read() (v blob.Value, err error) {
	if _, err := r.Peek(1); err != nil {
		return v, err
	}
	if r.key, err = r.readText(r.key); err != nil {
		return v, err
	}
	v.Key = string(r.key)
	v.Data, err = r.readText(nil)
	return v, err
}

// readText reads a text after its length, into b if it has room.
func (r *run) readText(b []byte) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err == nil {
		b = slices.Grow(b[:0], int(n))[:n]
		_, err = io.ReadFull(r, b)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// Close removes the files.
func (s *Sorter) Close() {
	for _, f := range s.runs {
		f.Close()
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}
