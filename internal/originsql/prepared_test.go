package originsql

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
)

// TestPrepared checks that a statement is kept for each text up to a bound,
// that others are answered too, and that kept statements follow the schema: an
// added column shows.
func TestPrepared(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "a.db"))
	must(t, err)
	defer db.Close()
	must(t, assert.Err(db.Exec("CREATE TABLE a (b INTEGER); INSERT INTO a VALUES (7)")))
	p := &prepared{db: db}
	columns := func(want int) {
		t.Helper()
		found, err := p.query(t.Context(), Statement{Text: "SELECT * FROM a"})
		must(t, err)
		defer found.Close()
		names, err := found.(*sql.Rows).Columns()
		if len(names) != want || err != nil {
			t.Errorf("%q, %v", names, err)
		}
	}
	columns(1)
	columns(1)
	assert.Equal(t, len(p.statements), 1, "statements are kept")
	must(t, assert.Err(db.Exec("ALTER TABLE a ADD c TEXT")))
	columns(2)
	if _, err := p.query(t.Context(), Statement{Text: "SELECT nothing FROM a"}); err == nil || len(p.statements) != 1 {
		t.Errorf("a statement that is none: %v, %d kept", err, len(p.statements))
	}
	s := &Store{db: pool{db, &committer{db: db}, p}}
	for i := range maxPrepared + 10 {
		n, err := queryOne(t.Context(), s, scanInt, read("count", "SELECT "+strconv.Itoa(i)))
		if n != int64(i) || err != nil {
			t.Fatalf("%d: %d, %v", i, n, err)
		}
	}
	assert.Equal(t, len(p.statements), maxPrepared, "statements are kept")
}

// TestPreparedTogether runs the same statements for many readers at once.
func TestPreparedTogether(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "a.db"))
	must(t, err)
	defer db.Close()
	s := New(db)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for k := range 50 {
				n, err := queryOne(t.Context(), s, scanInt, read("count", "SELECT ?1 + "+strconv.Itoa(k%5), int64(i)))
				if n != int64(i+k%5) || err != nil {
					t.Errorf("%d, %d: %d, %v", i, k, n, err)
				}
			}
		})
	}
	all.Wait()
}

// TestTransactionMemory gives a connection more memory for a transaction and takes it
// back afterwards, whether or not the transaction fails.
func TestTransactionMemory(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "a.db"))
	must(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	s := &Store{db: pool{db, &committer{db: db}, &prepared{db: db}}}
	memory := func(s *Store, cache, temp int64) {
		t.Helper()
		for name, want := range map[string]int64{"cache_size": cache, "temp_store": temp} {
			if n, err := queryOne(t.Context(), s, scanInt, read("ask", "PRAGMA "+name)); n != want || err != nil {
				t.Errorf("%s is %d, want %d: %v", name, n, want, err)
			}
		}
	}
	for _, want := range []error{nil, errors.New("not now")} {
		err := s.Atomically(t.Context(), func(within *Store) error {
			memory(within, -65536, 2)
			return want
		})
		if !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		memory(s, -2000, 0)
	}
}
