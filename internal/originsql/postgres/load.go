package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Snapshot reads the database as it was at one moment.
type Snapshot struct{ tx pgx.Tx }

// Snapshot begins a snapshot.
func (d *Database) Snapshot(ctx context.Context) (*Snapshot, error) {
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, explainError(err)
	}
	return &Snapshot{tx}, nil
}

// Read runs a statement that reads, with marks ?1, ?2, ….
func (s *Snapshot) Read(ctx context.Context, query string, args []any) ([][]any, error) {
	return readWithin(ctx, s.tx, query, args)
}

// Close ends the snapshot.
func (s *Snapshot) Close() error { return s.tx.Rollback(context.Background()) }

func readWithin(ctx context.Context, tx pgx.Tx, query string, args []any) ([][]any, error) {
	found, err := tx.Query(ctx, Translate(query), args...)
	if err != nil {
		return nil, explainError(err)
	}
	cells, err := readCells(found)
	return cells, explainError(err)
}

// Load replaces all rows in one transaction, without running triggers.
type Load struct {
	tx     pgx.Tx
	tables []string // whose triggers are off
}

// BeginLoad begins a load. Until it ends, no other program can write.
func (d *Database) BeginLoad(ctx context.Context) (*Load, error) {
	tx, err := d.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	if err != nil {
		return nil, explainError(err)
	}
	if _, err := tx.Exec(ctx, "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0"); err != nil {
		_ = tx.Rollback(ctx)
		return nil, explainError(err)
	}
	return &Load{tx: tx}, nil
}

// Read runs a statement that reads.
func (l *Load) Read(ctx context.Context, query string, args []any) ([][]any, error) {
	return readWithin(ctx, l.tx, query, args)
}

// Clear turns the triggers of tables off and deletes their rows, those of the
// last table first.
func (l *Load) Clear(ctx context.Context, names []string) error {
	l.tables = names
	if err := l.eachTable(ctx, "ALTER TABLE ", " DISABLE TRIGGER USER"); err != nil {
		return err
	}
	for _, name := range slices.Backward(names) {
		if _, err := l.tx.Exec(ctx, "DELETE FROM "+pgx.Identifier{name}.Sanitize()); err != nil {
			return explainError(err)
		}
	}
	return nil
}

func (l *Load) eachTable(ctx context.Context, before, after string) error {
	for _, name := range l.tables {
		if _, err := l.tx.Exec(ctx, before+pgx.Identifier{name}.Sanitize()+after); err != nil {
			return explainError(err)
		}
	}
	return nil
}

// Insert adds rows.
func (l *Load) Insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	_, err := l.tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	return explainError(err)
}

// Commit turns the triggers on and keeps what was inserted.
func (l *Load) Commit(ctx context.Context) error {
	if err := l.eachTable(ctx, "ALTER TABLE ", " ENABLE TRIGGER USER"); err != nil {
		return err
	}
	return explainError(l.tx.Commit(ctx))
}

// Close undoes all unless Commit succeeded.
func (l *Load) Close() error {
	_ = l.tx.Rollback(context.Background()) // after Commit it does nothing
	return nil
}
