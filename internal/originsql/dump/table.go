package dump

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"colophon/internal/rights"
)

type table struct {
	name    string
	columns []string
	key     []string // columns of the primary key
	refers  []string // other tables

	empty []string                // columns whose texts went elsewhere
	away  func(cells []any) error // takes them, nil none
}

// forms are the columns of bodies that hold text, which are named as the forms.
var forms = []string{"html", "markdown", "text"}

// splitOff makes the table of bodies give its texts to put.
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
	t.empty = forms
	t.away = func(cells []any) error {
		id, _ := cells[slices.Index(t.columns, "entry_id")].(string)
		for _, form := range forms {
			text, _ := cells[slices.Index(t.columns, form)].(string)
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

func readTable(ctx context.Context, db *sql.DB, name string) (table, error) {
	t := table{name: name}
	columns, err := readPairs(ctx, db, "SELECT name, pk FROM pragma_table_info(?1) ORDER BY cid", name)
	if err != nil {
		return t, err
	}
	for _, c := range columns {
		t.columns = append(t.columns, c[0])
		if c[1] != "0" {
			t.key = append(t.key, c[0])
		}
	}
	others, err := readPairs(ctx, db, `SELECT DISTINCT "table", '' FROM pragma_foreign_key_list(?1)`, name)
	for _, o := range others {
		if o[0] != name {
			t.refers = append(t.refers, o[0])
		}
	}
	return t, err
}

func (t *table) isReady(done map[string]bool) bool {
	for _, r := range t.refers {
		if !done[r] {
			return false
		}
	}
	return true
}

// writeRows writes all rows, several in one statement.
func (t *table) writeRows(ctx context.Context, out *writer, db *sql.DB) error {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = quoteName(c)
	}
	list := strings.Join(names, ", ")
	order := "rowid"
	if len(t.key) > 0 {
		order = strings.Join(t.key, ", ")
	}
	rows, err := db.QueryContext(ctx, "SELECT "+list+" FROM "+quoteName(t.name)+" ORDER BY "+order)
	if err != nil {
		return err
	}
	defer rows.Close()
	insert := "INSERT INTO " + quoteName(t.name) + " (" + list + ") VALUES\n"
	batch := ""
	flush := func() {
		if batch != "" {
			out.writeLine(insert + batch + ";")
			batch = ""
		}
	}
	for rows.Next() {
		cells, err := scanCells(rows, len(t.columns))
		if err != nil {
			return err
		}
		if t.away != nil {
			if err := t.away(cells); err != nil {
				return err
			}
			for _, c := range t.empty {
				cells[slices.Index(t.columns, c)] = ""
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

// rowLiteral is one row as a list of literals. What is too long for one statement is
// cut, and rest are the statements that append the missing parts.
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
			return "", nil, fmt.Errorf("column %q: %w", t.columns[i], err)
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
	where := make([]string, 0, len(t.key))
	for i, c := range t.columns {
		for _, k := range t.key {
			if c == k {
				v, err := literalSQL(cells[i])
				if err != nil {
					return "", nil, err
				}
				where = append(where, quoteName(c)+" = "+v)
			}
		}
	}
	if len(where) == 0 {
		return "", nil, fmt.Errorf("a text of %d bytes in a table without a key", len(s))
	}
	name := quoteName(t.columns[column])
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
			rest = append(rest, "UPDATE "+quoteName(t.name)+" SET "+name+" = "+name+" || "+v+" WHERE "+strings.Join(where, " AND ")+";")
		}
		at = end
	}
	return first, rest, nil
}

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// literalSQL is a value in SQL. A text that SQL cannot hold as it is goes as its
// bytes.
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
