package originsql

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"colophon/internal/origin"
	"colophon/internal/wire"
)

// column is a column of a table, and where its cell is stored: a *string, a
// *int64 or a converter.
type column struct {
	name  string
	field any
}

// converter stores a column that is neither text nor number.
type converter interface {
	Scan(src any) error
	value() any // for the column
}

// table describes the columns of one table, the first keys of which are its
// key.
type table struct {
	name string
	keys int
	cols []string

	upsertStatement func() string // spells it once
}

// records is a table whose rows are values of T.
type records[T any] struct {
	table
	columns func(*T) []column
}

func recordsOf[T any](name string, keys int, columns func(*T) []column) records[T] {
	t := records[T]{table{name: name, keys: keys}, columns}
	for _, c := range columns(new(T)) {
		t.cols = append(t.cols, c.name)
	}
	t.upsertStatement = sync.OnceValue(t.spellUpsert)
	return t
}

// row is a row to be written.
type row struct {
	table
	cells []any
}

func (t records[T]) row(v *T) row {
	columns := t.columns(v)
	cells := make([]any, len(columns))
	for i, c := range columns {
		switch f := c.field.(type) {
		case *string:
			cells[i] = *f
		case *int64:
			cells[i] = *f
		case converter:
			cells[i] = f.value()
		}
	}
	return row{t.table, cells}
}

// array returns the row in the form that insertEachStatement reads.
func (r row) array() wire.Value {
	list := wire.Array()
	for _, c := range r.cells {
		switch c := c.(type) {
		case string:
			list.Items = append(list.Items, wire.String(c))
		case int64:
			list.Items = append(list.Items, wire.Int(c))
		}
	}
	return list
}

// fields returns where the cells of a row are stored, as Scan takes it, followed
// by others.
func (t records[T]) fields(v *T, others ...any) []any {
	fields := make([]any, 0, len(t.cols)+len(others))
	for _, c := range t.columns(v) {
		fields = append(fields, c.field)
	}
	return append(fields, others...)
}

// scan returns the function that reads a row of all columns.
func (t records[T]) scan() func(scanner) (T, error) {
	v := new(T)
	fields := t.fields(v)
	return func(r scanner) (T, error) {
		err := r.Scan(fields...)
		return *v, err
	}
}

// one returns the first row that a condition selects, or origin.ErrNotFound if
// there is none.
func (t records[T]) one(ctx context.Context, s *Store, what, rest string, args ...any) (T, error) {
	return queryOne(ctx, s, t.scan(), read(what, t.selectWhere(rest), args...))
}

// list returns all rows that a condition selects.
func (t records[T]) list(ctx context.Context, s *Store, what, rest string, args ...any) ([]T, error) {
	return queryAll(ctx, s, t.scan(), read(what, t.selectWhere(rest), args...))
}

func (t table) columnList() string { return strings.Join(t.cols, ", ") }

// columnsOf returns the list of columns under another name of the table.
func (t table) columnsOf(alias string) string {
	return alias + "." + strings.Join(t.cols, ", "+alias+".")
}

func (t table) selectWhere(rest string) string {
	return "SELECT " + t.columnList() + " FROM " + t.name + " " + rest
}

// insertSelect returns an insert whose values may be followed by a condition.
func (t table) insertSelect() string {
	marks := make([]string, len(t.cols))
	for i := range marks {
		marks[i] = "?" + strconv.Itoa(i+1)
	}
	return "INSERT INTO " + t.name + " (" + t.columnList() + ") SELECT " + strings.Join(marks, ", ")
}

// insertEachStatement adds many rows, given as one parameter: a JSON array of
// arrays.
func (t table) insertEachStatement() string {
	cells := make([]string, len(t.cols))
	for i, column := range t.cols {
		cells[i] = "value ->> " + strconv.Itoa(i)
		if column == "position" || column == "version" {
			cells[i] = "CAST(" + cells[i] + " AS BIGINT)"
		}
	}
	return "INSERT INTO " + t.name + " (" + t.columnList() + ") SELECT " + strings.Join(cells, ", ") + " FROM json_each(?1) AS r ORDER BY key"
}

// spellUpsert returns the statement that adds a row or replaces what differs. A
// row that differs only in changed_at is left as it is, so that writing the same
// row twice changes nothing.
func (t table) spellUpsert() string {
	var set, mine, theirs []string
	for _, c := range t.cols[t.keys:] {
		set = append(set, c+" = excluded."+c)
		if c != "changed_at" {
			mine = append(mine, t.name+"."+c)
			theirs = append(theirs, "excluded."+c)
		}
	}
	return t.insertSelect() + " WHERE true ON CONFLICT (" + strings.Join(t.cols[:t.keys], ", ") + ") DO UPDATE SET " + strings.Join(set, ", ") +
		" WHERE (" + strings.Join(mine, ", ") + ") IS DISTINCT FROM (" + strings.Join(theirs, ", ") + ")"
}

func (s *Store) exec(ctx context.Context, st Statement) error {
	st.Lazy = s.defers
	return Wrap(st.Name, s.db.exec(ctx, st))
}

func (s *Store) insert(ctx context.Context, what string, r row) error {
	return s.exec(ctx, write(what, r.insertSelect(), r.cells...))
}

func (s *Store) upsert(ctx context.Context, what string, r row) error {
	return s.exec(ctx, write(what, r.upsertStatement(), r.cells...))
}

// lazy returns the same store with writes that do not wait for the disk
// themselves: see Bulk. It is for what follows from other records and can be
// derived again. AppendLedger, which makes it permanent, waits for everything
// before it.
func (s *Store) lazy() *Store { return &Store{s.db, true} }

// scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// into reads a row into the places of a value.
func into[T any](places func(*T) []any) func(scanner) (T, error) {
	return func(r scanner) (v T, err error) {
		err = r.Scan(places(&v)...)
		return v, err
	}
}

// The rows of one column.
var (
	scanText = into(func(text *string) []any { return []any{text} })
	scanInt  = into(func(n *int64) []any { return []any{n} })
)

// queryOne runs a statement and returns its first row, or origin.ErrNotFound if
// there is none. A writing statement has taken effect if, and only if, the
// error is nil.
func queryOne[T any](ctx context.Context, s *Store, scan func(scanner) (T, error), st Statement) (T, error) {
	var first T
	keep := func(row scanner) (err error) {
		first, err = scan(row)
		return err
	}
	n, err := s.readRows(ctx, keep, 1, st)
	if err == nil && n == 0 {
		err = origin.ErrNotFound
	}
	if err != nil {
		var none T
		return none, err
	}
	return first, nil
}

// queryAll runs a statement and returns all of its rows. A writing statement
// has taken effect if, and only if, the error is nil.
func queryAll[T any](ctx context.Context, s *Store, scan func(scanner) (T, error), st Statement) ([]T, error) {
	var list []T
	keep := func(row scanner) error {
		v, err := scan(row)
		if err == nil {
			list = append(list, v)
		}
		return err
	}
	if _, err := s.readRows(ctx, keep, -1, st); err != nil {
		return nil, err
	}
	return list, nil
}

// readRows runs a statement, passes its first limit rows to keep, all if limit
// is negative, and returns how many there were. It always reads to the end:
// SQLite commits "INSERT … RETURNING" with the step after the last row, so a
// full disk is reported there or by Close. It is not generic, so that the
// worker contains it once.
func (s *Store) readRows(ctx context.Context, keep func(scanner) error, limit int, st Statement) (n int, err error) {
	st.Lazy = s.defers
	found, err := s.db.query(ctx, st)
	if err != nil {
		return 0, Wrap(st.Name, err)
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
	return n, Wrap(st.Name, err)
}

// textOf returns a text returned by a driver, "" for anything else.
func textOf(src any) string {
	switch text := src.(type) {
	case string:
		return text
	case []byte:
		return string(text)
	}
	return ""
}

// words is a list of texts in a column: a JSON array of strings.
type words struct{ p *[]string }

// Scan reads the column.
func (w words) Scan(src any) error {
	text := textOf(src)
	*w.p = nil
	if text == "" || text == "[]" {
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

func (w words) value() any { return joinList(*w.p) }

// joinList returns a list of texts as a column value.
func joinList(list []string) string {
	return string(wire.Strings(list...).Append(make([]byte, 0, 512)))
}

// boolColumn returns a truth value in a column: 0 or 1.
func boolColumn(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// flag reads a truth value.
type flag struct{ p *bool }

func (f flag) value() any { return boolColumn(*f.p) }

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
