package originsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/origin"
)

var must = assert.NoError

// openTable returns a store over a file with one small table.
func openTable(t *testing.T) *Store {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "t.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(1000)")
	must(t, err)
	t.Cleanup(func() { db.Close() })
	const schema = "CREATE TABLE t (id TEXT PRIMARY KEY); CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER); INSERT INTO meta VALUES ('changes', 0)"
	must(t, assert.Err(db.Exec(schema)))
	return New(db)
}

func stored(t *testing.T, s *Store) string {
	t.Helper()
	list, err := queryAll(context.Background(), s, scanText, read("list", "SELECT id FROM t ORDER BY id"))
	must(t, err)
	return strings.Join(list, " ")
}

// batchOf returns the writes of one transaction, one for each statement.
func batchOf(texts ...string) []*pending {
	var batch []*pending
	for _, text := range texts {
		batch = append(batch, &pending{Statement: write("write", text), done: make(chan struct{})})
	}
	return batch
}

func TestFailingStatementFailsAlone(t *testing.T) {
	s := openTable(t)
	batch := batchOf("INSERT INTO t VALUES ('a') RETURNING id", "INSERT OR FAIL INTO t VALUES ('x'), ('a')", "SELEC 1", "INSERT INTO t VALUES ('b') RETURNING id")
	must(t, s.db.(pool).writes.commitBatch(context.Background(), batch))
	for i, fails := range []bool{false, true, true, false} {
		assert.Equal(t, (batch[i].err != nil), fails, "statement %d: %v", i, batch[i].err)
	}
	assert.Equal(t, stored(t, s), "a b", "stored")
	if !batch[0].rows.Next() || batch[0].rows.cells[0][0] != "a" {
		t.Errorf("rows of the first: %+v", batch[0].rows)
	}
}

// TestLostTransactionFailsAll has a statement that ends the whole transaction,
// as SQLite itself does when the disk is full.
func TestLostTransactionFailsAll(t *testing.T) {
	const first, ends = "INSERT INTO t VALUES ('a')", "INSERT OR ROLLBACK INTO t VALUES ('a')"
	for _, texts := range [][]string{{first, ends}, {first, ends, "INSERT INTO t VALUES ('b')"}} {
		s := openTable(t)
		batch := batchOf(texts...)
		assert.Fails(t, s.db.(pool).writes.commitBatch(context.Background(), batch), "the batch is reported as done")
		assert.Equal(t, stored(t, s), "", "stored")
		if err := s.exec(context.Background(), write("write", "INSERT INTO t VALUES ('later')")); err != nil || stored(t, s) != "later" {
			t.Errorf("afterwards: %v, stored %q", err, stored(t, s))
		}
	}
}

func TestConcurrentWritesAreEachAnswered(t *testing.T) {
	s := openTable(t)
	const writers, each = 32, 10
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range each {
				id := strconv.Itoa(w) + "-" + strconv.Itoa(i)
				got, err := queryOne(context.Background(), s, scanText, write("add", "INSERT INTO t VALUES (?1) RETURNING id", id))
				if err != nil || got != id {
					t.Errorf("%s: answered %q, %v", id, got, err)
				}
				err = s.exec(context.Background(), write("add twice", "INSERT INTO t VALUES (?1)", id))
				assert.ErrorIs(t, err, origin.ErrConflict, "%s again", id)
			}
		})
	}
	group.Wait()
	if n := len(strings.Fields(stored(t, s))); n != writers*each {
		t.Errorf("%d rows stored, %d told", n, writers*each)
	}
}

// TestWritesShareTransactions queues more writes than one transaction takes.
func TestWritesShareTransactions(t *testing.T) {
	s := openTable(t)
	c := s.db.(pool).writes
	ctx := context.Background()
	c.running = true // no goroutine takes them yet
	for i := range maxBatch + 3 {
		w := &pending{Statement: write("add", "INSERT INTO t VALUES (?1)", strconv.Itoa(i)), done: make(chan struct{})}
		c.enqueue(w)
	}
	if n := len(c.nextBatch()); n != maxBatch {
		t.Errorf("the first transaction has %d writes", n)
	}
	rest := c.nextBatch()
	if len(rest) != 3 {
		t.Errorf("the second transaction has %d writes", len(rest))
	}
	if err := c.commitBatch(ctx, rest); err != nil || len(strings.Fields(stored(t, s))) != 3 {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
	if len(c.nextBatch()) != 0 || c.running {
		t.Error("it still runs with nothing to do")
	}
}

// TestOneTransactionAtATime checks that no second transaction begins while one is
// under way.
func TestOneTransactionAtATime(t *testing.T) {
	s, ctx := openTable(t), context.Background()
	c := s.db.(pool).writes
	conn, err := s.DB().Conn(ctx)
	must(t, err)
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil { // no write can begin
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- s.exec(ctx, write("add", "INSERT INTO t VALUES ('a')")) }()
	state := func() (waiting int, running bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.waiting), c.running
	}
	for waiting, running := 0, false; waiting > 0 || !running; waiting, running = state() {
		select {
		case err := <-done:
			t.Fatalf("it is done, %v, and was not running while it waited", err)
		default:
		}
	}
	must(t, assert.Err(conn.ExecContext(ctx, "ROLLBACK")))
	if err := <-done; err != nil || stored(t, s) != "a" {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
}

func TestCanceledWriteIsTakenBack(t *testing.T) {
	s := openTable(t)
	c := s.db.(pool).writes
	c.running = true // as if busy with another transaction
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.exec(ctx, write("add", "INSERT INTO t VALUES ('a')")) }()
	for waiting := 0; waiting == 0; {
		c.mu.Lock()
		waiting = len(c.waiting)
		c.mu.Unlock()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	go c.commitLoop()
	if err := s.exec(context.Background(), write("add", "INSERT INTO t VALUES ('c')")); err != nil || stored(t, s) != "c" {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
}

// endedContext has ended, which only Err reports: a write that begins
// nevertheless completes before it could be cancelled.
type endedContext struct{ context.Context }

func (endedContext) Err() error { return context.Canceled }

func TestCanceledWriteDoesNotBegin(t *testing.T) {
	s := openTable(t)
	err := s.exec(endedContext{context.Background()}, write("add", "INSERT INTO t VALUES ('a')"))
	if !errors.Is(err, context.Canceled) || stored(t, s) != "" {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
}

// synchronous returns the setting of a store's only connection.
func synchronous(t *testing.T, s *Store) (level int) {
	t.Helper()
	must(t, s.DB().QueryRow("PRAGMA synchronous").Scan(&level))
	return level
}

func TestOnlySparseTransactionsDoNotWait(t *testing.T) {
	s := openTable(t)
	s.DB().SetMaxOpenConns(1)
	lazy := &pending{Statement: Statement{Lazy: true}}
	if !allLazy([]*pending{lazy}) || allLazy([]*pending{lazy, {}}) {
		t.Error("a transaction waits for the disk unless all of its writes may do without")
	}
	must(t, s.lazy().exec(context.Background(), write("add", "INSERT INTO t VALUES ('a')")))
	assert.Equal(t, synchronous(t, s), 2, "afterwards the connection has synchronous")
	err := s.Bulk(context.Background(), func(b *Store) error {
		return b.exec(context.Background(), write("add", "INSERT INTO t VALUES ('b')"))
	})
	if err != nil || stored(t, s) != "a b" {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
}

// TestWhichTransactionsWait checks that a transaction waits for the disk exactly if
// one of its writes must be there when it returns.
func TestWhichTransactionsWait(t *testing.T) {
	s := openTable(t)
	look := func(lazy bool) *pending {
		w := &pending{Statement: write("look", "SELECT synchronous FROM pragma_synchronous")}
		w.Lazy = lazy
		return w
	}
	for _, c := range []struct {
		batch []*pending
		level int64
	}{
		{[]*pending{look(false)}, 2}, {[]*pending{look(true)}, 1}, {[]*pending{look(true), look(true)}, 1}, {[]*pending{look(true), look(false)}, 2},
	} {
		must(t, s.db.(pool).writes.commitBatch(context.Background(), c.batch))
		for _, w := range c.batch {
			if w.err != nil || w.rows.cells[0][0] != c.level {
				t.Errorf("of %d writes: %+v, %v, want %d", len(c.batch), w.rows, w.err, c.level)
			}
		}
	}
}

// stubborn is a driver whose connections fail one statement. It counts those
// that were closed.
type stubborn struct {
	fails  string
	closed int
}

type stubbornConn struct{ *stubborn }

func (d *stubborn) Connect(context.Context) (driver.Conn, error) { return stubbornConn{d}, nil }
func (d *stubborn) Driver() driver.Driver                        { return nil }
func (stubbornConn) Prepare(string) (driver.Stmt, error)         { return nil, driver.ErrSkip }
func (stubbornConn) Begin() (driver.Tx, error)                   { return nil, driver.ErrSkip }

func (c stubbornConn) Close() error {
	c.closed++
	return nil
}

func (c stubbornConn) ExecContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Result, error) {
	if text == c.fails {
		return nil, errors.New("it refuses")
	}
	return driver.ResultNoRows, nil
}

func (c stubbornConn) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return &oneLevel{}, nil
}

// oneLevel is a row with the setting 2.
type oneLevel struct{ read bool }

func (*oneLevel) Columns() []string { return []string{"synchronous"} }
func (*oneLevel) Close() error      { return nil }

func (r *oneLevel) Next(dest []driver.Value) error {
	if r.read {
		return io.EOF
	}
	r.read, dest[0] = true, int64(2)
	return nil
}

// TestConnectionsInDoubtAreClosed checks that a connection which may still be in
// a transaction, or not wait for the disk, is not used again.
func TestConnectionsInDoubtAreClosed(t *testing.T) {
	ctx := context.Background()
	for fails, closed := range map[string]int{"": 0, "ROLLBACK": 1, "PRAGMA synchronous = 2": 1} {
		d := &stubborn{fails: fails}
		db := sql.OpenDB(d)
		conn, err := db.Conn(ctx)
		must(t, err)
		restore, err := relaxSync(ctx, conn)
		must(t, err)
		restore()
		rollBack(ctx, conn)
		if conn.Close(); d.closed != closed {
			t.Errorf("%q fails: %d connections were closed, want %d", fails, d.closed, closed)
		}
		db.Close()
	}
}

// TestAtomicallyEnds checks what a transaction reports if it cannot end, and that
// its connection is not used again if its memory cannot be given back.
func TestAtomicallyEnds(t *testing.T) {
	for fails, c := range map[string]struct {
		want   string
		closed int
	}{"": {}, "COMMIT": {"origin store: cannot commit a transaction: it refuses", 0}, usualMemory: {"", 1}} {
		d := &stubborn{fails: fails}
		db := sql.OpenDB(d)
		err := New(db).Atomically(context.Background(), func(*Store) error { return nil })
		if d.closed != c.closed || (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%q fails: %v, %d connections closed", fails, err, d.closed)
		}
		db.Close()
	}
}

// transactor is a Backend that notes what runs within a transaction.
type transactor struct {
	within bool
	ran    []bool
}

func (b *transactor) Run(context.Context, Statement) (Rows, error) {
	b.ran = append(b.ran, b.within)
	return NewRows(nil), nil
}

func (b *transactor) Transact(_ context.Context, fn func(Backend) error) error {
	return fn(&transactor{within: true, ran: b.ran})
}

// TestAtomicallyOverBackends checks that writes run in a transaction where there are
// any, and one by one elsewhere.
func TestAtomicallyOverBackends(t *testing.T) {
	ctx := context.Background()
	plain := &struct{ Backend }{&transactor{}}
	for b, within := range map[Backend]bool{&transactor{}: true, plain: false} {
		called := errors.New("called")
		err := OverBackend(b).Atomically(ctx, func(s *Store) error {
			inner, _ := s.db.(backend).Backend.(*transactor)
			assert.Equal(t, inner != nil && inner.within, within, "within a transaction")
			return called
		})
		assert.ErrorIs(t, err, called, "within %v", within)
	}
}

func TestAtomically(t *testing.T) {
	s, ctx := openTable(t), context.Background()
	add := func(s *Store, id string) error { return s.exec(ctx, write("add", "INSERT INTO t VALUES (?1)", id)) }
	err := s.Atomically(ctx, func(s *Store) error { return errors.Join(add(s, "a"), add(s, "b")) })
	if err != nil || stored(t, s) != "a b" {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
	err = s.Atomically(ctx, func(s *Store) error { return errors.Join(add(s, "c"), add(s, "a")) })
	if !errors.Is(err, origin.ErrConflict) || stored(t, s) != "a b" {
		t.Errorf("%v, stored %q", err, stored(t, s))
	}
	if err := add(s, "d"); err != nil || stored(t, s) != "a b d" {
		t.Errorf("afterwards: %v, stored %q", err, stored(t, s))
	}
}
