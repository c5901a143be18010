package registrydir

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"colophon/internal/backup"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/record"
)

// Modes of files and folders that only the operator may read.
const (
	PrivateFile   os.FileMode = 0o600
	PrivateFolder os.FileMode = 0o700
)

// privatePaths lists what must be private in a registry, with its mode. The
// write-ahead log holds the same rows as the origin store.
func privatePaths(dir string) map[string]os.FileMode {
	origin := filepath.Join(dir, OriginFile)
	return map[string]os.FileMode{
		dir:                                  PrivateFolder,
		origin:                               PrivateFile,
		origin + "-wal":                      PrivateFile,
		origin + "-shm":                      PrivateFile,
		filepath.Join(dir, KeysFolder):       PrivateFolder,
		filepath.Join(dir, LedgerKeysFolder): PrivateFolder,
		filepath.Join(dir, CopiesFolder):     PrivateFolder,
		filepath.Join(dir, backup.HeadName):  PrivateFile,
		filepath.Join(dir, SecretFile):       PrivateFile,
		filepath.Join(dir, DemoFile):         PrivateFile,
		filepath.Join(dir, LastBackupFile):   PrivateFile,
	}
}

// isOpen reports whether the mode of a file lets others read or write it. On
// Windows access is controlled by lists, and the mode that Go reports says
// nothing about it.
func isOpen(system string, mode fs.FileMode) bool {
	return system != "windows" && mode.Perm()&0o077 != 0
}

// OpenToOthers lists the paths of a registry that others may read or write,
// with the modes that they have.
func OpenToOthers(dir string) (map[string]os.FileMode, error) {
	open := map[string]os.FileMode{}
	for path := range privatePaths(dir) {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if isOpen(runtime.GOOS, info.Mode()) {
			open[path] = info.Mode().Perm()
		}
	}
	return open, nil
}

// makePrivate makes the store and its folder accessible to their owner only,
// and reports what it changed. It leaves keys and the secret alone: one that
// others could read must be replaced rather than hidden, so reading it is
// refused.
func (d *Dir) makePrivate() {
	open, err := OpenToOthers(d.Path)
	if err != nil {
		d.note("cannot see who may read the store: %v", err)
		return
	}
	wanted := privatePaths(d.Path)
	for _, name := range []string{".", OriginFile, OriginFile + "-wal", OriginFile + "-shm"} {
		path := filepath.Join(d.Path, name)
		mode, found := open[path]
		if !found {
			continue
		}
		if err := os.Chmod(path, wanted[path]); err != nil {
			d.note("%s can be read by others (mode %04o), and that cannot be changed: %v", path, mode, err)
			continue
		}
		d.note("%s could be read by others: mode %04o is now %04o", path, mode, wanted[path])
	}
}

// createPrivate creates an empty file that only its owner may read, unless it
// exists. SQLite gives its write-ahead log the mode of the database.
func createPrivate(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, PrivateFile)
	if err != nil {
		return err
	}
	return f.Close()
}

// OpenPlain opens an origin store as it is: it neither migrates it nor creates
// a file.
func OpenPlain(path string) (*sql.DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", local.Plain(path))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// CopiesFolder holds the copies of the origin that are made before its schema
// changes.
const CopiesFolder = "before-migration"

// copyBeforeMigration copies an origin store whose schema is older than this
// program's. A store that cannot be copied is not migrated.
func (d *Dir) copyBeforeMigration(ctx context.Context, db *sql.DB, path string) error {
	have, err := originsql.SchemaVersion(ctx, db)
	if err != nil {
		return err
	}
	if have == 0 || have >= originsql.LatestSchema() {
		return nil
	}
	folder := filepath.Join(filepath.Dir(path), CopiesFolder)
	if err := os.MkdirAll(folder, PrivateFolder); err != nil {
		return err
	}
	name := fmt.Sprintf("schema-%d-%s.db", have, time.Now().UTC().Format("20060102T150405.000Z"))
	partial := filepath.Join(folder, "."+name)
	if err := backup.Snapshot(ctx, db, partial); err != nil {
		return fmt.Errorf("the schema is not changed, for there is no copy to go back to: %w", err)
	}
	if err := backup.Sync(partial); err != nil {
		return errors.Join(err, os.Remove(partial))
	}
	to := filepath.Join(folder, name)
	if err := os.Rename(partial, to); err != nil {
		return err
	}
	if err := backup.Sync(folder); err != nil {
		return err
	}
	d.note("the schema changes from %d to %d; what the store held before is in %s: remove it when all is well", have, originsql.LatestSchema(), to)
	return nil
}

// LastBackupFile records the last backup, for the doctor.
const LastBackupFile = "last-backup.json"

// DemoFile tells programs what the demo holds.
const DemoFile = "demo.json"

// openCurrent is OpenPlain for a store that has the schema of this program.
func openCurrent(ctx context.Context, path string) (*sql.DB, error) {
	db, err := OpenPlain(path)
	if err != nil {
		return nil, err
	}
	have, err := originsql.SchemaVersion(ctx, db)
	if err == nil && have != originsql.LatestSchema() {
		err = fmt.Errorf("%q has schema %d, this program %d", path, have, originsql.LatestSchema())
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// LastBackup is what is recorded about the last backup.
type LastBackup struct {
	ID string `json:"id"`
	At string `json:"at"`
	To string `json:"to"`
}

// RecordBackup records the last backup.
func (d *Dir) RecordBackup(last LastBackup) error {
	note, err := json.Marshal(last)
	if err != nil {
		return err
	}
	return WriteFile(d.File(LastBackupFile), append(note, '\n'), PrivateFile)
}

// ReadLastBackup returns what the last backup recorded, or fs.ErrNotExist if
// there was none.
func (d *Dir) ReadLastBackup() (last LastBackup, err error) {
	data, err := os.ReadFile(d.File(LastBackupFile))
	if err != nil {
		return last, err
	}
	err = json.Unmarshal(data, &last)
	return last, err
}

// CheckFolder reads the settings, the keys and the secret of this folder as a
// service would, and returns the public keys of the ledger.
func (d *Dir) CheckFolder() ([]record.Key, error) {
	if _, err := d.ReadSettings(); err != nil {
		return nil, err
	}
	if _, err := d.ReadKeys(KeysFolder); err != nil {
		return nil, err
	}
	if _, err := os.Stat(d.File(SecretFile)); err == nil {
		if _, err := d.LoadSecret(); err != nil {
			return nil, err
		}
	}
	files, err := d.ReadKeys(LedgerKeysFolder)
	if err != nil {
		return nil, err
	}
	return publicKeys(files)
}
