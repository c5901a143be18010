package faulttest

import (
	"database/sql"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
)

var must = assert.NoError

func openOn(t *testing.T, d *Disk, path, options string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?vfs="+d.Name()+"&_pragma=journal_mode(WAL)&"+options)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func ids(t *testing.T, path string) string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	var verdict, list string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("integrity: %s %v", verdict, err)
	}
	must(t, db.QueryRow("SELECT coalesce(group_concat(id, ' '), '') FROM (SELECT id FROM t ORDER BY id)").Scan(&list))
	return list
}

// TestPowerLoss checks that the simulated disk loses writes: with synchronous =
// NORMAL a commit is lost, with FULL it is not.
func TestPowerLoss(t *testing.T) {
	for level, want := range map[string]string{"NORMAL": "", "FULL": "a b"} {
		d, dir, after := New(t), t.TempDir(), t.TempDir()
		db := openOn(t, d, filepath.Join(dir, "t.db"), "_pragma=synchronous("+level+")")
		for _, q := range []string{"CREATE TABLE t (id TEXT PRIMARY KEY)", "PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO t VALUES ('a')", "INSERT INTO t VALUES ('b')"} {
			if _, err := db.Exec(q); err != nil {
				t.Fatalf("%s: %v", q, err)
			}
		}
		must(t, d.PowerLoss(dir, after, nil))
		if got := ids(t, filepath.Join(after, "t.db")); got != want {
			t.Errorf("%s: %q is left, not %q", level, got, want)
		}
	}
}

// TestTornWrites simulates losses of power at random times during many commits.
func TestTornWrites(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	d, dir := New(t), t.TempDir()
	db := openOn(t, d, filepath.Join(dir, "t.db"), "_pragma=synchronous(NORMAL)&_pragma=wal_autocheckpoint(20)")
	must(t, assert.Err(db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, filler TEXT)")))
	must(t, assert.Err(db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")))
	lost := false
	for i := range 60 {
		must(t, assert.Err(db.Exec("INSERT INTO t VALUES (?1, ?2)", i, strings.Repeat("x", 3000))))
		after := t.TempDir()
		must(t, d.PowerLoss(dir, after, random))
		n := len(strings.Fields(ids(t, filepath.Join(after, "t.db"))))
		lost = lost || n < i+1
	}
	if !lost {
		t.Error("nothing was ever lost")
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		want  string
	}{{NoSpace, "full"}, {Short, "full"}, {IO, "I/O"}, {Busy, "locked"}} {
		d := New(t)
		path := filepath.Join(t.TempDir(), "t.db")
		db := openOn(t, d, path, "_pragma=synchronous(FULL)")
		db.SetMaxOpenConns(1)
		must(t, assert.Err(db.Exec("CREATE TABLE t (id TEXT PRIMARY KEY)")))
		d.Set(Plan{Fault: c.fault})
		if _, err := db.Exec("INSERT INTO t VALUES ('a')"); err != nil || d.Calls() == 0 {
			t.Fatalf("%s: %v after %d calls", c.fault, err, d.Calls())
		}
		d.Set(Plan{Fault: c.fault, From: 1})
		assert.ErrorContains(t, assert.Err(db.Exec("INSERT INTO t VALUES ('b')")), string(c.fault), c.want)
		if d.Failed() == 0 {
			t.Errorf("%s: no call failed", c.fault)
		}
		d.Set(Plan{})
		if _, err := db.Exec("INSERT INTO t VALUES ('c')"); err != nil {
			t.Errorf("%s: afterwards %v", c.fault, err)
		}
		db.Close()
		assert.Equal(t, ids(t, path), "a c", "%s: stored", c.fault)
	}
}
