// Package dump writes an origin store as SQL, for a database that already has
// the same schema: the way from the embedded SQLite to D1. The statements stay
// within D1's limits: no transaction, none longer than 100 KB, rows in the
// order that foreign keys require. Triggers are dropped while rows are
// inserted, because what they would add is among the rows. Existing rows are
// deleted first, so the same dump may be loaded again, or after one that was
// interrupted.
package dump

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strings"

	"colophon/internal/originsql/tables"
)

const (
	maxStatement = 64 << 10 // bytes of a statement, well below what D1 takes
	maxPiece     = 8 << 10  // bytes of a text that go into one statement
)

// Size returns how many bytes Write writes, texts included.
func Size(ctx context.Context, db *sql.DB) (int64, error) {
	var size counter
	err := Write(ctx, &size, db, nil)
	return int64(size), err
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Write writes the store in db. The texts of pages are passed to put, each form
// of the current edition under its rights.ObjectKey, and are empty among the
// rows, so that they are read from the object store. If put is nil, they are
// written among the rows.
func Write(ctx context.Context, w io.Writer, db *sql.DB, put func(key, text string) error) error {
	list, err := tables.Of(ctx, db)
	if err != nil {
		return err
	}
	triggers, err := tables.Triggers(ctx, db)
	if err != nil {
		return err
	}
	out := &writer{w: w}
	for _, text := range triggers {
		out.writeLine("DROP TRIGGER IF EXISTS " + tables.Quote(tables.TriggerName(text)) + ";")
	}
	for _, t := range slices.Backward(list) {
		out.writeLine("DELETE FROM " + tables.Quote(t.Name) + ";")
	}
	for _, described := range list {
		t := table{Table: described}
		if t.Name == "bodies" && put != nil {
			if err := t.splitOff(ctx, db, put); err != nil {
				return err
			}
		}
		if err := t.writeRows(ctx, out, db); err != nil {
			return fmt.Errorf("table %q: %w", t.Name, err)
		}
	}
	for _, text := range triggers {
		out.writeLine(strings.ReplaceAll(text, "\n", " ") + ";")
	}
	return out.err
}

// writer keeps the first error.
type writer struct {
	w   io.Writer
	err error
}

func (o *writer) writeLine(s string) {
	if o.err == nil {
		_, o.err = io.WriteString(o.w, s+"\n")
	}
}
