// Package originsql stores the records of internal/origin in SQLite or D1,
// through the drivers of database/sql. It imports no driver: the command line
// brings an embedded SQLite, the worker brings D1. Both run the same
// statements, so these use only what both support: numbered parameters, one
// statement for each write, no transaction, text and 53-bit integers only.
//
// Errors of all methods of Store are made by Wrap: that of a context that
// ended, or origin.ErrUnavailable together with the kind of trouble if the
// storage fails. A method that writes can also return origin.ErrConflict. A
// list without rows is not an error; a method that returns origin.ErrNotFound
// for a missing row says so.
package originsql

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"strconv"

	"colophon/internal/origin"
)

// Migrations holds the numbered schema files, as wrangler applies them too.
//
//go:embed migrations/*.sql
var Migrations embed.FS

var _ origin.Catalog = (*Store)(nil)

// Migrate applies the numbered files that the database lacks, each once. It is
// for SQLite; D1 is migrated by wrangler from the same files.
func Migrate(ctx context.Context, db *sql.DB) error {
	have, err := SchemaVersion(ctx, db)
	if err != nil {
		return err
	}
	names, err := migrationNames()
	if err != nil {
		return err
	}
	if have > len(names) {
		return errors.New("the origin store has schema " + strconv.Itoa(have) + ", newer than this program's " + strconv.Itoa(len(names)))
	}
	for i := have; i < len(names); i++ {
		if err := applyMigration(ctx, db, names[i], i+1); err != nil {
			return err
		}
		if names[i] == "0003_delivery.sql" {
			if err := addDigests(ctx, db); err != nil {
				return err
			}
		}
	}
	return nil
}

// SchemaVersion returns the number of the last migration that a SQLite database
// has, 0 for an empty one.
func SchemaVersion(ctx context.Context, db *sql.DB) (int, error) {
	var have int
	err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have)
	return have, Wrap("read the schema version", err)
}

// LatestSchema returns the schema version of this program.
func LatestSchema() int {
	names, err := migrationNames()
	if err != nil {
		return 0 // the files are embedded: it cannot fail
	}
	return len(names)
}

// migrationNames returns the names of the schema files in their order.
func migrationNames() ([]string, error) {
	entries, err := Migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, nil
}

func applyMigration(ctx context.Context, db *sql.DB, name string, version int) error {
	text, err := Migrations.ReadFile("migrations/" + name)
	if err != nil {
		return err
	}
	script := "BEGIN;\n" + string(text) + "\nPRAGMA user_version = " + strconv.Itoa(version) + ";\nCOMMIT;"
	conn, err := db.Conn(ctx)
	if err != nil {
		return Wrap("open the database", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, script); err != nil {
		conn.ExecContext(ctx, "ROLLBACK") //nolint:errcheck // the first error is the one to report
		return Wrap("apply "+name, err)
	}
	return nil
}
