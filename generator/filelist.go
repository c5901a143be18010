package generator

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sort"
	"strings"

	"colophon/generator/target"
	"colophon/internal/release"
)

// fileNote is what a fileList holds of a file.
type fileNote struct {
	sum    [32]byte
	size   int64
	packed bool // it stands in packs, and not in the folder
}

// sameContent reports whether two files have the same bytes, wherever they stand.
func (n fileNote) sameContent(other fileNote) bool { return n.sum == other.sum && n.size == other.size }

// fileRow is one file of a build.
type fileRow struct {
	name string
	fileNote
}

// fileList lists the files of a build by name. The zero value is that of no
// build.
type fileList struct{ rows []fileRow }

// readFileList reads the signed list of the build in a folder, an empty one where there is
// no build. Of a release in packs, files of which there are many stand in these. It
// fails with release.ErrDamaged.
func readFileList(dir string) (fileList, error) {
	files, err := release.ReadFolder(os.DirFS(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return fileList{}, nil
	}
	if err != nil {
		return fileList{}, err
	}
	list, packed := fileList{rows: make([]fileRow, len(files))}, target.PackedIn(files)
	for i, f := range files {
		list.rows[i] = fileRow{f.Name, fileNote{sum: f.SHA256, size: f.Size, packed: packed(f)}}
	}
	return list, nil
}

// PackedFiles names the files of a build that stand in packs, below a folder that
// ends in "/". There are none where the build is in files, or where there is none.
func PackedFiles(dir, folder string) ([]string, error) {
	list, err := readFileList(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range list.rowsBelow(folder) {
		if row.packed {
			names = append(names, row.name)
		}
	}
	return names, nil
}

// hasPacked reports whether files stand in packs.
func (m fileList) hasPacked() bool {
	return slices.ContainsFunc(m.rows, func(row fileRow) bool { return row.packed })
}

// inFolder returns the files that do not stand in packs.
func (m fileList) inFolder() (out fileList) {
	for _, row := range m.rows {
		if !row.packed {
			out.rows = append(out.rows, row)
		}
	}
	return out
}

// searchRow returns the place of the first row whose name is not below the
// given one.
func (m fileList) searchRow(name string) int {
	return sort.Search(len(m.rows), func(i int) bool { return m.rows[i].name >= name })
}

func (m fileList) findRow(name string) (fileNote, bool) {
	i := m.searchRow(name)
	if i == len(m.rows) || m.rows[i].name != name {
		return fileNote{}, false
	}
	return m.rows[i].fileNote, true
}

// rowsBelow returns the rows whose names begin with a prefix.
func (m fileList) rowsBelow(prefix string) []fileRow {
	from := m.searchRow(prefix)
	to := from
	for to < len(m.rows) && strings.HasPrefix(m.rows[to].name, prefix) {
		to++
	}
	return m.rows[from:to]
}
