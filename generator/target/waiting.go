package target

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"colophon/exports"
)

// DefaultGrace is how long an immutable file is kept after the last release
// that names it, so that readers with an old root still find it.
const DefaultGrace = 24 * time.Hour

// Waiting is a file that no release names any more, but that is not deleted
// yet.
type Waiting struct {
	Object
	Since time.Time // when the first release without it was published, to the second
}

// Wait returns the files that wait to be deleted, sorted by key: the files in
// before that the new release does not name again, and those in removed, which
// wait from now on. due holds the keys of the files that may be deleted now:
// immutable files at the end of their grace period, and all others at once,
// because documents may have been withdrawn.
func Wait(before map[string]Waiting, isNamed func(key string) bool, removed []Object, now time.Time, grace time.Duration) (list []Waiting, due []string) {
	now = now.UTC().Truncate(time.Second)
	waits := maps.Clone(before)
	if waits == nil {
		waits = map[string]Waiting{}
	}
	for _, o := range removed {
		w, known := waits[o.Key]
		if !known {
			w.Since = now
		}
		w.Object = o
		waits[o.Key] = w
	}
	for _, key := range slices.Sorted(maps.Keys(waits)) {
		w := waits[key]
		if isNamed(key) {
			continue
		}
		list = append(list, w)
		if !staysForReaders(key) || !w.Since.Add(grace).After(now) {
			due = append(due, key)
		}
	}
	return list, due
}

// Without returns a copy of list, as Wait returned it, without the files in
// due.
func Without(list []Waiting, due []string) []Waiting {
	return slices.DeleteFunc(slices.Clone(list), func(w Waiting) bool {
		_, gone := slices.BinarySearch(due, w.Key)
		return gone
	})
}

// staysForReaders reports whether readers with an old root may still request a
// removed file. For partial tiles of the ledger it returns false: the log
// itself keeps those that clients may need.
func staysForReaders(key string) bool { return IsImmutable(key) && !strings.HasPrefix(key, "ledger/") }

// IsImmutable reports whether the name of a file determines its content.
func IsImmutable(key string) bool {
	return exports.Immutable(exports.Key(strings.TrimSuffix(key, ".gz")))
}

// The format of the rows in a list of files. NoHeaders stands for unknown
// headers.
const (
	objectFields  = 4
	waitingFields = 6
	waitingMark   = "-"
	NoHeaders     = "-"
)

// ErrDamaged is returned if a list or note cannot be read.
var ErrDamaged = errors.New("damaged")

// List is the contents of a folder or bucket. Both parts are sorted by key.
type List struct {
	Objects []Object
	Waiting []Waiting
}

// AppendRow appends a row and a line feed to b:
//
//	<sha-256> <size> <headers> <key>
func (o *Object) AppendRow(b []byte) []byte {
	b = append(hex.AppendEncode(b, o.SHA256[:]), ' ')
	b = strconv.AppendInt(b, o.Size, 10)
	return append(b, " "+o.Headers+" "+o.Key+"\n"...)
}

// AppendRow appends a row and a line feed to b:
//
//   - <since, unix seconds> <sha-256> <size> <headers> <key>
func (w *Waiting) AppendRow(b []byte) []byte {
	return w.Object.AppendRow(fmt.Appendf(b, "%s %d ", waitingMark, w.Since.Unix()))
}

// AddLine adds a row, given without its line feed. It returns ErrDamaged if the
// row cannot be read.
func (l *List) AddLine(line string) error {
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
	l.Waiting = append(l.Waiting, Waiting{o, time.Unix(since, 0).UTC()})
	return err
}

// parseRow parses digest, size, headers and key.
func parseRow(fields []string) (Object, error) {
	if len(fields) != objectFields {
		return Object{}, damagedRow(strings.Join(fields, " "))
	}
	o := Object{Headers: fields[2], Key: fields[3]}
	digest, err := hex.DecodeString(fields[0])
	if err != nil || len(digest) != len(o.SHA256) {
		return Object{}, damagedRow(o.Key)
	}
	o.SHA256 = [32]byte(digest)
	if o.Size, err = strconv.ParseInt(fields[1], 10, 64); err != nil || o.Size < 0 || !fs.ValidPath(o.Key) {
		return Object{}, damagedRow(o.Key)
	}
	return o, nil
}

func damagedRow(text string) error {
	return fmt.Errorf("%w: a list of files at %.100q", ErrDamaged, text)
}

// WaitingFile is the list of the files in a published folder that wait to be
// deleted. It is not served.
const WaitingFile = NotesDir + "/waiting.txt"

// ReadWaiting reads WaitingFile in dir and returns the files by key. It returns
// no files if there is no list, and ErrDamaged if a row cannot be read.
func ReadWaiting(dir string) (map[string]Waiting, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(WaitingFile)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var l List
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if err := l.AddLine(lines.Text()); err != nil || len(l.Objects) > 0 {
			return nil, fmt.Errorf("%w: %s at %.100q", ErrDamaged, WaitingFile, lines.Text())
		}
	}
	return WaitingByKey(l.Waiting), lines.Err()
}

// WaitingByKey returns the files in list by key.
func WaitingByKey(list []Waiting) map[string]Waiting {
	byKey := make(map[string]Waiting, len(list))
	for _, w := range list {
		byKey[w.Key] = w
	}
	return byKey
}

// replaceWaiting decides which files to delete now, and stages the list of
// waiting files if it changed.
func (f *Folder) replaceWaiting(c *Changes) (due []string, err error) {
	before, err := ReadWaiting(f.dir)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, objects := range c.written() {
		for i := range objects {
			named[objects[i].Key] = true
		}
	}
	list, due := Wait(before, func(key string) bool { return named[key] }, c.Removed, f.Now(), DefaultGrace)
	list = Without(list, due)
	if maps.Equal(WaitingByKey(list), before) {
		return due, nil
	}
	var text []byte
	for i := range list {
		text = list[i].AppendRow(text)
	}
	path := f.stagedPath(WaitingFile)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("cannot make a folder for the build: %w", err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return nil, fmt.Errorf("cannot write %q: %w", WaitingFile, err)
	}
	c.Root = append([]Object{{Key: WaitingFile, Size: int64(len(text))}}, c.Root...)
	return due, nil
}
