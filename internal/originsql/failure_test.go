package originsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

func TestErrorsAreNamed(t *testing.T) {
	named := []error{origin.ErrNotFound, origin.ErrConflict, origin.ErrUnavailable, ErrFull, ErrReadOnly, ErrDamaged, ErrLocked, ErrDisk, context.Canceled}
	for _, c := range []struct {
		text string
		err  error
		want []error
	}{
		{"full", errors.New("database or disk is full (13)"), []error{origin.ErrUnavailable, ErrFull}},
		{"full, D1", errors.New("D1_ERROR: database or disk is full: SQLITE_FULL"), []error{origin.ErrUnavailable, ErrFull}},
		{"large, D1", errors.New("D1_ERROR: Exceeded maximum DB size"), []error{origin.ErrUnavailable, ErrFull}},
		{"read-only", errors.New("attempt to write a readonly database (1544)"), []error{origin.ErrUnavailable, ErrReadOnly}},
		{"corrupt", errors.New("database disk image is malformed (11)"), []error{origin.ErrUnavailable, ErrDamaged}},
		{"no database", errors.New("file is not a database (26)"), []error{origin.ErrUnavailable, ErrDamaged}},
		{"busy", errors.New("database is locked (5) (SQLITE_BUSY)"), []error{origin.ErrUnavailable, ErrLocked}},
		{"I/O", errors.New("disk I/O error (1034)"), []error{origin.ErrUnavailable, ErrDisk}},
		{"cannot open", errors.New("unable to open database file (14)"), []error{origin.ErrUnavailable, ErrDisk}},
		{"wrapped twice", Wrap("read", errors.New("disk I/O error (10)")), []error{origin.ErrUnavailable, ErrDisk}},
		{"found by a check", fmt.Errorf("%w: page 7 is in no tree", ErrDamaged), []error{origin.ErrUnavailable, ErrDamaged}},
		{"bad connection", driver.ErrBadConn, []error{origin.ErrUnavailable}},
		{"closed", errors.New("sql: database is closed"), []error{origin.ErrUnavailable}},
		{"constraint", errors.New("constraint failed: UNIQUE constraint failed: t.id (1555)"), []error{origin.ErrConflict}},
		{"no rows", fmt.Errorf("x: %w", sql.ErrNoRows), []error{origin.ErrNotFound}},
		{"canceled", context.Canceled, []error{context.Canceled}},
		{"anything else", errors.New("no such table: t (1)"), nil},
	} {
		got := Wrap("do it", c.err)
		for _, name := range named {
			want := false
			for _, w := range c.want {
				want = want || w == name
			}
			if errors.Is(got, name) != want {
				t.Errorf("%s: is %q: %v", c.text, name, !want)
			}
		}
	}
	if Wrap("do it", nil) != nil {
		t.Error("no error is one")
	}
}

// TestSQLiteSaysWhatItIs makes SQLite itself fail in each way that needs no
// broken disk.
func TestSQLiteSaysWhatItIs(t *testing.T) {
	text := make([]byte, 4096)
	for i := range text {
		text[i] = 'x'
	}
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string) (options string)
		want error
	}{
		{"full", func(*testing.T, string) string { return "_pragma=max_page_count(2)" }, ErrFull},
		{"query_only", func(*testing.T, string) string { return "mode=ro" }, ErrReadOnly},
		{"no database", func(t *testing.T, path string) string {
			must(t, os.WriteFile(path, text, 0o600))
			return ""
		}, ErrDamaged},
		{"locked", func(t *testing.T, path string) string {
			other, err := sql.Open("sqlite", "file:"+path)
			must(t, err)
			t.Cleanup(func() { other.Close() })
			other.SetMaxOpenConns(1)
			must(t, assert.Err(other.Exec("BEGIN EXCLUSIVE")))
			return ""
		}, ErrLocked},
		{"cannot open", func(t *testing.T, path string) string {
			must(t, os.Remove(path))
			return "mode=rw"
		}, ErrDisk},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			first, err := sql.Open("sqlite", "file:"+path)
			must(t, err)
			must(t, assert.Err(first.Exec("CREATE TABLE t (id TEXT)")))
			first.Close()
			db, err := sql.Open("sqlite", "file:"+path+"?"+c.make(t, path))
			must(t, err)
			defer db.Close()
			err = New(db).exec(context.Background(), write("write", "INSERT INTO t VALUES (?1)", string(text)+string(text)))
			if !errors.Is(err, c.want) || !errors.Is(err, origin.ErrUnavailable) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}
