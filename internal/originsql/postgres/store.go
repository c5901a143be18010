package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/pause"
)

const (
	maxConnections = 10
	maxTries       = 10 // of a statement that Postgres refuses because of a concurrent one
	longestPause   = 250 * time.Millisecond
)

// parameters of each connection. The locks of this package are designed for
// READ COMMITTED. A wait for a lock ends as it does in SQLite.
var parameters = map[string]string{
	"application_name":                    "colophon",
	"default_transaction_isolation":       "read committed",
	"lock_timeout":                        "10s",
	"statement_timeout":                   "120s",
	"idle_in_transaction_session_timeout": "120s",
}

// Database is an origin store in Postgres.
type Database struct {
	pool    *pgxpool.Pool
	checked atomic.Bool // the schema is that of this program
}

var (
	_ originsql.Backend    = (*Database)(nil)
	_ originsql.Transactor = (*Database)(nil)
)

// IsAddress reports whether a text is an address for Open.
func IsAddress(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

// Open returns the database at an address, "postgres://user@host/database?…" as
// libpq takes it, with PGPASSWORD, PGPASSFILE and the like from the
// environment. It does not connect yet. Of several hosts the one that is the
// primary is used: what a standby answers may be older than a withdrawal.
func Open(ctx context.Context, address string) (*Database, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the address of Postgres: %w", err) // its password is left out by pgx
	}
	if !strings.Contains(address, "pool_max_conns=") {
		config.MaxConns = maxConnections
	}
	for name, value := range parameters {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set || name == "default_transaction_isolation" {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	config.ConnConfig.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		conn.TypeMap().RegisterType(&pgtype.Type{Name: "json", OID: pgtype.JSONOID, Codec: pgtype.TextCodec{}}) // as the store reads it
		return requireDurability(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &Database{pool: pool}, nil
}

// requireDurability makes commits wait for the disk if the server or the role
// is configured otherwise. Stricter settings are kept.
func requireDurability(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'")
	return err
}

// Close ends all connections.
func (d *Database) Close() { d.pool.Close() }

// Store returns the store in the database.
func (d *Database) Store() *originsql.Store { return originsql.OverBackend(d) }

// Run runs one statement as its own transaction. It returns
// origin.ErrUnavailable if the schema is not that of this program.
func (d *Database) Run(ctx context.Context, s originsql.Statement) (originsql.Rows, error) {
	if err := d.requireSchema(ctx); err != nil {
		return nil, err
	}
	var cells [][]any
	err := repeatTransaction(ctx, func() (err error) {
		cells, err = d.runStatement(ctx, d.pool, s)
		return err
	})
	if err != nil {
		return nil, explainError(err)
	}
	return originsql.NewRows(cells), nil
}

func (d *Database) requireSchema(ctx context.Context) error {
	if d.checked.Load() {
		return nil
	}
	err := d.CheckSchema(ctx)
	switch {
	case err == nil:
		d.checked.Store(true)
		return nil
	case errors.Is(err, origin.ErrUnavailable), ctx.Err() != nil:
		return err
	}
	return &storeError{err, origin.ErrUnavailable}
}

// repeatTransaction runs a transaction, and repeats it if it was refused
// because of a concurrent one.
func repeatTransaction(ctx context.Context, do func() error) error {
	most := 2 * time.Millisecond
	for try := 1; ; try++ {
		err := do()
		if err == nil || try == maxTries || !mayRepeat(err) {
			return err
		}
		if err := pause.For(ctx, rand.N(most)); err != nil {
			return err
		}
		most = min(2*most, longestPause)
	}
}

// sender is a pool, a connection or a transaction.
type sender interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// runStatement sends a statement with the lock that it needs. Statements sent
// together are one transaction, which is committed when its results can be closed.
func (d *Database) runStatement(ctx context.Context, to sender, s originsql.Statement) ([][]any, error) {
	var batch pgx.Batch
	if s.Writes {
		if s.Lazy {
			batch.Queue("SELECT set_config('synchronous_commit', 'off', true)")
		}
		if s.Lock.Key != "" {
			batch.Queue(lockStatement(s.Lock), s.Lock.Key)
		}
	}
	batch.Queue(Translate(s.Text), s.Args...)

	results := to.SendBatch(ctx, &batch)
	cells, err := readLast(results, batch.Len())
	if closeErr := results.Close(); err == nil {
		err = closeErr
	}
	return cells, err
}

// readLast reads the results of n statements and keeps those of the last one.
func readLast(results pgx.BatchResults, n int) (cells [][]any, err error) {
	for range n {
		found, err := results.Query()
		if err != nil {
			return nil, err
		}
		if cells, err = readCells(found); err != nil {
			return nil, err
		}
	}
	return cells, nil
}

// readCells reads rows to their end, in the types of the store.
func readCells(found pgx.Rows) ([][]any, error) {
	defer found.Close()
	var cells [][]any
	for found.Next() {
		row, err := found.Values()
		if err != nil {
			return nil, err
		}
		for i := range row {
			row[i] = cellOf(row[i])
		}
		cells = append(cells, row)
	}
	return cells, found.Err()
}

func cellOf(v any) any {
	switch x := v.(type) {
	case int32:
		return int64(x)
	case int16:
		return int64(x)
	case bool:
		if x {
			return int64(1)
		}
		return int64(0)
	}
	return v
}

// Transact runs fn in one transaction. Postgres may require fn to be run again
// from its beginning. Other transactions of this kind wait until it ends.
func (d *Database) Transact(ctx context.Context, fn func(originsql.Backend) error) error {
	if err := d.requireSchema(ctx); err != nil {
		return err
	}
	var fnErr error
	err := repeatTransaction(ctx, func() error {
		return pgx.BeginTxFunc(ctx, d.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+atomicLock+")"); err != nil {
				return err
			}
			fnErr = fn(&transaction{d, tx})
			return fnErr
		})
	})
	if fnErr != nil {
		return err // the words and the kind are those of fn
	}
	return explainError(err)
}

// transaction runs statements within one.
type transaction struct {
	*Database
	tx pgx.Tx
}

// Run runs one statement. When it fails, the transaction continues without it.
func (t *transaction) Run(ctx context.Context, s originsql.Statement) (originsql.Rows, error) {
	s.Lazy = false
	var cells [][]any
	err := pgx.BeginFunc(ctx, t.tx, func(savepoint pgx.Tx) (err error) {
		cells, err = t.runStatement(ctx, savepoint, s)
		return err
	})
	if err != nil {
		return nil, explainError(err)
	}
	return originsql.NewRows(cells), nil
}
