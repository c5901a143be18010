package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// OpenFunc opens an origin store as it is: without migrating or writing it.
type OpenFunc func(path string) (*sql.DB, error)

// CreateOptions says what goes into a backup.
type CreateOptions struct {
	Dir         string // the registry folder
	BaseURL     string
	ToolVersion string
	Recipients  []age.Recipient
	Open        OpenFunc
	Now         time.Time
}

// stagingPrefix names the folders in a registry in which snapshots are made.
const stagingPrefix = ".backup-"

var errKeysChange = errors.New("the keys or the settings keep changing while they are read; try again")

// Create makes a backup of a registry that may be in use, and returns its
// manifest. The snapshot of the origin needs room for a copy of it in the
// registry folder. A backup that fails or is killed is not listed by the
// repository.
func Create(ctx context.Context, to Repository, opt CreateOptions) (Manifest, error) {
	id, err := newID(opt.Now)
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{Format: Format, ID: id, CreatedAt: opt.Now.UTC().Format(time.RFC3339), ToolVersion: opt.ToolVersion, BaseURL: opt.BaseURL}

	removeLeftovers(opt.Dir, stagingPrefix)
	staging, err := os.MkdirTemp(opt.Dir, stagingPrefix)
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(staging)

	snapshot := filepath.Join(staging, DatabaseName)
	inputs, err := collectInputs(ctx, opt, snapshot)
	if err != nil {
		return m, err
	}
	if err := describeSnapshot(ctx, &m, opt.Open, snapshot); err != nil {
		return m, err
	}
	err = to.Put(ctx, id, func(w io.Writer) ([]byte, error) {
		written, err := writeArchive(w, inputs, m, opt.Recipients)
		m = written
		return m.encodeJSON(), err
	})
	return m, err
}

// leftoverAge is how old a folder must be that a killed program may have left.
const leftoverAge = 24 * time.Hour

// removeLeftovers removes what killed programs left in a folder under names that
// begin so.
func removeLeftovers(folder, prefix string) {
	left, _ := os.ReadDir(folder) // tried again the next time, like what follows
	for _, entry := range left {
		info, err := entry.Info()
		if err == nil && strings.HasPrefix(entry.Name(), prefix) && time.Since(info.ModTime()) > leftoverAge {
			_ = os.RemoveAll(filepath.Join(folder, entry.Name()))
		}
	}
}

// collectInputs takes a snapshot of the origin and reads the other files, such
// that they belong to the moment of the snapshot.
func collectInputs(ctx context.Context, opt CreateOptions, snapshot string) ([]input, error) {
	db, err := opt.Open(filepath.Join(opt.Dir, DatabaseName))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if err := CheckPages(ctx, db); err != nil {
		return nil, err
	}
	for range 5 {
		before, err := readFiles(opt.Dir)
		if err != nil {
			return nil, err
		}
		if err := Snapshot(ctx, db, snapshot); err != nil {
			return nil, err
		}
		after, err := readFiles(opt.Dir)
		if err != nil {
			return nil, err
		}
		if slices.EqualFunc(before, after, sameInput) {
			return append(after, input{path: DatabaseName, from: snapshot}), nil
		}
		if err := os.Remove(snapshot); err != nil {
			return nil, err
		}
	}
	return nil, errKeysChange
}

func sameInput(a, b input) bool { return a.path == b.path && string(a.data) == string(b.data) }

// Snapshot writes a consistent copy of a database that may be in use to a new
// file, readable by its owner only. Writers are not held up. Pages that were
// freed are not in the copy.
func Snapshot(ctx context.Context, db *sql.DB, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // VACUUM accepts an empty file
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?1", path); err != nil {
		return errors.Join(originsql.Wrap("copy the database", err), os.Remove(path))
	}
	return nil
}

// readFiles reads the files of a registry besides the origin, sorted by path.
func readFiles(dir string) ([]input, error) {
	var out []input
	for _, name := range plainFiles {
		if name == DatabaseName {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a service that was never started has no secret yet
		}
		if err != nil {
			return nil, err
		}
		out = append(out, input{path: name, data: data})
	}
	for _, name := range fileFolders {
		list, err := readFolder(dir, name)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

func readFolder(dir, name string) ([]input, error) {
	entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []input
	for _, entry := range entries {
		if !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name), entry.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // renamed in between, so the second reading differs
		}
		if err != nil {
			return nil, err
		}
		out = append(out, input{path: name + "/" + entry.Name(), data: data})
	}
	return out, nil
}

// describeSnapshot reads what the manifest says about the snapshot. It refuses a
// damaged one, because older backups are then better and must not make room for it.
func describeSnapshot(ctx context.Context, m *Manifest, open OpenFunc, snapshot string) error {
	db, err := open(snapshot)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := CheckPages(ctx, db); err != nil {
		return err
	}
	if m.SchemaVersion, err = originsql.SchemaVersion(ctx, db); err != nil {
		return err
	}
	if m.SchemaVersion == 0 {
		return errors.New("the origin store has no schema")
	}
	if m.Changes, m.LatestChange, err = originsql.New(db).Changes(ctx); err != nil {
		return err
	}
	m.Ledger, err = readHead(ctx, db)
	return err
}

// CheckPages reads all pages of a database. It returns an originsql.ErrDamaged,
// which is also an origin.ErrUnavailable, if one is broken.
func CheckPages(ctx context.Context, db *sql.DB) error {
	var verdict string
	err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict)
	if err != nil {
		return originsql.Wrap("check the database", err)
	}
	if verdict != "ok" {
		found := strings.Join(strings.Fields(verdict), " ") // one line
		return originsql.Wrap("use the database", fmt.Errorf("%w: %s", originsql.ErrDamaged, found))
	}
	return nil
}

// damageOf says that a database is damaged because reading it failed with an
// error, unless that error is of a disk that is full or fails: this says
// nothing about the database, and is an origin.ErrUnavailable.
func damageOf(damaged, err error) error {
	kind := originsql.Wrap("read the database", err)
	if errors.Is(kind, origin.ErrUnavailable) && !errors.Is(kind, originsql.ErrDamaged) {
		return kind
	}
	return fmt.Errorf("%w: %w", damaged, err)
}

// Prune removes all but the newest backups and returns the ids of those it
// removed.
func Prune(ctx context.Context, repo Repository, keep int) ([]string, error) {
	ids, err := repo.List(ctx)
	if err != nil || len(ids) <= keep {
		return nil, err
	}
	old := ids[:len(ids)-keep]
	for i, id := range old {
		if err := repo.Remove(ctx, id); err != nil {
			return old[:i], err
		}
	}
	return old, nil
}
