package d1test

import (
	"context"
	"database/sql"
	"database/sql/driver"

	"modernc.org/sqlite"

	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
)

// Counted is a database as the worker has D1: it runs one statement after
// another, and each is a round trip.
type Counted struct {
	driver.Conn
	Statements int // prepared so far
}

// NewCounted opens a SQLite database a second time, and returns a store over it
// whose statements are counted.
func NewCounted(db *sql.DB) (*Counted, *originsql.Store, error) {
	var number int
	var name, path string
	if err := db.QueryRow("PRAGMA database_list").Scan(&number, &name, &path); err != nil {
		return nil, nil, err
	}
	conn, err := (&sqlite.Driver{}).Open(local.Address(path))
	if err != nil {
		return nil, nil, err
	}
	c := &Counted{Conn: conn}
	return c, originsql.Over(c), nil
}

// Driver implements driver.Connector.
func (c *Counted) Driver() driver.Driver { return &sqlite.Driver{} }

// Connect implements driver.Connector: there is one connection.
func (c *Counted) Connect(context.Context) (driver.Conn, error) { return c, nil }

// Prepare counts the statement.
func (c *Counted) Prepare(text string) (driver.Stmt, error) {
	c.Statements++
	return c.Conn.Prepare(text)
}
