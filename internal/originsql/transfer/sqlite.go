package transfer

import (
	"context"
	"database/sql"

	"colophon/internal/originsql"
	"colophon/internal/originsql/tables"
)

func readRows(ctx context.Context, db tables.Querier, query string, args []any) ([][]any, error) {
	found, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return originsql.ReadCells(found)
}

// sqliteSource reads a SQLite database within one transaction.
type sqliteSource struct{ tx *sql.Tx }

// FromSQLite returns the store in a SQLite database as it is now.
func FromSQLite(ctx context.Context, db *sql.DB) (Source, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	return sqliteSource{tx}, nil
}

func (s sqliteSource) Read(ctx context.Context, query string, args []any) ([][]any, error) {
	return readRows(ctx, s.tx, query, args)
}

func (s sqliteSource) Settled() bool { return true }
func (s sqliteSource) Close() error  { return s.tx.Rollback() }

// sqliteTarget writes a SQLite database in one transaction.
type sqliteTarget struct {
	*sql.DB
	tables []tables.Table
	load   *tables.Load // nil before Begin
}

// ToSQLite returns a SQLite database with the schema of the store.
func ToSQLite(db *sql.DB, list []tables.Table) Target { return &sqliteTarget{DB: db, tables: list} }

func (t *sqliteTarget) Begin(ctx context.Context) (err error) {
	t.load, err = tables.BeginLoad(ctx, t.DB, t.tables)
	return err
}

func (t *sqliteTarget) Read(ctx context.Context, query string, args []any) ([][]any, error) {
	if t.load == nil {
		return readRows(ctx, t.DB, query, args)
	}
	return readRows(ctx, t.load, query, args)
}

func (t *sqliteTarget) Insert(ctx context.Context, table *tables.Table, rows [][]any) error {
	return t.load.Insert(ctx, table, rows)
}

func (t *sqliteTarget) Commit(ctx context.Context) error { return t.load.Commit(ctx) }

func (t *sqliteTarget) Close() error {
	if t.load != nil {
		t.load.Rollback()
	}
	return nil
}
