// Package tables reads and writes the tables of an origin store row by row, in
// any database. It is for programs that move a store as a whole: copies, and
// the working copy of a store in D1.
package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table is a table of the schema.
type Table struct {
	Name    string
	Columns []Column
	Key     []int    // the columns of the primary key, by their place in Columns
	Refers  []string // the other tables that it refers to
}

// Column is a column of a table.
type Column struct {
	Name string
	Type string // TEXT, INTEGER or BLOB
	Null bool   // it may be NULL
}

// ErrCycle is returned if the tables refer to each other in a circle.
var ErrCycle = errors.New("the foreign keys of the schema go round in a circle")

// Of returns the tables of a SQLite database with the schema of the store, each
// after those that it refers to.
func Of(ctx context.Context, db *sql.DB) ([]Table, error) {
	names, err := readTexts(ctx, db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name")
	if err != nil {
		return nil, err
	}
	var left []Table
	for _, name := range names {
		t, err := describeTable(ctx, db, name)
		if err != nil {
			return nil, err
		}
		left = append(left, t)
	}
	return sortByReference(left)
}

// Triggers returns the statements that create the triggers of a SQLite
// database.
func Triggers(ctx context.Context, db Querier) ([]string, error) {
	return readTexts(ctx, db, "SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
}

// Querier is a database or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readTexts returns the texts of a query with one column.
func readTexts(ctx context.Context, db Querier, query string, args ...any) ([]string, error) {
	found, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var texts []string
	for found.Next() {
		var text string
		if err := found.Scan(&text); err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, found.Err()
}

// TriggerName returns the name in "CREATE TRIGGER name …".
func TriggerName(text string) string { return strings.Trim(strings.Fields(text)[2], `"`) }

func describeTable(ctx context.Context, db *sql.DB, name string) (Table, error) {
	t := Table{Name: name}
	found, err := db.QueryContext(ctx, `SELECT name, type, "notnull", pk FROM pragma_table_info(?1) ORDER BY cid`, name)
	if err != nil {
		return t, err
	}
	defer found.Close()

	places := map[int]int{} // place in the key, from 1 → place in the columns
	for found.Next() {
		var c Column
		var notNull bool
		var pk int
		if err := found.Scan(&c.Name, &c.Type, &notNull, &pk); err != nil {
			return t, err
		}
		c.Null = !notNull && pk == 0
		if pk > 0 {
			places[pk] = len(t.Columns)
		}
		t.Columns = append(t.Columns, c)
	}
	if err := found.Err(); err != nil {
		return t, err
	}
	for i := 1; i <= len(places); i++ {
		t.Key = append(t.Key, places[i])
	}
	if len(t.Key) == 0 {
		return t, fmt.Errorf("the table %q has no key", name)
	}
	t.Refers, err = readTexts(ctx, db, `SELECT DISTINCT "table" FROM pragma_foreign_key_list(?1) WHERE "table" <> ?1`, name)
	return t, err
}

func sortByReference(left []Table) ([]Table, error) {
	done := map[string]bool{}
	var sorted []Table
	for len(left) > 0 {
		var later []Table
		for _, t := range left {
			if !t.followsAll(done) {
				later = append(later, t)
				continue
			}
			sorted = append(sorted, t)
			done[t.Name] = true
		}
		if len(later) == len(left) {
			return nil, ErrCycle
		}
		left = later
	}
	return sorted, nil
}

func (t *Table) followsAll(done map[string]bool) bool {
	return !slices.ContainsFunc(t.Refers, func(other string) bool { return !done[other] })
}

// Quote returns a name quoted for SQL.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// List returns the names of the columns, quoted.
func (t *Table) List() string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = Quote(c.Name)
	}
	return strings.Join(names, ", ")
}

// Page returns the statement that reads at most limit rows by key, those after
// the row with the cells of last; a nil last begins. Marks are ?1, ?2, ….
func (t *Table) Page(last []any, limit int) (query string, args []any) {
	keys := make([]string, len(t.Key))
	marks := make([]string, len(t.Key))
	for i, at := range t.Key {
		keys[i] = Quote(t.Columns[at].Name)
		marks[i] = "?" + strconv.Itoa(i+1)
	}
	query = "SELECT " + t.List() + " FROM " + Quote(t.Name)
	if last != nil {
		query += " WHERE (" + strings.Join(keys, ", ") + ") > (" + strings.Join(marks, ", ") + ")"
		for _, at := range t.Key {
			args = append(args, last[at])
		}
	}
	return query + " ORDER BY " + strings.Join(keys, ", ") + " LIMIT " + strconv.Itoa(limit), args
}

// Normalize converts the cells of a row to the types of the schema: string,
// int64, []byte or nil. Drivers differ in the types they return.
func (t *Table) Normalize(row []any) error {
	if len(row) != len(t.Columns) {
		return fmt.Errorf("a row of %q has %d cells, not %d", t.Name, len(row), len(t.Columns))
	}
	for i, c := range t.Columns {
		v, ok := normalizeValue(c.Type, row[i])
		if !ok || v == nil && !c.Null {
			return fmt.Errorf("%s.%s holds a %T", t.Name, c.Name, row[i])
		}
		row[i] = v
	}
	return nil
}

func normalizeValue(kind string, v any) (any, bool) {
	if v == nil {
		return nil, true
	}
	switch kind {
	case "TEXT":
		if b, ok := v.([]byte); ok {
			return string(b), true
		}
		_, ok := v.(string)
		return v, ok
	case "INTEGER":
		if f, ok := v.(float64); ok && float64(int64(f)) == f {
			return int64(f), true
		}
		_, ok := v.(int64)
		return v, ok
	case "BLOB":
		if b, ok := v.([]byte); ok && b == nil {
			return []byte{}, true
		}
		_, ok := v.([]byte)
		return v, ok
	}
	return nil, false
}

// Size returns the approximate number of bytes of a row.
func Size(row []any) int {
	n := 0
	for _, c := range row {
		switch v := c.(type) {
		case string:
			n += len(v)
		case []byte:
			n += len(v)
		default:
			n += 8
		}
	}
	return n
}
