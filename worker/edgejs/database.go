//go:build js && wasm

package edgejs

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/syumai/workers/cloudflare/d1"
)

// Database returns the D1 binding with that name, for originsql.Over or
// sql.OpenDB. It may be called before Serve, and its connections may be kept:
// each statement looks the binding up in the request.
//
// D1 has no transactions and passes every number as a float64; see
// internal/originsql for what statements may rely on.
func Database(binding string) driver.Connector { return database(binding) }

// database is both connector and connection; it holds only a name.
type database string

var (
	_ driver.QueryerContext = database("")
	_ driver.ExecerContext  = database("")
)

// Connect returns d.
func (d database) Connect(context.Context) (driver.Conn, error) { return d, nil }

// Driver returns the driver of D1.
func (database) Driver() driver.Driver { return &d1.Driver{} }

func (d database) open() (driver.Conn, error) {
	found, err := d1.OpenConnector(string(d))
	if err != nil {
		return nil, err
	}
	return found.Connect(context.Background())
}

// Prepare returns a statement, which is valid for this request only.
func (d database) Prepare(text string) (driver.Stmt, error) {
	conn, err := d.open()
	if err != nil {
		return nil, err
	}
	return conn.Prepare(text)
}

// QueryContext saves database/sql the intermediate statement.
func (d database) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	stmt, err := d.Prepare(text)
	if err != nil {
		return nil, err
	}
	return stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

// ExecContext is QueryContext for statements without rows.
func (d database) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	stmt, err := d.Prepare(text)
	if err != nil {
		return nil, err
	}
	return stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// Begin fails.
func (database) Begin() (driver.Tx, error) { return nil, errors.New("d1: no transactions") }

// Close does nothing.
func (database) Close() error { return nil }
