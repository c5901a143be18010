package target

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"colophon/exports"
)

// ExpiredFile, below the folder, lists the immutable files that nothing names
// any more, each with the instant from which it may be deleted:
// "<RFC 3339> <key>" a line, by key. It is not served.
const ExpiredFile = NotesDir + "/expired.txt"

// Expired reads that list from a folder; one that is not there is empty.
// It fails when the list cannot be read or a line of it is damaged.
func Expired(dir string) (map[string]time.Time, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(ExpiredFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := map[string]time.Time{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		text, key, found := strings.Cut(lines.Text(), " ")
		until, err := time.Parse(time.RFC3339, text)
		if !found || err != nil || !fs.ValidPath(key) {
			return nil, fmt.Errorf("the list %s is damaged at %q", ExpiredFile, lines.Text())
		}
		list[key] = until
	}
	return list, lines.Err()
}

// expireFiles decides which files are deleted now: those among c.Removed that may
// change under their name, and immutable ones whose grace period is over. It
// stages the list of the others.
func (f *Folder) expireFiles(c *Changes) (remove []string, err error) {
	list, err := Expired(f.dir)
	if err != nil {
		return nil, err
	}
	before := appendExpired(nil, list)
	if list == nil {
		list = map[string]time.Time{}
	}
	for _, objects := range c.written() {
		for i := range objects {
			delete(list, objects[i].Key)
		}
	}
	now := f.Now()
	for key, until := range list {
		if !now.Before(until) {
			remove = append(remove, key)
			delete(list, key)
		}
	}
	for _, key := range c.Removed {
		if f.Grace > 0 && staysForReaders(key) {
			list[key] = now.Add(f.Grace)
			continue
		}
		remove = append(remove, key)
	}
	slices.Sort(remove)

	after := appendExpired(nil, list)
	if bytes.Equal(before, after) {
		return remove, nil
	}
	path := f.stagedPath(ExpiredFile)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("cannot make a folder for the build: %w", err)
	}
	if err := os.WriteFile(path, after, 0o644); err != nil {
		return nil, fmt.Errorf("cannot write %q: %w", ExpiredFile, err)
	}
	note := Object{Key: ExpiredFile, Size: int64(len(after))}
	c.Root = append([]Object{note}, c.Root...)
	return remove, nil
}

// staysForReaders reports whether a reader with an old root may still ask for a
// file that was removed. The log itself keeps the partial tiles that clients may need.
func staysForReaders(key string) bool {
	return exports.Immutable(exports.Key(key)) && !strings.HasPrefix(key, "ledger/")
}

func appendExpired(b []byte, list map[string]time.Time) []byte {
	keys := make([]string, 0, len(list))
	for key := range list {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		b = fmt.Appendf(b, "%s %s\n", list[key].UTC().Format(time.RFC3339), key)
	}
	return b
}
