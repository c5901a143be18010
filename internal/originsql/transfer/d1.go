package transfer

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"colophon/internal/originsql"
	"colophon/internal/originsql/d1rest"
	"colophon/internal/originsql/tables"
)

// maxParameter is how many bytes of rows go into one statement: D1 takes texts
// of at most 2 MB.
const maxParameter = 1 << 20

// d1Source reads a D1 database, which cannot be read as of one moment.
type d1Source struct{ db *d1rest.Database }

// FromD1 returns the store in a D1 database.
func FromD1(db *d1rest.Database) Source { return d1Source{db} }

func (s d1Source) Read(ctx context.Context, query string, args []any) ([][]any, error) {
	return readD1(ctx, s.db, query, args)
}

func (s d1Source) Settled() bool { return false }
func (s d1Source) Close() error  { return nil }

func readD1(ctx context.Context, db *d1rest.Database, query string, args []any) ([][]any, error) {
	answers, err := db.Batch(ctx, []d1rest.Statement{{SQL: query, Args: args}})
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// d1Target writes a D1 database, and marks it meanwhile.
type d1Target struct {
	d1Source
	tables   []tables.Table
	triggers []string // statements that make them
}

// ToD1 returns a target that is a D1 database with the schema of the store. The
// triggers come from a SQLite database with the same schema, because an
// interrupted copy may have left the target without any.
func ToD1(db *d1rest.Database, list []tables.Table, triggers []string) Target {
	return &d1Target{d1Source{db}, list, triggers}
}

const markCopy = "INSERT INTO d1_migrations (name) VALUES ('" + originsql.UnfinishedCopy + "') ON CONFLICT DO NOTHING"

// Begin marks the target, drops its triggers and deletes its rows.
func (t *d1Target) Begin(ctx context.Context) error {
	batch := []d1rest.Statement{{SQL: markCopy}}
	for _, text := range t.triggers {
		batch = append(batch, d1rest.Statement{SQL: "DROP TRIGGER IF EXISTS " + tables.Quote(tables.TriggerName(text))})
	}
	for _, table := range slices.Backward(t.tables) {
		batch = append(batch, d1rest.Statement{SQL: "DELETE FROM " + tables.Quote(table.Name)})
	}
	_, err := t.db.Batch(ctx, batch)
	return err
}

// Insert sends rows as JSON, many in one statement.
func (t *d1Target) Insert(ctx context.Context, table *tables.Table, rows [][]any) error {
	for len(rows) > 0 {
		text, n, err := encodeRows(rows)
		if err != nil {
			return err
		}
		if _, err := t.db.Batch(ctx, []d1rest.Statement{{SQL: insertJSON(table), Args: []any{text}}}); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// insertJSON returns the statement that takes rows as an array of arrays.
func insertJSON(table *tables.Table) string {
	cells := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		cells[i] = "value ->> " + strconv.Itoa(i)
		if c.Type == "BLOB" {
			cells[i] = "unhex(" + cells[i] + ")"
		}
	}
	return "INSERT INTO " + tables.Quote(table.Name) + " (" + table.List() + ") SELECT " + strings.Join(cells, ", ") + " FROM json_each(?1) WHERE true ORDER BY key"
}

// encodeRows encodes as many rows as fit into a parameter, at least one.
func encodeRows(rows [][]any) (text string, n int, err error) {
	b := []byte{'['}
	for _, row := range rows {
		cells := slices.Clone(row)
		for i, c := range cells {
			if blob, ok := c.([]byte); ok {
				cells[i] = hex.EncodeToString(blob)
			}
		}
		line, err := json.Marshal(cells)
		if err != nil {
			return "", 0, err
		}
		if n > 0 && len(b)+len(line) > maxParameter {
			break
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = append(b, line...)
		n++
	}
	return string(append(b, ']')), n, nil
}

// Commit creates the triggers again and removes the mark.
func (t *d1Target) Commit(ctx context.Context) error {
	var batch []d1rest.Statement
	for _, text := range t.triggers {
		batch = append(batch, d1rest.Statement{SQL: text})
	}
	batch = append(batch, d1rest.Statement{SQL: "DELETE FROM d1_migrations WHERE name = '" + originsql.UnfinishedCopy + "'"})
	if _, err := t.db.Batch(ctx, batch); err != nil {
		return fmt.Errorf("make the triggers: %w", err)
	}
	return nil
}

// Emptied returns a target whose rows are ignored because they come from an
// interrupted copy.
func Emptied(t Target) Target { return emptied{t} }

type emptied struct{ Target }
