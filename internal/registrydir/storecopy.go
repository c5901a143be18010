package registrydir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"colophon/internal/backup"
	"colophon/internal/originsql"
)

// openCopy opens a copy of the store at path, which is thrown away when it is
// closed.
func (d *Dir) openCopy(ctx context.Context, path string) (*originsql.Store, func(), error) {
	folder, err := os.MkdirTemp("", "colophon-dry-run-")
	if err != nil {
		return nil, nil, err
	}
	to := filepath.Join(folder, OriginFile)
	if err := copyStore(ctx, path, to); err != nil {
		os.RemoveAll(folder)
		return nil, nil, err
	}
	store, closeStore, err := d.OpenDatabase(ctx, to)
	if err != nil {
		os.RemoveAll(folder)
		return nil, nil, err
	}
	return store, func() {
		closeStore()
		os.RemoveAll(folder)
	}, nil
}

// copyStore writes a consistent copy of the store at from, which may be in use,
// and leaves from as it is. It does nothing if there is no store.
func copyStore(ctx context.Context, from, to string) error {
	db, err := OpenPlain(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer db.Close()
	if err := backup.Snapshot(ctx, db, to); err != nil {
		return fmt.Errorf("cannot copy the origin store %q: %w", from, err)
	}
	return nil
}
