// Package realstest opens SQLite with the behaviour of D1's driver: every bound
// integer is a REAL.
package realstest

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"modernc.org/sqlite"
)

// Driver is the name for sql.Open.
const Driver = "sqlite-reals"

type reals struct{ driver.Driver }

func (d reals) Open(name string) (driver.Conn, error) {
	c, err := d.Driver.Open(name)
	return realConn{c}, err
}

type realConn struct{ driver.Conn }

func asReals(args []driver.NamedValue) []driver.NamedValue {
	for i := range args {
		if n, ok := args[i].Value.(int64); ok {
			args[i].Value = float64(n)
		}
	}
	return args
}

func (c realConn) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, q, asReals(args))
}

func (c realConn) ExecContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, q, asReals(args))
}

func init() { sql.Register(Driver, reals{&sqlite.Driver{}}) }
