package transfer

import (
	"context"

	"colophon/internal/originsql/postgres"
	"colophon/internal/originsql/tables"
)

// postgresSource reads a Postgres database within one transaction.
type postgresSource struct{ *postgres.Snapshot }

// FromPostgres returns the store in a Postgres database as it is now.
func FromPostgres(ctx context.Context, db *postgres.Database) (Source, error) {
	snapshot, err := db.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	return postgresSource{snapshot}, nil
}

func (s postgresSource) Settled() bool { return true }

// postgresTarget writes a Postgres database in one transaction.
type postgresTarget struct {
	*postgres.Load
	tables []tables.Table
}

// ToPostgres returns a Postgres database with the schema of the store.
func ToPostgres(ctx context.Context, db *postgres.Database, list []tables.Table) (Target, error) {
	load, err := db.BeginLoad(ctx)
	if err != nil {
		return nil, err
	}
	return &postgresTarget{load, list}, nil
}

func (t *postgresTarget) Begin(ctx context.Context) error {
	names := make([]string, len(t.tables))
	for i, table := range t.tables {
		names[i] = table.Name
	}
	return t.Clear(ctx, names)
}

func (t *postgresTarget) Insert(ctx context.Context, table *tables.Table, rows [][]any) error {
	columns := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		columns[i] = c.Name
	}
	return t.Load.Insert(ctx, table.Name, columns, rows)
}
