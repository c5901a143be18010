package registrydir

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/originsql/postgres"
	"colophon/internal/originsql/tables"
	"colophon/internal/originsql/transfer"
	"colophon/internal/usage"
)

// CopyRegistry copies what commands change or need: the settings, the keys and the brand in --dir,
// as far as they are there, and the store, wherever it is.
func (d *Dir) CopyRegistry(ctx context.Context, to string, progress func(rows int64)) error {
	for _, name := range []string{SettingsFile, KeysFolder, LedgerKeysFolder, brandFolder} {
		if err := CopyTree(d.File(name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	if d.IsRemote() {
		return d.copyRemote(ctx, filepath.Join(to, OriginFile), progress)
	}
	return copyStore(ctx, d.File(OriginFile), filepath.Join(to, OriginFile))
}

// copyRemote copies the store in D1 or Postgres into a file. Texts that are in
// an object store stay there.
func (d *Dir) copyRemote(ctx context.Context, to string, progress func(rows int64)) error {
	schema, err := ReadSchema(ctx)
	if err != nil {
		return err
	}
	source, closeSource, err := d.OpenCopySource(ctx)
	if err != nil {
		return err
	}
	defer closeSource()
	target, closeTarget, err := d.openFileTarget(ctx, to, schema, false)
	if err != nil {
		return err
	}
	_, err = transfer.Copy(ctx, source, target, transfer.Options{Tables: schema.Tables, WithoutTexts: true, Progress: progress})
	if err := errors.Join(err, closeTarget(err == nil)); err != nil {
		return fmt.Errorf("cannot copy %s: %w", d.OriginName(), err)
	}
	return nil
}

// CopyTree copies a file or a folder with its modes, if it is there.
func CopyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == from {
			return nil
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, info.Mode().Perm())
	})
}

// sqlitePrefix begins a target that is a file.
const sqlitePrefix = "sqlite:"

// schema is that of this program, as SQLite has it.
type schema struct {
	Tables   []tables.Table
	triggers []string
}

func ReadSchema(ctx context.Context) (s schema, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return s, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have its own database
	if err := originsql.Migrate(ctx, db); err != nil {
		return s, err
	}
	if s.Tables, err = tables.Of(ctx, db); err != nil {
		return s, err
	}
	s.triggers, err = tables.Triggers(ctx, db)
	return s, err
}

// OpenCopySource opens the origin as a source.
func (d *Dir) OpenCopySource(ctx context.Context) (transfer.Source, func(), error) {
	switch {
	case d.Origin != "":
		db, err := d.connectPostgres(ctx)
		if err != nil {
			return nil, nil, err
		}
		source, err := transfer.FromPostgres(ctx, db)
		return closing(source, err, db.Close)
	case d.D1 != "":
		db, err := d.d1Database(ctx)
		if err != nil {
			return nil, nil, err
		}
		return closing(transfer.FromD1(db), nil, func() {})
	}
	if _, err := os.Stat(d.File(OriginFile)); err != nil {
		return nil, nil, fmt.Errorf("there is no origin store in %q", d.Path)
	}
	store, done, err := d.openChecked(ctx, d.File(OriginFile))
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
	closeBoth := func() {
		_ = source.Close()
		done()
	}
	return source, closeBoth, nil
}

// OpenCopyTarget opens a database as a target. The argument of the returned
// function says whether to keep the target.
func (d *Dir) OpenCopyTarget(ctx context.Context, to string, s schema, dryRun bool) (transfer.Target, func(keep bool) error, error) {
	if path, ok := strings.CutPrefix(to, sqlitePrefix); ok {
		return d.openFileTarget(ctx, path, s, dryRun)
	}
	if name, ok := strings.CutPrefix(to, d1Prefix); ok {
		if name == d.D1 {
			return nil, nil, usage.Errorf("the origin and --to are the same database")
		}
		return d.openD1Target(ctx, name, s)
	}
	if !postgres.IsAddress(to) {
		return nil, nil, usage.Errorf("--to %q is none of postgres://…, sqlite:… and d1:…", to)
	}
	if to == d.Origin {
		return nil, nil, usage.Errorf("the origin and --to are the same database")
	}
	return openPostgresTarget(ctx, to, s, dryRun)
}

// openFileTarget opens a file, which is made, and removed again unless it is kept.
func (d *Dir) openFileTarget(ctx context.Context, path string, s schema, dryRun bool) (transfer.Target, func(keep bool) error, error) {
	_, err := os.Stat(path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew && dryRun {
		path = ":memory:"
	}
	if here, err := os.Stat(d.File(OriginFile)); err == nil && !d.IsRemote() {
		if there, err := os.Stat(path); err == nil && os.SameFile(here, there) {
			return nil, nil, usage.Errorf("the origin and --to are the same file")
		}
	}
	if path == ":memory:" {
		return memoryTarget(ctx, s)
	}
	if dryRun {
		return openPlainTarget(ctx, path, s)
	}
	store, done, err := d.OpenDatabase(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	target := transfer.ToSQLite(store.DB(), s.Tables)
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
	db, err := openCurrent(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	return transfer.ToSQLite(db, s.Tables), func(bool) error { return db.Close() }, nil
}

// memoryTarget returns an empty target for a dry run.
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
	return transfer.ToSQLite(db, s.Tables), func(bool) error { return db.Close() }, nil
}

// openD1Target opens a D1 database whose schema is current, or in which a copy
// broke off.
func (d *Dir) openD1Target(ctx context.Context, name string, s schema) (transfer.Target, func(keep bool) error, error) {
	db, unfinished, err := d.d1CopyTarget(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	target := transfer.ToD1(db, s.Tables, s.triggers)
	if unfinished {
		d.note("the copy that broke off is begun again")
		target = transfer.Emptied(target)
	}
	return target, func(bool) error { return target.Close() }, nil
}

func openPostgresTarget(ctx context.Context, to string, s schema, dryRun bool) (transfer.Target, func(keep bool) error, error) {
	db, err := postgres.Open(ctx, to)
	if err != nil {
		return nil, nil, usage.Wrap(err)
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
	target, err := transfer.ToPostgres(ctx, db, s.Tables)
	if err != nil {
		return fail(err)
	}
	return target, func(bool) error {
		err := target.Close()
		db.Close()
		return err
	}, nil
}
