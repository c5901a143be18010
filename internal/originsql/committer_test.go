package originsql

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"colophon/internal/origin"
)

// openTable returns a store over a file with one small table.
func openTable(t *testing.T) *Store {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "t.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(1000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	const schema = "CREATE TABLE t (id TEXT PRIMARY KEY); CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER); INSERT INTO meta VALUES ('changes', 0)"
	if _, err := db.Exec(schema); err != nil {
		t.Fatal(err)
	}
	return New(db)
}

func stored(t *testing.T, s *Store) string {
	t.Helper()
	list, err := queryAll(context.Background(), s, scanText, read("list", "SELECT id FROM t ORDER BY id"))
	if err != nil {
		t.Fatal(err)
	}
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
	if err := s.db.(pool).writes.commitBatch(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	for i, fails := range []bool{false, true, true, false} {
		if (batch[i].err != nil) != fails {
			t.Errorf("statement %d: %v", i, batch[i].err)
		}
	}
	if got := stored(t, s); got != "a b" {
		t.Errorf("stored %q", got)
	}
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
		if err := s.db.(pool).writes.commitBatch(context.Background(), batch); err == nil {
			t.Error("the batch is reported as done")
		}
		if got := stored(t, s); got != "" {
			t.Errorf("stored %q", got)
		}
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
				if !errors.Is(err, origin.ErrConflict) {
					t.Errorf("%s again: %v", id, err)
				}
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
	if err := s.DB().QueryRow("PRAGMA synchronous").Scan(&level); err != nil {
		t.Fatal(err)
	}
	return level
}

func TestOnlySparseTransactionsDoNotWait(t *testing.T) {
	s := openTable(t)
	s.DB().SetMaxOpenConns(1)
	lazy := &pending{Statement: Statement{Lazy: true}}
	if !allLazy([]*pending{lazy}) || allLazy([]*pending{lazy, {}}) {
		t.Error("a transaction waits for the disk unless all of its writes may do without")
	}
	if err := s.lazy().exec(context.Background(), write("add", "INSERT INTO t VALUES ('a')")); err != nil {
		t.Fatal(err)
	}
	if got := synchronous(t, s); got != 2 {
		t.Errorf("afterwards the connection has synchronous = %d", got)
	}
	err := s.Bulk(context.Background(), func(b *Store) error {
		return b.exec(context.Background(), write("add", "INSERT INTO t VALUES ('b')"))
	})
	if err != nil || stored(t, s) != "a b" {
		t.Errorf("%v, stored %q", err, stored(t, s))
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
