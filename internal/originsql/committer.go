package originsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"slices"
	"strconv"
	"sync"
)

// maxBatch is how many statements one transaction holds at most.
const maxBatch = 256

// committer runs the writes of a database one transaction after another. All
// writes that arrive while a transaction is being written to the disk share the
// next one, each within its own savepoint, so that the wait for the disk (an
// fsync, which is most of the time of a write) is paid once for all of them. A
// write returns after the commit: with "PRAGMA synchronous = FULL" it is then
// on the disk.
type committer struct {
	db *sql.DB

	mu      sync.Mutex
	waiting []*pending
	running bool // a goroutine runs commitLoop
}

// pending is one statement waiting to be run.
type pending struct {
	Statement
	done chan struct{} // closed when rows and err are set
	rows *savedRows
	err  error
}

// runWrite runs one statement and returns its rows after the commit. If ctx
// ends first, the statement is withdrawn; if its transaction has begun, it may
// still take effect.
func (c *committer) runWrite(ctx context.Context, w *pending) (*savedRows, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.done = make(chan struct{})
	c.enqueue(w)

	select {
	case <-w.done:
		return w.rows, w.err
	case <-ctx.Done():
		c.withdrawWrite(w)
		return nil, ctx.Err()
	}
}

func (c *committer) enqueue(w *pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, w)
	if !c.running {
		c.running = true
		go c.commitLoop()
	}
}

func (c *committer) withdrawWrite(w *pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, other := range c.waiting {
		if other == w {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			return
		}
	}
}

// commitLoop commits waiting statements until there are none.
func (c *committer) commitLoop() {
	for {
		batch := c.nextBatch()
		if len(batch) == 0 {
			return
		}
		err := c.commitBatch(context.Background(), batch)
		for _, w := range batch {
			if err != nil {
				w.rows, w.err = nil, err
			}
			close(w.done)
		}
	}
}

// nextBatch takes the writes of the next transaction.
func (c *committer) nextBatch() []*pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(len(c.waiting), maxBatch)
	batch := c.waiting[:n:n]
	c.waiting = c.waiting[n:]
	if n == 0 {
		c.running = false
	}
	return batch
}

// commitBatch runs a batch as one transaction. It returns an error if the whole
// batch failed, which then has no effect; the error of a statement that fails
// alone is kept with the statement.
func (c *committer) commitBatch(ctx context.Context, batch []*pending) error {
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()

	if allLazy(batch) {
		restore, err := relaxSync(ctx, conn)
		if err != nil {
			return err
		}
		defer restore()
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err = runAll(ctx, conn, batch)
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		rollBack(ctx, conn)
	}
	return err
}

func allLazy(batch []*pending) bool {
	return !slices.ContainsFunc(batch, func(w *pending) bool { return !w.Lazy })
}

// relaxSync lets the commits of a connection return before they are on the
// disk, until restore is called.
func relaxSync(ctx context.Context, conn *sql.Conn) (restore func(), err error) {
	const full, normal = 2, 1
	var level int
	if err := conn.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&level); err != nil {
		return nil, err
	}
	if level < full {
		return func() {}, nil
	}
	if err := setSynchronous(ctx, conn, normal); err != nil {
		return nil, err
	}
	return func() {
		if err := setSynchronous(ctx, conn, level); err != nil {
			discardConn(conn)
		}
	}, nil
}

// setSynchronous sets when a commit waits for the disk: from 2 (FULL) always,
// with 1 (NORMAL) only when the log is copied into the database.
func setSynchronous(ctx context.Context, conn *sql.Conn, level int) error {
	_, err := conn.ExecContext(ctx, "PRAGMA synchronous = "+strconv.Itoa(level))
	return err
}

func runAll(ctx context.Context, conn *sql.Conn, batch []*pending) error {
	if len(batch) == 1 {
		w := batch[0]
		w.rows, w.err = runWrite(ctx, conn, w)
		return w.err
	}
	for _, w := range batch {
		if err := runWithin(ctx, conn, w); err != nil {
			return err
		}
	}
	return nil
}

// runWithin runs a statement within a savepoint. After a full disk and similar
// failures SQLite rolls back the whole transaction. Then there is no savepoint
// to return to, and the whole batch fails.
func runWithin(ctx context.Context, conn *sql.Conn, w *pending) error {
	if _, err := conn.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return err
	}
	w.rows, w.err = runWrite(ctx, conn, w)
	if w.err != nil {
		if _, err := conn.ExecContext(ctx, "ROLLBACK TO one"); err != nil {
			return w.err
		}
	}
	_, err := conn.ExecContext(ctx, "RELEASE one")
	return err
}

func runWrite(ctx context.Context, conn *sql.Conn, w *pending) (*savedRows, error) {
	found, err := conn.QueryContext(ctx, w.Text, w.Args...)
	if err != nil {
		return nil, err
	}
	cells, err := ReadCells(found)
	return &savedRows{cells: cells}, err
}

// rollBack ends a transaction. SQLite may have ended it by itself, and then
// answers with an error. On any error the connection is closed, because one
// whose transaction stayed open would swallow all later statements.
func rollBack(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		discardConn(conn)
	}
}

// discardConn closes a connection instead of returning it to the pool.
func discardConn(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// savedRows are rows in memory, read as those of database/sql are.
type savedRows struct {
	cells [][]any
	next  int
}

// ReadCells reads rows to their end and closes them.
func ReadCells(found *sql.Rows) ([][]any, error) {
	defer found.Close() // after the Close below it does nothing
	columns, err := found.Columns()
	if err != nil {
		return nil, err
	}
	var cells [][]any
	for found.Next() {
		row, fields := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			fields[i] = &row[i]
		}
		if err := found.Scan(fields...); err != nil {
			return nil, err
		}
		cells = append(cells, row)
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	return cells, found.Close()
}

// Next advances to the next row and reports whether there is one.
func (r *savedRows) Next() bool {
	r.next++
	return r.next <= len(r.cells)
}

// Err returns nil, because the rows were read before.
func (r *savedRows) Err() error { return nil }

// Close does nothing.
func (r *savedRows) Close() error { return nil }

// Scan copies the row into fields.
func (r *savedRows) Scan(dest ...any) error { return assignRow(dest, r.cells[r.next-1]) }
