package tables

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
)

// Load replaces rows of tables in a SQLite database in one transaction.
// Triggers are dropped meanwhile, because what they would add is among the
// rows.
type Load struct {
	tx       *sql.Tx
	triggers []string // statements that make them again
	inserts  map[string]*sql.Stmt
}

// BeginLoad begins a load, and deletes all rows of the tables.
func BeginLoad(ctx context.Context, db *sql.DB, list []Table) (*Load, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	l := &Load{tx: tx, inserts: map[string]*sql.Stmt{}}
	if err := l.beginLoad(ctx, list); err != nil {
		l.Rollback()
		return nil, err
	}
	return l, nil
}

func (l *Load) beginLoad(ctx context.Context, list []Table) error {
	// Pages of several tables alternate, so foreign keys are checked at the
	// end.
	if _, err := l.tx.ExecContext(ctx, "PRAGMA defer_foreign_keys = ON"); err != nil {
		return err
	}
	if err := l.dropTriggers(ctx); err != nil {
		return err
	}
	for _, t := range slices.Backward(list) {
		if _, err := l.tx.ExecContext(ctx, "DELETE FROM "+Quote(t.Name)); err != nil {
			return err
		}
	}
	return nil
}

func (l *Load) dropTriggers(ctx context.Context) (err error) {
	if l.triggers, err = Triggers(ctx, l.tx); err != nil {
		return err
	}
	drops := make([]string, len(l.triggers))
	for i, text := range l.triggers {
		drops[i] = "DROP TRIGGER " + Quote(TriggerName(text))
	}
	return l.execAll(ctx, drops)
}

func (l *Load) execAll(ctx context.Context, statements []string) error {
	for _, s := range statements {
		if _, err := l.tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Insert adds rows whose cells are as Normalize returns them.
func (l *Load) Insert(ctx context.Context, t *Table, rows [][]any) error {
	insert := l.inserts[t.Name]
	if insert == nil {
		marks := make([]string, len(t.Columns))
		for i := range marks {
			marks[i] = "?" + strconv.Itoa(i+1)
		}
		var err error
		query := "INSERT INTO " + Quote(t.Name) + " (" + t.List() + ") VALUES (" + strings.Join(marks, ", ") + ")"
		if insert, err = l.tx.PrepareContext(ctx, query); err != nil {
			return err
		}
		l.inserts[t.Name] = insert
	}
	for _, row := range rows {
		if _, err := insert.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return nil
}

// Commit creates the triggers again and ends the load.
func (l *Load) Commit(ctx context.Context) error {
	if err := l.execAll(ctx, l.triggers); err != nil {
		return err
	}
	return l.tx.Commit()
}

// Rollback leaves the database as it was. After Commit it does nothing.
func (l *Load) Rollback() { _ = l.tx.Rollback() }

// QueryContext reads from the database as the load has changed it so far.
func (l *Load) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return l.tx.QueryContext(ctx, query, args...)
}
