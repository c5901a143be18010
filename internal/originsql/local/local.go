// Package local opens an origin that is a file of SQLite. It contains no
// driver: programs import one.
package local

import (
	"context"
	"database/sql/driver"
	"net/url"
	"strings"
	"sync"
)

// Address returns the data source name of the file at path for the driver
// "sqlite".
//
// Every commit is on the disk before it is answered (synchronous = FULL),
// because a request that was acknowledged must not disappear, nor a right that
// was revoked come back, after a loss of power. The store shares transactions
// between writes, so that this costs little. What is erased is overwritten, so
// that its bytes do not stay in the file (secure_delete).
func Address(path string) string {
	return dataSourceName(path, "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)", "_pragma=busy_timeout(10000)", "_pragma=foreign_keys(1)", "_pragma=secure_delete(1)", "_txlock=immediate")
}

func dataSourceName(path string, options ...string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: strings.Join(options, "&")}
	return u.String()
}

// ReadOnly returns the data source name of a file that cannot be written, as on
// a read-only mount. SQLite opens it only while another program has the
// database open and shares its memory of the log with readers.
func ReadOnly(path string) string {
	return dataSourceName(path, "mode=ro", "_pragma=busy_timeout(10000)")
}

// Plain returns the data source name of a file as it is: opening it neither
// creates a file nor changes anything.
func Plain(path string) string { return dataSourceName(path, "mode=rw", "_pragma=busy_timeout(10000)") }

// Gate is a connector in front of another. Until Open is called, it refuses
// every connection with a reason, which a store over it returns as its error.
type Gate struct {
	driver driver.Driver
	mu     sync.Mutex
	dsn    string
	reason error
}

// NewGate returns a gate that refuses with reason.
func NewGate(d driver.Driver, reason error) *Gate { return &Gate{driver: d, reason: reason} }

// Open lets connections through to the database with that data source name.
func (g *Gate) Open(dsn string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dsn, g.reason = dsn, nil
}

// Connect opens a connection, or fails with the reason.
func (g *Gate) Connect(context.Context) (driver.Conn, error) {
	g.mu.Lock()
	dsn, reason := g.dsn, g.reason
	g.mu.Unlock()
	if reason != nil {
		return nil, reason
	}
	return g.driver.Open(dsn)
}

// Driver returns the driver behind.
func (g *Gate) Driver() driver.Driver { return g.driver }
