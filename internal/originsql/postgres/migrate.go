package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"colophon/internal/originsql"
)

var (
	// ErrSchema is returned if the schema is not that of this program.
	ErrSchema = errors.New("the schema of the origin store is not that of this program")
	// ErrEmpty is an ErrSchema for a database without a schema.
	ErrEmpty = fmt.Errorf("%w: it is empty", ErrSchema)
)

const createMigrations = `CREATE TABLE IF NOT EXISTS schema_migrations (
	name       TEXT COLLATE "C" PRIMARY KEY,
	applied_at TIMESTAMPTZ NOT NULL DEFAULT now()
)`

// migrationNames lists the migrations of this program in their order.
func migrationNames() ([]string, error) {
	entries, err := originsql.Migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	slices.Sort(names)
	return names, nil
}

// Migrate applies the migrations that the database lacks, all or none. Programs
// that start at the same time wait for each other.
func (d *Database) Migrate(ctx context.Context) error {
	if d.CheckSchema(ctx) == nil {
		return nil
	}
	err := pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+migrationLock+")"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, createMigrations); err != nil {
			return err
		}
		missing, err := missingMigrations(ctx, tx)
		if err != nil {
			return err
		}
		for _, name := range missing {
			if err := applyMigration(ctx, tx, name); err != nil {
				return fmt.Errorf("apply %s: %w", name, err)
			}
		}
		return nil
	})
	return explainError(err)
}

func applyMigration(ctx context.Context, tx pgx.Tx, name string) error {
	text, err := originsql.Migrations.ReadFile("migrations/" + name)
	if err != nil {
		return err
	}
	for _, s := range Statements(name, string(text)) {
		if _, err := tx.Exec(ctx, s); err != nil {
			return fmt.Errorf("%w in %.120q", err, s)
		}
	}
	_, err = tx.Exec(ctx, "INSERT INTO schema_migrations (name) VALUES ($1)", name)
	return err
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// missingMigrations returns the migrations that the database lacks. It returns
// ErrSchema if the database has others than this program.
func missingMigrations(ctx context.Context, db querier) ([]string, error) {
	names, err := migrationNames()
	if err != nil {
		return nil, err
	}
	found, err := db.Query(ctx, "SELECT name FROM schema_migrations ORDER BY name")
	if err != nil {
		return nil, err
	}
	have, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	if len(have) > len(names) || !slices.Equal(have, names[:len(have)]) {
		return nil, fmt.Errorf("%w: it has %q", ErrSchema, have[len(have)-1])
	}
	return names[len(have):], nil
}

// CheckSchema returns ErrSchema unless the schema is that of this program.
func (d *Database) CheckSchema(ctx context.Context) error {
	var exists bool
	if err := d.pool.QueryRow(ctx, "SELECT to_regclass('schema_migrations') IS NOT NULL").Scan(&exists); err != nil {
		return explainError(err)
	}
	if !exists {
		return ErrEmpty
	}
	missing, err := missingMigrations(ctx, d.pool)
	if err != nil {
		return explainError(err)
	}
	if len(missing) > 0 {
		return fmt.Errorf("%w: it lacks %s", ErrSchema, missing[0])
	}
	return nil
}
