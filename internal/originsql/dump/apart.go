package dump

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"colophon/exports"
)

// BulkList is the name of the file that lists all files in a folder of bodies.
const BulkList = "put.json"

// ErrNotBodies is returned if a folder for texts holds something else.
var ErrNotBodies = errors.New("has files that are no texts of pages; give a folder of its own")

// Apart writes SQL to w and texts into a folder, which then holds exactly the
// current editions.
func Apart(ctx context.Context, w io.Writer, db *sql.DB, folder string) error {
	type object struct {
		Key  string `json:"key"`
		File string `json:"file"`
	}
	list := []object{}
	current := map[string]bool{BulkList: true}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	old, err := bodiesIn(folder)
	if err != nil {
		return err
	}
	err = Write(ctx, w, db, func(key, text string) error {
		name := filepath.Join(folder, filepath.FromSlash(key))
		list, current[key] = append(list, object{key, name}), true
		if have, err := os.ReadFile(name); err == nil && string(have) == text {
			return nil // its unchanged time tells an uploader that it is the same
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o600)
	})
	if err != nil {
		return err
	}
	for _, key := range old {
		if !current[key] {
			name := filepath.Join(folder, filepath.FromSlash(key))
			if err := os.Remove(name); err != nil {
				return err
			}
			_ = os.Remove(filepath.Dir(name)) // when it is empty
		}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, BulkList), text, 0o600)
}

// bodiesIn returns the files of a folder by their keys. It refuses a folder
// that holds anything else, because old files in it are removed.
func bodiesIn(folder string) (keys []string, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		key, err := filepath.Rel(folder, name)
		if key = filepath.ToSlash(key); key != BulkList && !strings.HasPrefix(key, exports.PrefixEntry) {
			return fmt.Errorf("%s %w", folder, ErrNotBodies)
		}
		keys = append(keys, key)
		return err
	})
	return keys, err
}
