package originsql

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
)

// Over returns the store behind a driver of database/sql, without that
// package's pool and conversions. It is for the worker, where a connection is
// only the name of a binding and must not outlive a request, and where those
// conversions, with what they need of fmt and reflect, would be a tenth of the
// module. The driver must implement the Context forms of its statements.
func Over(c driver.Connector) *Store { return &Store{db: direct{c}} }

type direct struct{ driver.Connector }

var (
	errStatement = errors.New("the driver does not take statements with a context")
	errArgument  = errors.New("an argument is no string, int64, float64, []byte or nil")
	errColumns   = errors.New("a row has another number of columns than are read")
	errType      = errors.New("a column has another type than its field")
)

func (d direct) prepare(ctx context.Context, s Statement) (driver.Stmt, []driver.NamedValue, error) {
	named := make([]driver.NamedValue, len(s.Args))
	for i, a := range s.Args {
		switch a.(type) {
		case string, int64, float64, []byte, nil:
			named[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
		default:
			return nil, nil, errArgument
		}
	}
	conn, err := d.Connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	stmt, err := conn.Prepare(s.Text)
	return stmt, named, err
}

func (d direct) query(ctx context.Context, s Statement) (rows, error) {
	stmt, named, err := d.prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	asker, ok := stmt.(driver.StmtQueryContext)
	if !ok {
		return nil, errStatement
	}
	found, err := asker.QueryContext(ctx, named)
	if err != nil {
		return nil, err
	}
	return &directRows{rows: found, cells: make([]driver.Value, len(found.Columns()))}, nil
}

func (d direct) exec(ctx context.Context, s Statement) error {
	stmt, named, err := d.prepare(ctx, s)
	if err != nil {
		return err
	}
	asker, ok := stmt.(driver.StmtExecContext)
	if !ok {
		return errStatement
	}
	_, err = asker.ExecContext(ctx, named)
	return err
}

// directRows reads the rows of a driver.
type directRows struct {
	rows  driver.Rows
	cells []driver.Value
	err   error
}

// Next advances to the next row and reports whether there is one.
func (r *directRows) Next() bool {
	if r.err == nil {
		r.err = r.rows.Next(r.cells)
	}
	return r.err == nil
}

// Err returns the error that ended the rows, nil at their normal end.
func (r *directRows) Err() error {
	if r.err == io.EOF {
		return nil
	}
	return r.err
}

// Close ends the reading.
func (r *directRows) Close() error { return r.rows.Close() }

// Scan copies the row into fields.
func (r *directRows) Scan(dest ...any) error { return assignRow(dest, r.cells) }

func assignRow[T any](dest []any, cells []T) error {
	if len(dest) != len(cells) {
		return errColumns
	}
	for i, d := range dest {
		if err := assignValue(d, cells[i]); err != nil {
			return err
		}
	}
	return nil
}

// assignValue converts a value as database/sql does, for the types that the
// store uses.
func assignValue(dest any, v driver.Value) error {
	switch d := dest.(type) {
	case *string:
		switch x := v.(type) {
		case string:
			*d = x
			return nil
		case []byte:
			*d = string(x)
			return nil
		}
	case *int64:
		switch x := v.(type) {
		case int64:
			*d = x
			return nil
		case float64:
			if n := int64(x); float64(n) == x {
				*d = n
				return nil
			}
		}
	case *[]byte:
		if x, ok := v.([]byte); ok {
			*d = append([]byte(nil), x...)
			return nil
		}
	case interface{ Scan(src any) error }:
		return d.Scan(v)
	}
	return errType
}
