package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the embedded origin

	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
)

const originFile = "origin.db"

// openStore opens the origin: the one in Postgres or D1 that --origin or --d1
// names, or the embedded one, which must exist.
func (e *env) openStore(ctx context.Context) (*originsql.Store, func(), error) {
	if e.origin != "" {
		return e.openPostgres(ctx)
	}
	if e.d1 != "" {
		store, err := e.openD1(ctx)
		return store, func() {}, err
	}
	return e.openFile(ctx)
}

// openFile opens the embedded origin.
func (e *env) openFile(ctx context.Context) (*originsql.Store, func(), error) {
	if e.isRemote() {
		return nil, nil, usage("this works on the store in --dir only: leave --origin and --d1 out, and $COLOPHON_ORIGIN and $COLOPHON_D1 unset")
	}
	path := e.registryPath(originFile)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no origin store in %q; make one with \"colophon init --dir %s\"", e.dir, e.dir)
	case err != nil:
		return nil, nil, err
	case info.IsDir():
		return nil, nil, fmt.Errorf("%q is a folder, not an origin store", path)
	}
	if e.dryRun && e.copyOf == "" {
		return e.openCopy(ctx, path)
	}
	return e.openDatabase(ctx, path)
}

// openDatabase opens the database at path, which is made where it is not there.
// It is read whole before when that is due: see local.Opening.
func (e *env) openDatabase(ctx context.Context, path string) (*originsql.Store, func(), error) {
	return e.openDatabaseFor(ctx, path, false)
}

// openChecked is openDatabase; the database is read whole before in any case.
func (e *env) openChecked(ctx context.Context, path string) (*originsql.Store, func(), error) {
	return e.openDatabaseFor(ctx, path, true)
}

func (e *env) openDatabaseFor(ctx context.Context, path string, always bool) (*originsql.Store, func(), error) {
	if err := createPrivate(path); err != nil {
		return nil, nil, err
	}
	e.makePrivate()

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
	if err := e.prepareDatabase(ctx, db, path, opening); err != nil {
		done()
		return nil, nil, err
	}
	return originsql.New(db), done, nil
}

// prepareDatabase checks a database when that is due or its schema is to change,
// and brings its schema up to date.
func (e *env) prepareDatabase(ctx context.Context, db *sql.DB, path string, opening *local.Opening) error {
	err := checkOpened(ctx, db, opening)
	if err == nil {
		err = e.copyBeforeMigration(ctx, db, path)
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
	return opening.Check(func() error { return checkDatabase(ctx, db) })
}

// checkDatabase reads all pages of a database. What is found broken is an
// originsql.ErrDamaged, and so an origin.ErrUnavailable.
func checkDatabase(ctx context.Context, db *sql.DB) error {
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
