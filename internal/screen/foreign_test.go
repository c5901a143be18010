package screen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestForeignParquet reads every text column of the files from other programs
// that come with the Parquet library: each must be read completely, with as
// many rows as the file says, or be reported as damaged.
func TestForeignParquet(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output()
	if err != nil {
		t.Skip("the module of the library is not at hand")
	}
	names, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "testdata", "*.parquet"))
	columns := 0
	for _, name := range names {
		for _, column := range textColumns(name) {
			columns++
			rows := int64(0)
			in := Input{URLColumn: column, TextColumn: "-"}
			err := in.Read(name, func(r Row) error {
				if rows++; r.Number != rows {
					t.Fatalf("%s: row %d comes as %d", filepath.Base(name), rows, r.Number)
				}
				return nil
			})
			if want := rowsOf(name); err == nil && rows != want {
				t.Errorf("%s, column %s: %d of %d rows, and no error", filepath.Base(name), column, rows, want)
			}
			if err != nil {
				t.Logf("%s, column %s: %d rows, %v", filepath.Base(name), column, rows, err)
			}
		}
	}
	if len(names) == 0 || columns < 20 {
		t.Skipf("%d columns of texts in %d files", columns, len(names))
	}
}

// openForeign opens a file for its metadata; it returns nil for a file that the
// library refuses.
func openForeign(name string) (f *parquet.File, done func()) {
	defer func() {
		if recover() != nil {
			f = nil
		}
	}()
	in, err := os.Open(name)
	if err != nil {
		return nil, func() {}
	}
	done = func() { in.Close() }
	info, err := in.Stat()
	if err != nil {
		return nil, done
	}
	if f, err = parquet.OpenFile(in, info.Size()); err != nil {
		return nil, done
	}
	return f, done
}

func textColumns(name string) (columns []string) {
	f, done := openForeign(name)
	defer done()
	if f == nil {
		return nil
	}
	for _, path := range f.Schema().Columns() {
		leaf, ok := f.Schema().Lookup(path...)
		if ok && leaf.MaxRepetitionLevel == 0 && leaf.Node.Type().Kind() == parquet.ByteArray {
			columns = append(columns, strings.Join(path, "."))
		}
	}
	return columns
}

func rowsOf(name string) int64 {
	f, done := openForeign(name)
	defer done()
	return f.NumRows()
}
