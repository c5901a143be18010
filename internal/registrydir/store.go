package registrydir

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	_ "modernc.org/sqlite" // the embedded origin

	"colophon/internal/backup"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/replica"
	"colophon/internal/usage"
)

const OriginFile = "origin.db"

// OpenStore opens the origin: the one in Postgres or D1 that --origin
// names, or the embedded one, which must exist.
func (d *Dir) OpenStore(ctx context.Context) (*originsql.Store, func(), error) {
	if d.Origin != "" {
		return d.openPostgres(ctx)
	}
	if d.D1 != "" {
		store, err := d.openD1(ctx)
		return store, func() {}, err
	}
	return d.OpenFile(ctx)
}

// OpenToRead opens the embedded origin for looking things up on the side: it changes
// nothing, and refuses a store with another schema.
func (d *Dir) OpenToRead(ctx context.Context) (*originsql.Store, func(), error) {
	db, err := openCurrent(ctx, d.File(OriginFile))
	if err != nil {
		return nil, nil, err
	}
	return originsql.New(db), func() { db.Close() }, nil
}

// OpenFile opens the embedded origin.
func (d *Dir) OpenFile(ctx context.Context) (*originsql.Store, func(), error) {
	if d.IsRemote() {
		return nil, nil, usage.Errorf("this works on the store in --dir only: leave --origin out, and $COLOPHON_ORIGIN unset")
	}
	path := d.File(OriginFile)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no origin store in %q; make one with \"colophon init --dir %s\"", d.Path, d.Path)
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, fmt.Errorf("%q is a folder, not an origin store", path)
	}
	if d.DryRun && d.CopyOf == "" {
		return d.openCopy(ctx, path)
	}
	return d.OpenDatabase(ctx, path)
}

// OpenDatabase opens the database at path, creating it if it does not exist. It
// first reads the whole database if that is due: see local.Opening.
func (d *Dir) OpenDatabase(ctx context.Context, path string) (*originsql.Store, func(), error) {
	return d.openDatabaseFor(ctx, path, false)
}

// openChecked is openDatabase; the database is read whole before in any case.
func (d *Dir) openChecked(ctx context.Context, path string) (*originsql.Store, func(), error) {
	return d.openDatabaseFor(ctx, path, true)
}

func (d *Dir) openDatabaseFor(ctx context.Context, path string, always bool) (*originsql.Store, func(), error) {
	if err := createPrivate(path); err != nil {
		return nil, nil, err
	}
	d.makePrivate()

	opening := local.BeginOpening(path, time.Now())
	if always {
		opening.RequireCheck()
	}
	db, err := sql.Open("sqlite", local.Address(path))
	if err != nil {
		opening.Close()
		return nil, nil, err
	}
	db.SetMaxIdleConns(8) // opening one costs more than most statements
	done := func() {
		db.Close()
		opening.Close()
	}
	if err := d.prepareDatabase(ctx, db, path, opening); err != nil {
		done()
		return nil, nil, err
	}
	return originsql.New(db), done, nil
}

// prepareDatabase checks a database if that is due or its schema has to change,
// and updates its schema.
func (d *Dir) prepareDatabase(ctx context.Context, db *sql.DB, path string, opening *local.Opening) error {
	err := checkOpened(ctx, db, opening)
	if err == nil {
		err = d.copyBeforeMigration(ctx, db, path)
	}
	if err == nil {
		err = originsql.Migrate(ctx, db)
	}
	if err != nil {
		return fmt.Errorf("the origin store %q: %w", path, err)
	}
	return nil
}

// checkOpened reads all pages of a database where that is due.
func checkOpened(ctx context.Context, db *sql.DB, opening *local.Opening) error {
	if !opening.CheckDue() {
		have, err := originsql.SchemaVersion(ctx, db)
		if err == nil && have == originsql.LatestSchema() {
			return nil
		}
		opening.RequireCheck()
	}
	return opening.Check(func() error { return backup.CheckPages(ctx, db) })
}

// OpenForBuild opens the origin for a command that reads nearly all of it: one
// in D1 by a working copy. Changes may be lost unless done succeeds.
func (d *Dir) OpenForBuild(ctx context.Context) (store *originsql.Store, done func() error, err error) {
	if d.D1 == "" {
		store, stop, err := d.OpenStore(ctx)
		return store, func() error { stop(); return nil }, err
	}
	database, err := d.d1Database(ctx)
	if err != nil {
		return nil, nil, err
	}
	copied, err := replica.Open(ctx, database)
	if err != nil {
		return nil, nil, err
	}
	return copied.Store(), func() error { return copied.Close(context.WithoutCancel(ctx)) }, nil
}

// CreateOrigin creates the origin, or migrates the database that holds it, and
// stores its address in the settings unless that contains a password.
func (d *Dir) CreateOrigin(ctx context.Context, s *Settings) error {
	if d.IsRemote() {
		_, done, err := d.OpenStore(ctx)
		if err != nil {
			return err
		}
		done()
		s.Origin = d.Origin
		if d.D1 != "" {
			s.Origin = d1Prefix + d.D1
		}
		if HasPassword(s.Origin) {
			s.Origin = ""
			d.note("the address holds a password and is not written down: set $COLOPHON_ORIGIN for the commands to come")
		}
		return nil
	}
	_, done, err := d.OpenDatabase(ctx, d.File(OriginFile))
	if err != nil {
		return err
	}
	done()
	return nil
}

// WithStore opens the origin for one command.
func (d *Dir) WithStore(ctx context.Context, do func(store *originsql.Store) error) error {
	store, done, err := d.OpenStore(ctx)
	if err != nil {
		return err
	}
	defer done()
	return do(store)
}
