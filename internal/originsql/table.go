package originsql

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"colophon/internal/wire"
)

// table knows the columns of one table, the first keys of which are its key.
type table struct {
	name string
	keys int
	cols []string
}

func (t table) columnList() string { return strings.Join(t.cols, ", ") }

func (t table) selectWhere(rest string) string {
	return "SELECT " + t.columnList() + " FROM " + t.name + " " + rest
}

func (t table) insertStatement() string {
	marks := make([]string, len(t.cols))
	for i := range marks {
		marks[i] = "?" + strconv.Itoa(i+1)
	}
	return "INSERT INTO " + t.name + " (" + t.columnList() + ") VALUES (" + strings.Join(marks, ", ") + ")"
}

// insertEachStatement adds many rows, which are given as one parameter: a JSON array of
// arrays.
func (t table) insertEachStatement() string {
	cells := make([]string, len(t.cols))
	for i, column := range t.cols {
		cells[i] = "value ->> " + strconv.Itoa(i)
		if column == "position" || column == "version" {
			cells[i] = "CAST(" + cells[i] + " AS BIGINT)"
		}
	}
	return "INSERT INTO " + t.name + " (" + t.columnList() + ") SELECT " + strings.Join(cells, ", ") + " FROM json_each(?1) ORDER BY key"
}

// upsertStatement adds a row or replaces what differs. A row that differs in nothing
// but changed_at is left alone, so that writing the same twice is no change.
func (t table) upsertStatement() string {
	var set, mine, theirs []string
	for _, c := range t.cols[t.keys:] {
		set = append(set, c+" = excluded."+c)
		if c != "changed_at" {
			mine = append(mine, t.name+"."+c)
			theirs = append(theirs, "excluded."+c)
		}
	}
	return t.insertStatement() + " ON CONFLICT (" + strings.Join(t.cols[:t.keys], ", ") + ") DO UPDATE SET " + strings.Join(set, ", ") +
		" WHERE (" + strings.Join(mine, ", ") + ") IS NOT (" + strings.Join(theirs, ", ") + ")"
}

func (s *Store) exec(ctx context.Context, what, query string, args ...any) error {
	return Wrap(what, s.db.exec(ctx, query, args))
}

// scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// queryOne runs a statement and returns its first row, origin.ErrNotFound when there
// is none. A statement that writes is done when, and only when, the error is
// nil.
func queryOne[T any](ctx context.Context, db database, what string, scan func(scanner) (T, error), query string, args ...any) (T, error) {
	var first T
	keep := func(row scanner) (err error) {
		first, err = scan(row)
		return err
	}
	n, err := readRows(ctx, db, keep, 1, query, args)
	if err == nil && n == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		var none T
		return none, Wrap(what, err)
	}
	return first, nil
}

// queryAll runs a statement and returns all of its rows. A statement that writes
// is done when, and only when, the error is nil.
func queryAll[T any](ctx context.Context, db database, what string, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	keep := func(row scanner) error {
		v, err := scan(row)
		if err == nil {
			list = append(list, v)
		}
		return err
	}
	if _, err := readRows(ctx, db, keep, -1, query, args); err != nil {
		return nil, Wrap(what, err)
	}
	return list, nil
}

// readRows runs a statement, gives its first limit rows to keep, all when limit
// is negative, and tells how many those were. It always reads to the end: SQLite
// commits "INSERT … RETURNING" with the step after the last row, so a full disk
// shows there or at Close. It knows no type, so that the worker has it once.
func readRows(ctx context.Context, db database, keep func(scanner) error, limit int, query string, args []any) (n int, err error) {
	found, err := db.query(ctx, query, args)
	if err != nil {
		return 0, err
	}

	var keepErr error
	for found.Next() {
		if keepErr != nil || n == limit {
			continue
		}
		if keepErr = keep(found); keepErr == nil {
			n++
		}
	}

	err = found.Err()
	if closeErr := found.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = keepErr
	}
	return n, err
}

// words is a list of texts in a column: a JSON array of strings.
type words struct{ p *[]string }

// Scan reads the column.
func (w words) Scan(src any) error {
	text, ok := src.(string)
	if b, isBytes := src.([]byte); isBytes {
		text, ok = string(b), true
	}
	*w.p = nil
	if !ok || text == "" || text == "[]" {
		return nil
	}
	v, err := wire.Parse([]byte(text), wire.Trusted)
	if err != nil {
		return err
	}
	for i := range v.Items {
		*w.p = append(*w.p, v.Items[i].Text)
	}
	return nil
}

// cellValues are the values of the columns that a row is scanned into.
func cellValues(cells []any) []any {
	out := make([]any, len(cells))
	for i, cell := range cells {
		switch c := cell.(type) {
		case *string:
			out[i] = *c
		case *int64:
			out[i] = *c
		case words:
			out[i] = joinList(*c.p)
		case flag:
			out[i] = boolColumn(*c.p)
		}
	}
	return out
}

// joinList writes a list of texts as a column value.
func joinList(list []string) string { return string(wire.Strings(list...).Append(nil)) }

// boolColumn is a truth value in a column: 0 or 1.
func boolColumn(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// flag reads a truth value.
type flag struct{ p *bool }

// Scan reads the column.
func (f flag) Scan(src any) error {
	switch n := src.(type) {
	case int64:
		*f.p = n != 0
	case float64:
		*f.p = n != 0
	default:
		*f.p = false
	}
	return nil
}
