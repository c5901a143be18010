package generator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"colophon/generator/target"
)

// fileNote is what a fileList holds of a file.
type fileNote struct {
	sum    [32]byte
	size   int64
	packed bool // it stands in segments, and not in the folder
}

// sameContent tells whether two files have the same bytes, wherever they stand.
func (n fileNote) sameContent(other fileNote) bool { return n.sum == other.sum && n.size == other.size }

// fileRow is one file of a build.
type fileRow struct {
	name string
	fileNote
}

// fileList lists the files of a build by name. The zero value is that of no
// build.
type fileList struct{ rows []fileRow }

// errFileList marks a list that is damaged. A build that finds one renders and
// writes everything.
var errFileList = errors.New("the list of files is damaged")

// packedFile lists the files that stand in segments, in the form of
// target.ListFile.
const packedFile = target.NotesDir + "/packed.txt"

// readFileList reads the list of the build in a folder with the files that stand
// in segments, an empty one where there is no build.
func readFileList(dir string) (fileList, error) {
	list, err := readRows(dir, target.ListFile)
	if err != nil {
		return fileList{}, err
	}
	packed, err := readRows(dir, packedFile)
	if err != nil {
		return fileList{}, err
	}
	for i := range packed.rows {
		packed.rows[i].packed = true
	}
	return list.merge(packed), nil
}

// readRows reads one list of a folder, an empty one where it is not there.
func readRows(dir, name string) (fileList, error) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return fileList{}, nil
	}
	if err != nil {
		return fileList{}, err
	}
	return parseFileList(data)
}

// PackedFiles names the files of a build that stand in segments, below a folder that
// ends in "/". There are none where the build is in files, or has no notes.
func PackedFiles(dir, folder string) ([]string, error) {
	packed, err := readRows(dir, packedFile)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range packed.rowsBelow(folder) {
		names = append(names, row.name)
	}
	return names, nil
}

// merge is the list of the rows of both.
func (m fileList) merge(other fileList) fileList {
	if len(other.rows) == 0 {
		return m
	}
	rows := append(m.rows, other.rows...)
	slices.SortFunc(rows, func(a, b fileRow) int { return strings.Compare(a.name, b.name) })
	return fileList{rows}
}

// split parts the files of the folder from those in segments.
func (m fileList) split() (inFolder, packed fileList) {
	for _, row := range m.rows {
		if row.packed {
			packed.rows = append(packed.rows, row)
		} else {
			inFolder.rows = append(inFolder.rows, row)
		}
	}
	return inFolder, packed
}

// parseFileList reads "<sha-256> <size> <name>" a line, by name.
func parseFileList(data []byte) (fileList, error) {
	m := fileList{rows: make([]fileRow, 0, bytes.Count(data, []byte{'\n'}))}
	text := string(data) // names are parts of it
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		row, ok := parseFileRow(line)
		if n := len(m.rows); !ok || n > 0 && m.rows[n-1].name >= row.name {
			return fileList{}, fmt.Errorf("%w at %q", errFileList, line)
		}
		m.rows = append(m.rows, row)
	}
	return m, nil
}

func parseFileRow(line string) (row fileRow, ok bool) {
	if len(line) < 66 || line[64] != ' ' {
		return row, false
	}
	if _, err := hex.Decode(row.sum[:], []byte(line[:64])); err != nil {
		return row, false
	}
	size, name, found := strings.Cut(line[65:], " ")
	n, err := strconv.ParseInt(size, 10, 64)
	row.size, row.name = n, name
	return row, found && err == nil && n >= 0 && fs.ValidPath(name)
}

// appendTo spells the list.
func (m fileList) appendTo(b []byte) []byte {
	b = slices.Grow(b, m.encodedLength())
	for i := range m.rows {
		r := &m.rows[i]
		b = hex.AppendEncode(b, r.sum[:])
		b = append(b, ' ')
		b = strconv.AppendInt(b, r.size, 10)
		b = append(b, ' ')
		b = append(b, r.name...)
		b = append(b, '\n')
	}
	return b
}

// encodedLength is how many bytes the list takes, or a few more.
func (m fileList) encodedLength() (n int) {
	for i := range m.rows {
		n += 2*sha256.Size + len(" 0123456789 \n") + len(m.rows[i].name)
	}
	return n
}

// searchRow is the place of the first row whose name is not below the given one.
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

// rowsBelow are the rows whose names begin with a prefix.
func (m fileList) rowsBelow(prefix string) []fileRow {
	from := m.searchRow(prefix)
	to := from
	for to < len(m.rows) && strings.HasPrefix(m.rows[to].name, prefix) {
		to++
	}
	return m.rows[from:to]
}
