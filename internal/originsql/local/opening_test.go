package local

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"colophon/internal/assert"
)

var must = assert.NoError

var morning = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// largeDatabase returns a database larger than those that are always checked,
// after a check at an instant.
func largeDatabase(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	runStatements(t, path, "CREATE TABLE t (text BLOB)")
	must(t, os.Truncate(path, CheckedAlways+8192)) // pages that SQLite does not use yet
	if o := BeginOpening(path, morning); !o.CheckDue() {
		t.Fatal("a database that was never checked need not be")
	} else {
		passCheck(t, o)
		o.Close()
	}
	return path
}

// runStatements opens a database, runs statements and closes it.
func runStatements(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", Address(path))
	must(t, err)
	for _, s := range statements {
		_, err := db.ExecContext(context.Background(), s)
		must(t, err)
	}
	must(t, db.Close())
}

func passCheck(t *testing.T, o *Opening) {
	t.Helper()
	must(t, o.Check(func() error { return nil }))
}

// wantDue opens the database at an instant and compares whether a check is due.
func wantDue(t *testing.T, path string, at time.Time, want bool) {
	t.Helper()
	o := BeginOpening(path, at)
	defer o.Close()
	assert.Equal(t, o.CheckDue(), want, "a check is due")
}

func TestCheckHoldsForADay(t *testing.T) {
	path := largeDatabase(t)
	wantDue(t, path, morning, false)
	wantDue(t, path, morning.Add(24*time.Hour-time.Second), false)
	wantDue(t, path, morning.Add(24*time.Hour), true)
	wantDue(t, path, morning, true) // because the note is gone
}

func TestCheckOfTheFuture(t *testing.T) {
	path := largeDatabase(t)
	wantDue(t, path, morning.Add(-time.Second), true)
}

func TestSmallDatabaseIsCheckedAlways(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	runStatements(t, path, "CREATE TABLE t (text BLOB)")
	for range 2 {
		o := BeginOpening(path, morning)
		if !o.CheckDue() {
			t.Error("it need not be checked")
		}
		passCheck(t, o)
		o.Close()
	}
	assert.Fails(t, assert.Err(os.Stat(path+NoteSuffix)), "a note was kept")
}

// TestCheckOfAnotherFile changes the file in ways that SQLite never does.
func TestCheckOfAnotherFile(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, path string){
		"a byte, and its old times": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			must(t, err)
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			must(t, err)
			_, err = f.WriteAt([]byte("x"), 20<<20)
			must(t, err)
			must(t, f.Close())
			must(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		},
		"a copy in its place": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			must(t, err)
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path+".new", data, 0o600))
			must(t, os.Chtimes(path+".new", info.ModTime(), info.ModTime()))
			must(t, os.Rename(path+".new", path))
		},
		"a cut": func(t *testing.T, path string) { must(t, os.Truncate(path, CheckedAlways+4096)) },
		"a note that is torn": func(t *testing.T, path string) {
			info, err := os.Stat(path + NoteSuffix)
			must(t, err)
			must(t, os.Truncate(path+NoteSuffix, info.Size()-3))
		},
		"no note":          func(t *testing.T, path string) { must(t, os.Remove(path+NoteSuffix)) },
		"a note of nobody": func(t *testing.T, path string) { must(t, os.WriteFile(path+NoteSuffix, []byte("{}\n"), 0o600)) },
		"a folder as a note": func(t *testing.T, path string) {
			must(t, os.Remove(path+NoteSuffix))
			must(t, os.Mkdir(path+NoteSuffix, 0o700))
		},
		"a reading failed": func(t *testing.T, path string) { must(t, ForgetCheck(path)) },
		"another program wrote": func(t *testing.T, path string) {
			runStatements(t, path, "INSERT INTO t VALUES ('one')")
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := largeDatabase(t)
			change(t, path)
			wantDue(t, path, morning, true)
		})
	}
}

// TestCheckOfACopiedFolder copies the database with its note and all times.
func TestCheckOfACopiedFolder(t *testing.T) {
	from := largeDatabase(t)
	to := filepath.Join(t.TempDir(), "t.db")
	for _, suffix := range []string{"", NoteSuffix} {
		info, err := os.Stat(from + suffix)
		must(t, err)
		data, err := os.ReadFile(from + suffix)
		must(t, err)
		must(t, os.WriteFile(to+suffix, data, 0o600))
		must(t, os.Chtimes(to+suffix, info.ModTime(), info.ModTime()))
	}
	wantDue(t, to, morning, true)
	wantDue(t, from, morning, false)
}

// TestOwnWritesKeepTheCheck writes in one opening; the next one must trust
// these writes until the day of the check ends.
func TestOwnWritesKeepTheCheck(t *testing.T) {
	path := largeDatabase(t)
	o := BeginOpening(path, morning.Add(time.Hour))
	runStatements(t, path, "INSERT INTO t VALUES ('one')")
	o.Close()
	wantDue(t, path, morning.Add(2*time.Hour), false)
	wantDue(t, path, morning.Add(24*time.Hour), true)
}

// TestLogThatWasLeft has a log with content beside the database: first of
// another opening, then of one that was killed.
func TestLogThatWasLeft(t *testing.T) {
	path := largeDatabase(t)
	served := BeginOpening(path, morning)
	db, err := sql.Open("sqlite", Address(path))
	must(t, err)
	defer db.Close()
	_, err = db.ExecContext(context.Background(), "INSERT INTO t VALUES ('one')")
	must(t, err)

	wantDue(t, path, morning, false)
	served.releaseNote() // as at the end of a process
	wantDue(t, path, morning, true)
}

// TestLogOfAReader has an empty log, which a killed reader leaves behind:
// nothing was being written.
func TestLogOfAReader(t *testing.T) {
	path := largeDatabase(t)
	must(t, os.WriteFile(path+"-wal", nil, 0o600))
	wantDue(t, path, morning, false)
}

// TestCheckThatFails checks that a failed check leaves no note, neither during
// nor after it, nor by an opening that trusted the previous check.
func TestCheckThatFails(t *testing.T) {
	path := largeDatabase(t)
	trusting := BeginOpening(path, morning)
	checking := BeginOpening(path, morning)
	checking.RequireCheck()
	wantDue(t, path, morning, true)
	bad := errors.New("a page is damaged")
	assert.ErrorIs(t, checking.Check(func() error { return bad }), bad, "the check ended with")
	wantDue(t, path, morning, true)
	runStatements(t, path, "INSERT INTO t VALUES ('one')")
	checking.Close()
	trusting.Close()
	wantDue(t, path, morning, true)
}

// TestWriteDuringACheck lets another program write to the file while it is
// being checked.
func TestWriteDuringACheck(t *testing.T) {
	path := largeDatabase(t)
	o := BeginOpening(path, morning)
	o.RequireCheck()
	must(t, o.Check(func() error {
		runStatements(t, path, "INSERT INTO t VALUES ('one')")
		return nil
	}))
	wantDue(t, path, morning, true)
	o.Close()
}

// TestNoteThatCannotBeKept uses a folder in which no file can be created.
func TestNoteThatCannotBeKept(t *testing.T) {
	path := largeDatabase(t)
	must(t, os.Remove(path+NoteSuffix))
	must(t, os.Symlink(filepath.Join(t.TempDir(), "none", "none"), path+NoteSuffix))
	for range 2 {
		o := BeginOpening(path, morning)
		if !o.CheckDue() {
			t.Error("it need not be checked")
		}
		passCheck(t, o)
		o.Close()
	}
}
