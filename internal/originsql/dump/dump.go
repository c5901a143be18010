// Package dump writes an origin store as SQL, for a database that has the same
// schema already: the way from the embedded SQLite to D1. The statements keep
// to what D1 takes: no transaction, none longer than 100 KB, rows in the order
// that foreign keys ask for. Triggers are taken away while rows go in, since
// what they would add is among the rows. Rows of before are deleted first, so
// the same dump may be loaded again, or after one that broke off.
package dump

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	maxStatement = 64 << 10 // bytes of a statement, well below what D1 takes
	maxPiece     = 8 << 10  // bytes of a text that go into one statement
)

// Write writes the store in db, the texts of pages among its rows.
func Write(ctx context.Context, w io.Writer, db *sql.DB) error { return Split(ctx, w, db, nil) }

// Split is Write, but the texts of pages go to put, each form of the current
// edition under its rights.ObjectKey, and stand empty among the rows: so they
// are looked for in the object store. Nil put: nothing is split off.
func Split(ctx context.Context, w io.Writer, db *sql.DB, put func(key, text string) error) error {
	tables, err := readTables(ctx, db)
	if err != nil {
		return err
	}
	triggers, err := readPairs(ctx, db, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
	if err != nil {
		return err
	}
	out := &writer{w: w}
	for _, t := range triggers {
		out.writeLine("DROP TRIGGER IF EXISTS " + quoteName(t[0]) + ";")
	}
	for i := len(tables) - 1; i >= 0; i-- {
		out.writeLine("DELETE FROM " + quoteName(tables[i].name) + ";")
	}
	for _, t := range tables {
		if t.name == "bodies" && put != nil {
			if err := t.splitOff(ctx, db, put); err != nil {
				return err
			}
		}
		if err := t.writeRows(ctx, out, db); err != nil {
			return fmt.Errorf("table %q: %w", t.name, err)
		}
	}
	for _, t := range triggers {
		out.writeLine(strings.ReplaceAll(t[1], "\n", " ") + ";")
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

// readPairs reads rows of two texts.
func readPairs(ctx context.Context, db *sql.DB, query string, args ...any) (out [][2]string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var pair [2]string
		if err := rows.Scan(&pair[0], &pair[1]); err != nil {
			return nil, err
		}
		out = append(out, pair)
	}
	return out, rows.Err()
}

var errCycle = errors.New("the foreign keys of the schema go round in a circle")

// readTables lists the tables, those that others refer to first.
func readTables(ctx context.Context, db *sql.DB) ([]table, error) {
	names, err := readPairs(ctx, db, "SELECT name, '' FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		return nil, err
	}
	var ordered []table
	done := map[string]bool{}
	for len(ordered) < len(names) {
		before := len(ordered)
		for _, n := range names {
			if done[n[0]] {
				continue
			}
			t, err := readTable(ctx, db, n[0])
			if err != nil {
				return nil, err
			}
			if t.isReady(done) {
				ordered, done[t.name] = append(ordered, t), true
			}
		}
		if len(ordered) == before {
			return nil, errCycle
		}
	}
	return ordered, nil
}
