package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"colophon/internal/backup"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
)

// Modes of what nobody but the operator may read.
const (
	privateFile   os.FileMode = 0o600
	privateFolder os.FileMode = 0o700
)

// privatePaths lists what must be private in a registry, with its mode. The
// write-ahead log holds the same rows as the origin store.
func privatePaths(dir string) map[string]os.FileMode {
	origin := filepath.Join(dir, originFile)
	return map[string]os.FileMode{
		dir:                                  privateFolder,
		origin:                               privateFile,
		origin + "-wal":                      privateFile,
		origin + "-shm":                      privateFile,
		filepath.Join(dir, keysFolder):       privateFolder,
		filepath.Join(dir, ledgerKeysFolder): privateFolder,
		filepath.Join(dir, copiesFolder):     privateFolder,
		filepath.Join(dir, backup.HeadName):  privateFile,
		filepath.Join(dir, secretFile):       privateFile,
		filepath.Join(dir, demoFile):         privateFile,
		filepath.Join(dir, lastBackupFile):   privateFile,
	}
}

// openToOthers lists the paths of a registry that others may read or write,
// with the modes that they have.
func openToOthers(dir string) (map[string]os.FileMode, error) {
	open := map[string]os.FileMode{}
	for path := range privatePaths(dir) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Mode().Perm()&0o077 != 0 {
			open[path] = info.Mode().Perm()
		}
	}
	return open, nil
}

// makePrivate takes the store and its folder away from everybody but their
// owner, and tells what it changed. It leaves keys and the secret alone: one
// that others could read must be replaced, not hidden, so reading it refuses.
func (e *env) makePrivate() {
	open, err := openToOthers(e.dir)
	if err != nil {
		e.printNote("cannot see who may read the store: %v", err)
		return
	}
	wanted := privatePaths(e.dir)
	for _, name := range []string{".", originFile, originFile + "-wal", originFile + "-shm"} {
		path := filepath.Join(e.dir, name)
		mode, found := open[path]
		if !found {
			continue
		}
		if err := os.Chmod(path, wanted[path]); err != nil {
			e.printNote("%s can be read by others (mode %04o), and that cannot be changed: %v", path, mode, err)
			continue
		}
		e.printNote("%s could be read by others: mode %04o is now %04o", path, mode, wanted[path])
	}
}

// createPrivate makes an empty file that only its owner may read, unless there
// is one. SQLite gives its write-ahead log the mode of the database.
func createPrivate(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, privateFile)
	if err != nil {
		return err
	}
	return f.Close()
}

// openPlain opens an origin store as it is: it does not migrate, and it makes
// no file.
func openPlain(path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", local.Plain(path))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// copiesFolder holds the copies of the origin that are made before its schema
// changes.
const copiesFolder = "before-migration"

// copyBeforeMigration copies an origin store whose schema is older than this
// program's. A store that cannot be copied is not migrated.
func (e *env) copyBeforeMigration(ctx context.Context, db *sql.DB, path string) error {
	have, err := originsql.SchemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if have == 0 || have >= originsql.LatestSchema() {
		return nil
	}
	folder := filepath.Join(filepath.Dir(path), copiesFolder)
	if err := os.MkdirAll(folder, privateFolder); err != nil {
		return err
	}
	name := fmt.Sprintf("schema-%d-%s.db", have, time.Now().UTC().Format("20060102T150405.000Z"))
	partial := filepath.Join(folder, "."+name)
	if err := backup.Snapshot(ctx, db, partial); err != nil {
		return fmt.Errorf("the schema is not changed, for there is no copy to go back to: %w", err)
	}
	if err := syncFile(partial); err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	to := filepath.Join(folder, name)
	if err := os.Rename(partial, to); err != nil {
		return err
	}
	if err := syncFile(folder); err != nil {
		return err
	}
	e.printNote("the schema changes from %d to %d; what the store held before is in %s: remove it when all is well", have, originsql.LatestSchema(), to)
	return nil
}

// syncFile brings a file, or the names in a folder, to disk.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
