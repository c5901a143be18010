package dump

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"colophon/internal/originsql/tables"
	"colophon/internal/rights"
)

type table struct {
	tables.Table
	away func(cells []any) error // removes texts from a row; may be nil
}

// forms are the columns of bodies that hold text, which are named as the forms.
var forms = []string{"html", "markdown", "text"}

// splitOff lets the table of bodies pass its texts to put.
func (t *table) splitOff(ctx context.Context, db *sql.DB, put func(key, text string) error) error {
	rows, err := db.QueryContext(ctx, "SELECT entry_id, version FROM editions")
	if err != nil {
		return err
	}
	defer rows.Close()
	versions := map[string]int64{}
	for rows.Next() {
		var id string
		var version int64
		if err := rows.Scan(&id, &version); err != nil {
			return err
		}
		versions[id] = version
	}
	place := func(column string) int {
		return slices.IndexFunc(t.Columns, func(c tables.Column) bool { return c.Name == column })
	}
	t.away = func(cells []any) error {
		id, _ := cells[place("entry_id")].(string)
		for _, form := range forms {
			text, _ := cells[place(form)].(string)
			cells[place(form)] = ""
			if text == "" && form != "text" {
				continue // plain text stands in for it
			}
			if err := put(rights.ObjectKey(id, versions[id], form), text); err != nil {
				return err
			}
		}
		return nil
	}
	return rows.Err()
}

// writeRows writes all rows, several in one statement.
func (t *table) writeRows(ctx context.Context, out *writer, db *sql.DB) error {
	query, _ := t.Page(nil, -1)
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	insert := "INSERT INTO " + tables.Quote(t.Name) + " (" + t.List() + ") VALUES\n"
	batch := ""
	flush := func() {
		if batch != "" {
			out.writeLine(insert + batch + ";")
			batch = ""
		}
	}
	for rows.Next() {
		cells, err := scanCells(rows, len(t.Columns))
		if err != nil {
			return err
		}
		if t.away != nil {
			if err := t.away(cells); err != nil {
				return err
			}
		}
		row, rest, err := t.rowLiteral(cells)
		if err != nil {
			return err
		}
		if len(insert)+len(batch)+len(row) > maxStatement {
			flush()
		}
		if batch != "" {
			batch += ",\n"
		}
		batch += row
		if rest != nil {
			flush()
			for _, s := range rest {
				out.writeLine(s)
			}
		}
	}
	flush()
	return rows.Err()
}

func scanCells(rows *sql.Rows, n int) ([]any, error) {
	cells, at := make([]any, n), make([]any, n)
	for i := range cells {
		at[i] = &cells[i]
	}
	return cells, rows.Scan(at...)
}

// rowLiteral returns one row as a list of literals. A value too long for one
// statement is cut; rest holds the statements that append the remaining parts.
func (t *table) rowLiteral(cells []any) (row string, rest []string, err error) {
	parts := make([]string, len(cells))
	for i, c := range cells {
		if s, ok := c.(string); ok && len(s) > maxPiece {
			first, more, err := t.cutText(cells, i, s)
			if err != nil {
				return "", nil, err
			}
			c, rest = first, append(rest, more...)
		}
		if parts[i], err = literalSQL(c); err != nil {
			return "", nil, fmt.Errorf("column %q: %w", t.Columns[i].Name, err)
		}
	}
	row = "(" + strings.Join(parts, ", ") + ")"
	if len(row) > maxStatement {
		return "", nil, fmt.Errorf("a row of %d bytes is too long", len(row))
	}
	return row, rest, nil
}

// cutText splits a long text into its beginning and the updates that append the
// rest, none of them in the middle of a character.
func (t *table) cutText(cells []any, column int, s string) (first string, rest []string, err error) {
	var where []string
	for _, at := range t.Key {
		v, err := literalSQL(cells[at])
		if err != nil {
			return "", nil, err
		}
		where = append(where, tables.Quote(t.Columns[at].Name)+" = "+v)
	}
	name := tables.Quote(t.Columns[column].Name)
	for at := 0; at < len(s); {
		end := min(at+maxPiece, len(s))
		for end < len(s) && s[end]&0xc0 == 0x80 {
			end--
		}
		part := s[at:end]
		if at == 0 {
			first = part
		} else {
			v, err := literalSQL(part)
			if err != nil {
				return "", nil, err
			}
			rest = append(rest, "UPDATE "+tables.Quote(t.Name)+" SET "+name+" = "+name+" || "+v+" WHERE "+strings.Join(where, " AND ")+";")
		}
		at = end
	}
	return first, rest, nil
}

// literalSQL returns a value as an SQL literal. A text that SQL cannot
// represent is written as its bytes.
func literalSQL(v any) (string, error) {
	switch x := v.(type) {
	case nil:
		return "NULL", nil
	case int64:
		return strconv.FormatInt(x, 10), nil
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64), nil
	case []byte:
		return "X'" + hex.EncodeToString(x) + "'", nil
	case string:
		if strings.ContainsAny(x, "\x00\r\n;") {
			return "CAST(X'" + hex.EncodeToString([]byte(x)) + "' AS TEXT)", nil
		}
		return "'" + strings.ReplaceAll(x, "'", "''") + "'", nil
	}
	return "", fmt.Errorf("a value of type %T", v)
}
