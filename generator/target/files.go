package target

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/blob"
	releaselist "colophon/internal/release"
)

// Files are the files of a release sorted by name, including those that are in
// packs and not in the folder. The zero value has no files.
type Files struct {
	Rows  []releaselist.File
	packs bool // the release has packs
}

// NewFiles returns the files of a release. rows must be sorted by name.
func NewFiles(rows []releaselist.File) Files {
	f := Files{Rows: rows}
	_, f.packs = f.Find(blob.RootKey)
	return f
}

// ReadFiles reads the signed list of the release in a folder. It returns no
// files if there is no list, and release.ErrDamaged if the list cannot be read.
func ReadFiles(folder fs.FS) (Files, error) {
	rows, err := releaselist.ReadFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return Files{}, nil
	}
	return NewFiles(rows), err
}

// InPacks reports whether a file of the release is in a pack.
func (l *Files) InPacks(name string) bool { return l.packs && exports.Packed(exports.Key(name)) }

// HasPacked reports whether any files are in packs.
func (l *Files) HasPacked() bool {
	return slices.ContainsFunc(l.Rows, func(f releaselist.File) bool { return l.InPacks(f.Name) })
}

// search returns the position of the first file whose name is not less than the
// given one, and whether it has that name.
func (l *Files) search(name string) (int, bool) {
	return slices.BinarySearchFunc(l.Rows, name, func(f releaselist.File, name string) int { return strings.Compare(f.Name, name) })
}

// Find finds a file by name.
func (l *Files) Find(name string) (releaselist.File, bool) {
	i, ok := l.search(name)
	if !ok {
		return releaselist.File{}, false
	}
	return l.Rows[i], true
}

// Below returns the files whose names begin with a prefix.
func (l *Files) Below(prefix string) []releaselist.File {
	from, _ := l.search(prefix)
	to := from
	for to < len(l.Rows) && strings.HasPrefix(l.Rows[to].Name, prefix) {
		to++
	}
	return l.Rows[from:to]
}

// InFolder returns the files that are not in packs.
func (l *Files) InFolder() (out Files) {
	for _, f := range l.Rows {
		if !l.InPacks(f.Name) {
			out.Rows = append(out.Rows, f)
		}
	}
	return out
}

// Compare walks a published folder and calls do for each file that exists or
// should exist. listed is nil for a file that is not in the release, and there
// is nil for one that is missing. It skips notes, and files that wait to be
// deleted.
func (l *Files) Compare(folder fs.FS, waiting map[string]Waiting, do func(name string, listed *releaselist.File, there fs.DirEntry) error) error {
	seen := make([]bool, len(l.Rows))
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || IsNote(name) {
			return err
		}
		i, listed := l.search(name)
		if listed && !l.InPacks(name) {
			seen[i] = true
			return do(name, &l.Rows[i], d)
		}
		if _, waits := waiting[name]; waits {
			return nil
		}
		return do(name, nil, d)
	})
	if err != nil {
		return err
	}
	for i := range l.Rows {
		if f := &l.Rows[i]; !seen[i] && !l.InPacks(f.Name) {
			if err := do(f.Name, f, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
