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

func (t table) list() string { return strings.Join(t.cols, ", ") }

func (t table) selectWhere(rest string) string {
	return "SELECT " + t.list() + " FROM " + t.name + " " + rest
}

func (t table) insert() string {
	marks := make([]string, len(t.cols))
	for i := range marks {
		marks[i] = "?" + strconv.Itoa(i+1)
	}
	return "INSERT INTO " + t.name + " (" + t.list() + ") VALUES (" + strings.Join(marks, ", ") + ")"
}

// upsert adds a row or replaces what differs. A row that differs in nothing
// but changed_at is left alone, so that writing the same twice is no change.
func (t table) upsert() string {
	var set, mine, theirs []string
	for _, c := range t.cols[t.keys:] {
		set = append(set, c+" = excluded."+c)
		if c != "changed_at" {
			mine = append(mine, t.name+"."+c)
			theirs = append(theirs, "excluded."+c)
		}
	}
	return t.insert() + " ON CONFLICT (" + strings.Join(t.cols[:t.keys], ", ") + ") DO UPDATE SET " + strings.Join(set, ", ") +
		" WHERE (" + strings.Join(mine, ", ") + ") IS NOT (" + strings.Join(theirs, ", ") + ")"
}

func (s *Store) exec(ctx context.Context, what, query string, args ...any) error {
	return failed(what, s.db.exec(ctx, query, args))
}

// scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// one reads a single row.
func one[T any](ctx context.Context, db database, what string, scan func(scanner) (T, error), query string, args ...any) (T, error) {
	var v T
	found, err := db.query(ctx, query, args)
	if err != nil {
		return v, failed(what, err)
	}
	defer found.Close()
	if !found.Next() {
		if err = found.Err(); err == nil {
			err = sql.ErrNoRows
		}
		return v, failed(what, err)
	}
	v, err = scan(found)
	return v, failed(what, err)
}

// many reads all rows.
func many[T any](ctx context.Context, db database, what string, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	found, err := db.query(ctx, query, args)
	if err != nil {
		return nil, failed(what, err)
	}
	defer found.Close()
	var out []T
	for found.Next() {
		v, err := scan(found)
		if err != nil {
			return nil, failed(what, err)
		}
		out = append(out, v)
	}
	return out, failed(what, found.Err())
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

// joined writes a list of texts as a column value.
func joined(list []string) string { return string(wire.Strings(list...).Append(nil)) }

// truth is a truth value in a column: 0 or 1.
func truth(b bool) int64 {
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
