// Package schematest provides tests with an empty origin in SQLite without
// applying every migration for each of them.
package schematest

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the driver that makes the template file

	"colophon/internal/originsql"
)

// Write puts an empty origin with the current schema at path. It leaves an
// existing file as it is.
func Write(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := empty()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// empty is the file that Migrate makes, made once in each process.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "schema")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	path := filepath.Join(dir, "origin.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(OFF)")
	if err != nil {
		return nil, err
	}
	err = originsql.Migrate(context.Background(), db)
	if err := errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
