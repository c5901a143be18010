package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"colophon/internal/assert"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/postgres"
)

// newStore returns a store in a new database, and a separate connection to it.
func newStore(t *testing.T, parameters string) (*postgres.Database, *pgx.Conn) {
	t.Helper()
	ctx := context.Background()
	address := cluster.NewDatabase(t)
	plain, err := postgres.Open(ctx, address)
	must(t, err)
	defer plain.Close()
	must(t, plain.Migrate(ctx))
	db, err := postgres.Open(ctx, address+parameters)
	must(t, err)
	t.Cleanup(db.Close)
	conn, err := pgx.Connect(ctx, address)
	must(t, err)
	t.Cleanup(func() { conn.Close(ctx) })
	return db, conn
}

func execAll(t *testing.T, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if _, err := conn.Exec(context.Background(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestReadOnlyDatabase(t *testing.T) {
	db, _ := newStore(t, "&default_transaction_read_only=on")
	ctx, s := context.Background(), db.Store()
	if _, err := s.Sites(ctx); err != nil {
		t.Errorf("reading: %v", err)
	}
	_, err := s.SpendProof(ctx, "n", "t")
	if !errors.Is(err, originsql.ErrReadOnly) || !errors.Is(err, origin.ErrUnavailable) {
		t.Errorf("writing: %v", err)
	}
}

// TestFailedCommitSurfaces makes Postgres refuse a commit by a foreign key that
// it checks only then.
func TestFailedCommitSurfaces(t *testing.T) {
	db, conn := newStore(t, "")
	execAll(t, conn, "CREATE TABLE child (id TEXT PRIMARY KEY, parent TEXT REFERENCES sites (site_id) DEFERRABLE INITIALLY DEFERRED)")
	_, err := db.Run(context.Background(), originsql.Statement{Text: "INSERT INTO child VALUES (?1, ?2) RETURNING id", Args: []any{"c", "nobody"}})
	assert.ErrorContains(t, err, "a commit that failed", "violates foreign key")
	var n int
	if err := conn.QueryRow(context.Background(), "SELECT count(*) FROM child").Scan(&n); err != nil || n != 0 {
		t.Errorf("%d rows are left: %v", n, err)
	}
}

func TestLostConnections(t *testing.T) {
	db, conn := newStore(t, "")
	ctx, s := context.Background(), db.Store()
	must(t, assert.Err(s.Sites(ctx)))
	execAll(t, conn, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")

	// A caller whose connection was cut gets ErrUnavailable or no error.
	if _, err := s.SpendProof(ctx, "n", "t"); err != nil && !errors.Is(err, origin.ErrUnavailable) {
		t.Errorf("after the connections were cut: %v", err)
	}
	if _, err := s.SpendProof(ctx, "m", "t"); err != nil {
		t.Errorf("later: %v", err)
	}
}

func TestNobodyAnswers(t *testing.T) {
	db, err := postgres.Open(context.Background(), "postgres://127.0.0.1:1/none?connect_timeout=2")
	must(t, err)
	defer db.Close()
	assert.ErrorIs(t, assert.Err(db.Store().Sites(context.Background())), origin.ErrUnavailable, "a server that is not there")
}

// TestSchemaIsRequired checks that a server which started before its database
// answers as soon as the schema is there.
func TestSchemaIsRequired(t *testing.T) {
	ctx := context.Background()
	address := cluster.NewDatabase(t)
	db, err := postgres.Open(ctx, address)
	must(t, err)
	defer db.Close()
	if _, err := db.Store().Sites(ctx); !errors.Is(err, postgres.ErrEmpty) || !errors.Is(err, origin.ErrUnavailable) {
		t.Errorf("an empty database: %v", err)
	}
	must(t, db.Migrate(ctx))
	if _, err := db.Store().Sites(ctx); err != nil {
		t.Errorf("after the migration: %v", err)
	}
	conn, err := pgx.Connect(ctx, address)
	must(t, err)
	defer conn.Close(ctx)
	execAll(t, conn, "INSERT INTO schema_migrations (name) VALUES ('9999_later.sql')")
	assert.ErrorIs(t, db.Migrate(ctx), postgres.ErrSchema, "a schema of later")
}

// TestLocksEnd checks that no statement waits for a lock for ever.
func TestLocksEnd(t *testing.T) {
	db, conn := newStore(t, "&lock_timeout=200")
	execAll(t, conn, "BEGIN", "LOCK TABLE proofs IN ACCESS EXCLUSIVE MODE")
	_, err := db.Store().SpendProof(context.Background(), "n", "t")
	if !errors.Is(err, originsql.ErrLocked) || !errors.Is(err, origin.ErrUnavailable) {
		t.Errorf("a table that another holds: %v", err)
	}
}

// TestDeadlockIsRepeated makes another transaction deadlock with a write, which
// is then repeated.
func TestDeadlockIsRepeated(t *testing.T) {
	db, conn := newStore(t, "")
	ctx, s := context.Background(), db.Store()
	counters := []origin.Counter{{Name: "a", ResetsAt: "t"}, {Name: "b", ResetsAt: "t"}}
	must(t, assert.Err(s.Bump(ctx, counters)))
	// The other transaction is never chosen, because it checks for deadlocks
	// later.
	execAll(t, conn, "SET deadlock_timeout = '60s'", "BEGIN", "UPDATE counters SET n = n WHERE name = 'b'")
	done := make(chan error, 1)
	go func() {
		_, err := s.Bump(ctx, counters)
		done <- err
	}()
	awaitLock(t, conn)
	execAll(t, conn, "UPDATE counters SET n = n WHERE name = 'a'", "COMMIT")
	if err := <-done; err != nil {
		t.Errorf("the write was not repeated: %v", err)
	}
	got, err := s.Counts(ctx, []string{"a", "b"})
	if err != nil || len(got) != 2 || got[0].Count != 2 || got[1].Count != 2 {
		t.Errorf("%+v %v", got, err)
	}
}

// awaitLock waits until a session waits for a lock.
func awaitLock(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	for range 500 {
		var waiting int
		must(t, conn.QueryRow(context.Background(), "SELECT count(*) FROM pg_locks WHERE NOT granted").Scan(&waiting))
		if waiting > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nobody waits")
}

func TestAtomically(t *testing.T) {
	db, _ := newStore(t, "")
	ctx, s := context.Background(), db.Store()
	stop := errors.New("stop")
	err := s.Atomically(ctx, func(s *originsql.Store) error {
		if _, err := s.SpendProof(ctx, "n", "t"); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) || errors.Is(err, origin.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	err = s.Atomically(ctx, func(s *originsql.Store) error {
		p := origin.Passport{SiteID: "none", Version: 1}
		assert.Fails(t, s.AddPassport(ctx, p), "a passport of no site is added")
		won, err := s.SpendProof(ctx, "n", "t") // the transaction continues
		if !won {
			t.Error("what was undone is still there")
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDurability checks that commits wait for the disk, however the role is
// configured, except those that are marked as lazy.
func TestDurability(t *testing.T) {
	db, conn := newStore(t, "&synchronous_commit=off")
	ctx := context.Background()
	c, err := db.Inspect(ctx)
	if err != nil || c.SynchronousCommit != "off" || c.Isolation != "read committed" || c.Encoding != "UTF8" || c.Version < 100000 || !c.Local {
		t.Errorf("%+v %v", c, err)
	}
	execAll(t, conn, "CREATE TABLE seen (level TEXT)")
	insert := originsql.Statement{Writes: true, Text: "INSERT INTO seen SELECT current_setting('synchronous_commit')"}
	for _, lazy := range []bool{false, true, false} {
		insert.Lazy = lazy
		must(t, assert.Err(db.Run(ctx, insert)))
	}
	rows, err := conn.Query(ctx, "SELECT level FROM seen ORDER BY ctid")
	must(t, err)
	levels, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || strings.Join(levels, " ") != "on off on" {
		t.Errorf("the levels are %q, %v", levels, err)
	}
}
