package originsql

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

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
