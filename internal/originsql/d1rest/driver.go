package d1rest

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// inlineMarks converts a statement with numbered marks (?1, ?2, …) to the form
// of the API: texts stay parameters, everything else is written in place of its
// mark.
func inlineMarks(text string, args []driver.NamedValue) request {
	var b strings.Builder
	used := 0 // the highest number of the marks that remain
	for i := 0; i < len(text); {
		n := nextToken(text[i:])
		if number, ok := markOf(text[i : i+n]); ok && number <= len(args) {
			if s, isText := literalSQL(args[number-1].Value); !isText {
				b.WriteString(s)
				i += n
				continue
			}
			used = max(used, number)
		}
		b.WriteString(text[i : i+n])
		i += n
	}
	params := make([]string, used)
	for i := range params {
		params[i], _ = args[i].Value.(string)
	}
	return request{b.String(), params}
}

// nextToken returns the length of the next quoted text, comment or mark, or 1
// for any other byte.
func nextToken(s string) int {
	end := func(from int, stop string) int {
		if at := strings.Index(s[from:], stop); at >= 0 {
			return from + at + len(stop)
		}
		return len(s)
	}
	switch {
	case s[0] == '\'' || s[0] == '"' || s[0] == '`':
		return end(1, s[:1]) // a doubled quote is two quoted texts in a row
	case strings.HasPrefix(s, "--"):
		return end(2, "\n")
	case strings.HasPrefix(s, "/*"):
		return end(2, "*/")
	case s[0] == '?':
		n := 1
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		return n
	}
	return 1
}

func markOf(s string) (number int, ok bool) {
	if len(s) < 2 || s[0] != '?' {
		return 0, false
	}
	number, err := strconv.Atoi(s[1:])
	return number, err == nil && number > 0
}

// literalSQL writes a value as SQL; a text is none.
func literalSQL(v driver.Value) (sql string, text bool) {
	switch x := v.(type) {
	case int64:
		return "(" + strconv.FormatInt(x, 10) + ")", false
	case float64:
		return "(" + strconv.FormatFloat(x, 'e', -1, 64) + ")", false
	case []byte:
		return "x'" + hex.EncodeToString(x) + "'", false
	case nil:
		return "NULL", false
	}
	return "", true
}

type conn struct{ d *Database }

func (c conn) Prepare(query string) (driver.Stmt, error) { return stmt{c.d, query}, nil }
func (c conn) Close() error                              { return nil }
func (c conn) Begin() (driver.Tx, error)                 { return nil, errors.New("d1: there are no transactions") }

type stmt struct {
	d    *Database
	text string
}

func (s stmt) Close() error                               { return nil }
func (s stmt) NumInput() int                              { return -1 }
func (s stmt) Exec([]driver.Value) (driver.Result, error) { return nil, errors.ErrUnsupported }
func (s stmt) Query([]driver.Value) (driver.Rows, error)  { return nil, errors.ErrUnsupported }

func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	_, err := s.d.runStatement(ctx, s.text, args)
	return driver.ResultNoRows, err
}

func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	found, err := s.d.runStatement(ctx, s.text, args)
	if err != nil {
		return nil, err
	}
	return &rows{results: found}, nil
}

type rows struct {
	results
	at int
}

func (r *rows) Columns() []string { return r.results.Columns }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if r.at == len(r.Rows) {
		return io.EOF
	}
	row := r.Rows[r.at]
	r.at++
	if len(row) != len(dest) {
		return fmt.Errorf("d1: a row of %d cells under %d columns", len(row), len(dest))
	}
	for i, cell := range row {
		v, err := valueOf(cell)
		if err != nil {
			return err
		}
		dest[i] = v
	}
	return nil
}

// convertCells brings the cells to the types of a driver.
func (r *results) convertCells() error {
	for _, row := range r.Rows {
		for i, cell := range row {
			v, err := valueOf(cell)
			if err != nil {
				return err
			}
			row[i] = v
		}
	}
	return nil
}

// valueOf reads a cell: a blob comes as a list of byte values.
func valueOf(cell any) (driver.Value, error) {
	switch x := cell.(type) {
	case nil, string, bool:
		return x, nil
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n, nil
		}
		return x.Float64()
	case []any:
		blob := make([]byte, len(x))
		for i := range x {
			n, ok := x[i].(json.Number)
			b, err := strconv.ParseUint(n.String(), 10, 8)
			if !ok || err != nil {
				return nil, fmt.Errorf("d1: byte %d of a blob is %v", i, x[i])
			}
			blob[i] = byte(b)
		}
		return blob, nil
	}
	return nil, fmt.Errorf("d1: a cell of type %T", cell)
}
