package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/postgres"
	"colophon/internal/originsql/tables"
	"colophon/internal/originsql/transfer"
)

// sqlitePrefix begins a target that is a file.
const sqlitePrefix = "sqlite:"

func originCopyCommand(e *env) *cobra.Command {
	var to string
	var opt transfer.Options
	cmd := &cobra.Command{
		Use: "copy", Short: "Copy the origin store into another database", Args: exactArgs(),
		Long: "Copy writes everything in the origin, private columns and all, into a database of SQLite, Postgres or D1. What arrived is read back and compared, by the number of rows and a digest of each table.\n" +
			"A file or Postgres then holds all of it or nothing; a copy into D1 that broke off is marked, refused by all commands, and begun again by the next copy. Run it while nothing writes to the origin.\n\n" +
			"The target has the schema of this program: a file and Postgres get it, D1 by \"wrangler d1 migrations apply\". Keys, secret, settings and published files stay where they are.",
		Example: "  colophon origin copy --to postgres://colophon@db.example/colophon\n" +
			"  colophon origin copy --origin postgres://colophon@db.example/colophon --to sqlite:registry/origin.db\n" +
			"  colophon origin copy --to d1:ACCOUNT_ID/DATABASE_ID --dry-run",
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt.DryRun = e.dryRun
			return e.copyOrigin(cmd.Context(), to, opt)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "target: postgres://user@host/database, sqlite:FILE or d1:ACCOUNT_ID/DATABASE_ID")
	cmd.Flags().BoolVar(&opt.Replace, "replace", false, "delete what the target holds")
	cmd.Flags().BoolVar(&opt.WithoutTexts, "without-texts", false, "copy although texts are in an object store, and stay there")
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "only read the origin and look whether the target is empty")
	return cmd
}

func (e *env) copyOrigin(ctx context.Context, to string, opt transfer.Options) error {
	if to == "" {
		return usage("--to is missing: postgres://user@host/database, sqlite:FILE or d1:ACCOUNT_ID/DATABASE_ID")
	}
	schema, err := readSchema(ctx)
	if err != nil {
		return err
	}
	opt.Tables = schema.tables

	source, closeSource, err := e.openCopySource(ctx)
	if err != nil {
		return err
	}
	defer closeSource()
	target, closeTarget, err := e.openCopyTarget(ctx, to, schema, opt.DryRun)
	if err != nil {
		return err
	}
	p := e.newProgress()
	opt.Progress = func(rows int64) { p.showProgress(rows, rows, "rows") }
	results, err := transfer.Copy(ctx, source, target, opt)
	p.clearLine()
	closeErr := closeTarget(err == nil && !opt.DryRun)
	switch {
	case errors.Is(err, transfer.ErrNotEmpty):
		return fmt.Errorf("%w; --replace deletes them", err)
	case errors.Is(err, transfer.ErrTextsElsewhere):
		return fmt.Errorf("%w; --without-texts copies the rest", err)
	case err != nil:
		return fmt.Errorf("cannot copy the origin: %w", err)
	case closeErr != nil:
		return closeErr
	}
	return e.tellCopy(results)
}

func (e *env) tellCopy(results []transfer.Result) error {
	total := int64(0)
	for _, r := range results {
		total += r.Rows
	}
	return e.printResult(map[string]any{"rows": total, "tables": results}, func(w io.Writer) {
		for _, r := range results {
			if r.Rows > 0 {
				fmt.Fprintf(w, "%-20s %8d rows  %.16s\n", r.Table, r.Rows, r.Digest)
			}
		}
		verb := "copied and compared"
		if e.dryRun {
			verb = "would copy"
		}
		fmt.Fprintf(w, "%s %d rows of %d tables\n", verb, total, len(results))
	})
}

// schema is that of this program, as SQLite has it.
type schema struct {
	tables   []tables.Table
	triggers []string
}

func readSchema(ctx context.Context) (s schema, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return s, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a database of its own
	if err := originsql.Migrate(ctx, db); err != nil {
		return s, err
	}
	if s.tables, err = tables.Of(ctx, db); err != nil {
		return s, err
	}
	s.triggers, err = tables.Triggers(ctx, db)
	return s, err
}

// openCopySource opens the origin as a source.
func (e *env) openCopySource(ctx context.Context) (transfer.Source, func(), error) {
	switch {
	case e.origin != "":
		db, err := e.connectPostgres(ctx)
		if err != nil {
			return nil, nil, err
		}
		source, err := transfer.FromPostgres(ctx, db)
		return closing(source, err, db.Close)
	case e.d1 != "":
		db, err := e.d1Database(ctx)
		if err != nil {
			return nil, nil, err
		}
		return closing(transfer.FromD1(db), nil, func() {})
	}
	if _, err := os.Stat(e.registryPath(originFile)); err != nil {
		return nil, nil, fmt.Errorf("there is no origin store in %q", e.dir)
	}
	store, done, err := e.openChecked(ctx, e.registryPath(originFile))
	if err != nil {
		return nil, nil, err
	}
	source, err := transfer.FromSQLite(ctx, store.DB())
	return closing(source, err, done)
}

func closing(source transfer.Source, err error, done func()) (transfer.Source, func(), error) {
	if err != nil {
		done()
		return nil, nil, err
	}
	return source, func() {
		_ = source.Close()
		done()
	}, nil
}

// openCopyTarget opens a database as a target. What the returned function is
// told is whether the target is to be kept.
func (e *env) openCopyTarget(ctx context.Context, to string, s schema, dryRun bool) (transfer.Target, func(keep bool) error, error) {
	if path, ok := strings.CutPrefix(to, sqlitePrefix); ok {
		return e.openFileTarget(ctx, path, s, dryRun)
	}
	if name, ok := strings.CutPrefix(to, d1Prefix); ok {
		if name == e.d1 {
			return nil, nil, usage("the origin and --to are the same database")
		}
		return e.openD1Target(ctx, name, s)
	}
	if !postgres.IsAddress(to) {
		return nil, nil, usage("--to %q is none of postgres://…, sqlite:… and d1:…", to)
	}
	if to == e.origin {
		return nil, nil, usage("the origin and --to are the same database")
	}
	return openPostgresTarget(ctx, to, s, dryRun)
}

// openFileTarget opens a file, which is made, and removed again unless it is kept.
func (e *env) openFileTarget(ctx context.Context, path string, s schema, dryRun bool) (transfer.Target, func(keep bool) error, error) {
	_, err := os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew && dryRun {
		path = ":memory:"
	}
	if here, err := os.Stat(e.registryPath(originFile)); err == nil && !e.isRemote() {
		if there, err := os.Stat(path); err == nil && os.SameFile(here, there) {
			return nil, nil, usage("the origin and --to are the same file")
		}
	}
	if path == ":memory:" {
		return memoryTarget(ctx, s)
	}
	if dryRun {
		return openPlainTarget(ctx, path, s)
	}
	store, done, err := e.openDatabase(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	target := transfer.ToSQLite(store.DB(), s.tables)
	return target, func(keep bool) error {
		err := target.Close()
		done()
		if isNew && !keep {
			for _, suffix := range []string{"", "-wal", "-shm", local.NoteSuffix} {
				_ = os.Remove(path + suffix)
			}
		}
		return err
	}, nil
}

// openPlainTarget opens a file that is not written to.
func openPlainTarget(ctx context.Context, path string, s schema) (transfer.Target, func(keep bool) error, error) {
	db, err := openPlain(path)
	if err != nil {
		return nil, nil, err
	}
	have, err := originsql.SchemaVersion(ctx, db)
	if err == nil && have != originsql.LatestSchema() {
		err = fmt.Errorf("%q has schema %d, this program %d", path, have, originsql.LatestSchema())
	}
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	return transfer.ToSQLite(db, s.tables), func(bool) error { return db.Close() }, nil
}

// memoryTarget is an empty target for a dry run.
func memoryTarget(ctx context.Context, s schema) (transfer.Target, func(keep bool) error, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	if err := originsql.Migrate(ctx, db); err != nil {
		db.Close()
		return nil, nil, err
	}
	return transfer.ToSQLite(db, s.tables), func(bool) error { return db.Close() }, nil
}

// openD1Target opens a D1 database whose schema is current, or in which a copy
// broke off.
func (e *env) openD1Target(ctx context.Context, name string, s schema) (transfer.Target, func(keep bool) error, error) {
	db, unfinished, err := e.d1CopyTarget(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	target := transfer.ToD1(db, s.tables, s.triggers)
	if unfinished {
		e.printNote("the copy that broke off is begun again")
		target = transfer.Emptied(target)
	}
	return target, func(bool) error { return target.Close() }, nil
}

func openPostgresTarget(ctx context.Context, to string, s schema, dryRun bool) (transfer.Target, func(keep bool) error, error) {
	db, err := postgres.Open(ctx, to)
	if err != nil {
		return nil, nil, usageError{err}
	}
	fail := func(err error) (transfer.Target, func(keep bool) error, error) {
		db.Close()
		return nil, nil, fmt.Errorf("the target: %w", err)
	}
	if dryRun {
		err := db.CheckSchema(ctx)
		if errors.Is(err, postgres.ErrSchema) && !errors.Is(err, postgres.ErrEmpty) {
			return fail(err)
		}
		if errors.Is(err, postgres.ErrEmpty) {
			db.Close()
			return memoryTarget(ctx, s)
		}
		if err != nil {
			return fail(err)
		}
	} else if err := db.Migrate(ctx); err != nil {
		return fail(err)
	}
	target, err := transfer.ToPostgres(ctx, db, s.tables)
	if err != nil {
		return fail(err)
	}
	return target, func(bool) error {
		err := target.Close()
		db.Close()
		return err
	}, nil
}
