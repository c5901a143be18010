package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

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

func (e *env) openDatabase(ctx context.Context, path string) (*originsql.Store, func(), error) {
	if err := createPrivate(path); err != nil {
		return nil, nil, err
	}
	e.makePrivate()
	db, err := sql.Open("sqlite", local.Address(path))
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxIdleConns(8) // opening one costs more than most statements
	if err := e.prepareDatabase(ctx, db, path); err != nil {
		db.Close()
		return nil, nil, err
	}
	return originsql.New(db), func() { db.Close() }, nil
}

// prepareDatabase checks a database and brings its schema up to date.
func (e *env) prepareDatabase(ctx context.Context, db *sql.DB, path string) error {
	if err := checkDatabase(ctx, db); err != nil {
		return fmt.Errorf("the origin store %q: %w", path, err)
	}
	if err := e.copyBeforeMigration(ctx, db, path); err != nil {
		return fmt.Errorf("the origin store %q: %w", path, err)
	}
	if err := originsql.Migrate(ctx, db); err != nil {
		return fmt.Errorf("the origin store %q: %w", path, err)
	}
	return nil
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
