package originsql

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// database is what the store needs: it runs one statement at a time, with
// numbered parameters of type string, int64, float64, []byte or nil.
type database interface {
	query(ctx context.Context, s Statement) (rows, error)
	exec(ctx context.Context, s Statement) error
}

// rows are an answer, read as those of database/sql are.
type rows interface {
	scanner
	Next() bool
	Err() error
	Close() error
}

// Store is an origin store over a database.
type Store struct {
	db     database
	defers bool // its statements are lazy
}

// New returns the store in db, whose schema must be current (see Migrate). A
// write that returned without an error is committed, and as safe from a loss of
// power as the connections of db make it: open them with "PRAGMA synchronous =
// FULL". Concurrent writes share transactions.
func New(db *sql.DB) *Store { return &Store{db: pool{db, &committer{db: db}, &prepared{db: db}}} }

// DB returns the underlying database, for the few uses outside package origin.
// It is nil for a store returned by Over.
func (s *Store) DB() *sql.DB {
	p, _ := s.db.(pool)
	return p.DB
}

// Bulk runs fn with a store whose single writes do not wait for the disk, for
// commands that write much and promise nothing until they end. Everything
// written is on the disk when Bulk returns without an error. After an earlier
// loss of power, a prefix of the writes is present, in their order.
func (s *Store) Bulk(ctx context.Context, fn func(*Store) error) error {
	err := fn(s.lazy())
	// touch is a statement whose commit waits for the disk, and with it for all
	// earlier ones.
	const touch = "UPDATE meta SET value = value WHERE name = 'changes'"
	return errors.Join(err, s.exec(context.WithoutCancel(ctx), write("write all to the disk", touch)))
}

// Atomically runs fn with a store whose writes all take effect or none does,
// for commands that write several records as one. The database takes no other
// write until fn returns. A store returned by Over has no transactions (D1), so
// each write is then separate. Postgres allows other writes meanwhile, and may
// run fn again from its beginning.
func (s *Store) Atomically(ctx context.Context, fn func(*Store) error) error {
	if b, ok := s.db.(backend); ok {
		if t, ok := b.Backend.(Transactor); ok {
			return t.Transact(ctx, func(within Backend) error { return fn(OverBackend(within)) })
		}
	}
	p, ok := s.db.(pool)
	if !ok {
		return fn(s)
	}
	conn, err := p.Conn(ctx)
	if err != nil {
		return Wrap("open the database", err)
	}
	defer conn.Close()
	defer func() {
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), usualMemory); err != nil {
			discardConn(conn)
		}
	}()
	if _, err := conn.ExecContext(ctx, muchMemory+"; BEGIN IMMEDIATE"); err != nil {
		return Wrap("begin a transaction", err)
	}
	within := &transaction{Conn: conn, writes: map[string]*sql.Stmt{}}
	err = fn(&Store{db: within})
	if closed := within.closeWrites(); err == nil {
		err = Wrap("end a transaction", closed)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
		err = Wrap("commit a transaction", err)
	}
	if err != nil {
		rollBack(context.WithoutCancel(ctx), conn)
	}
	return err
}

// A transaction may write thousands of rows, each into several indexes. In
// the usual 2 MB SQLite would write the pages that it needs next to the disk, and
// keep in a file what a statement has to undo if it fails.
const (
	muchMemory  = "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY"
	usualMemory = "PRAGMA cache_size = -2000; PRAGMA temp_store = DEFAULT"
)

// transaction is a connection within a transaction. It prepares each statement that
// writes once: most transactions write many rows of few tables.
type transaction struct {
	*sql.Conn
	mu     sync.Mutex
	writes map[string]*sql.Stmt
}

func (t *transaction) query(ctx context.Context, s Statement) (rows, error) {
	return t.QueryContext(ctx, s.Text, s.Args...)
}

func (t *transaction) exec(ctx context.Context, s Statement) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	statement := t.writes[s.Text]
	if statement == nil {
		var err error
		if statement, err = t.PrepareContext(ctx, s.Text); err != nil {
			return err
		}
		t.writes[s.Text] = statement
	}
	_, err := statement.ExecContext(ctx, s.Args...)
	return err
}

func (t *transaction) closeWrites() error {
	var errs []error
	for _, statement := range t.writes {
		errs = append(errs, statement.Close())
	}
	return errors.Join(errs...)
}

// pool is a database of database/sql. Reads take a connection each, writes go
// through the committer.
type pool struct {
	*sql.DB
	writes *committer
	reads  *prepared
}

func (p pool) query(ctx context.Context, s Statement) (rows, error) {
	if !s.Writes {
		return p.reads.query(ctx, s)
	}
	return p.writes.runWrite(ctx, &pending{Statement: s})
}

func (p pool) exec(ctx context.Context, s Statement) error {
	_, err := p.writes.runWrite(ctx, &pending{Statement: s})
	return err
}
