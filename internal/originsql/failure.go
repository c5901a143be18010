package originsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"

	"colophon/internal/origin"
)

// Failures of the storage below the origin. Each of these errors is also an
// origin.ErrUnavailable. A write that failed with one was not acknowledged and
// may be repeated.
var (
	ErrFull     = errors.New("the disk is full")
	ErrReadOnly = errors.New("the database cannot be written")
	ErrDamaged  = errors.New("the database is damaged")
	ErrLocked   = errors.New("the database is locked by another program")
	ErrDisk     = errors.New("the disk failed")
)

// troubles maps words in error texts to errors: those of SQLite's
// sqlite3_errstr, the names of its codes as D1 appends them, and D1's own.
var troubles = []struct {
	words string
	kind  error
}{
	{"UNIQUE constraint failed", origin.ErrConflict},
	{"ledger: ", origin.ErrConflict},

	{"database or disk is full", ErrFull},
	{"SQLITE_FULL", ErrFull},
	{"Exceeded maximum DB size", ErrFull},
	{"readonly database", ErrReadOnly},
	{"SQLITE_READONLY", ErrReadOnly},
	{"database disk image is malformed", ErrDamaged},
	{"SQLITE_CORRUPT", ErrDamaged},
	{"file is not a database", ErrDamaged},
	{"SQLITE_NOTADB", ErrDamaged},
	{"database is locked", ErrLocked},
	{"database table is locked", ErrLocked},
	{"locking protocol", ErrLocked},
	{"SQLITE_BUSY", ErrLocked},
	{"disk I/O error", ErrDisk},
	{"SQLITE_IOERR", ErrDisk},
	{"unable to open database file", ErrDisk},

	{"out of memory", origin.ErrUnavailable},
	{"overloaded", origin.ErrUnavailable},
	{"Network connection lost", origin.ErrUnavailable},
	{"reset because its code was updated", origin.ErrUnavailable},
	{"caused object to be reset", origin.ErrUnavailable},
	{"sql: database is closed", origin.ErrUnavailable}, // the server is going down
}

// Wrap wraps an error of the database with what was attempted, so that
// errors.Is recognizes it: origin.ErrNotFound for sql.ErrNoRows,
// origin.ErrConflict for a violated constraint, and origin.ErrUnavailable
// together with one of the errors above for failing storage, even if err
// already is one of them. The error of a context that ended is left as it is.
func Wrap(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return origin.ErrNotFound
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, origin.ErrUnavailable): // wrapped before
		return &storeError{what, err, nil}
	}
	return &storeError{what, err, kindOf(err)}
}

func kindOf(err error) error {
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		return origin.ErrUnavailable
	}
	for _, kind := range []error{ErrFull, ErrReadOnly, ErrDamaged, ErrLocked, ErrDisk} {
		if errors.Is(err, kind) { // found by a check, not by SQLite
			return kind
		}
	}
	text := err.Error()
	for _, t := range troubles {
		if strings.Contains(text, t.words) {
			return t.kind
		}
	}
	return nil
}

type storeError struct {
	what string
	err  error
	kind error // nil if callers need not distinguish it
}

func (e *storeError) Error() string { return "origin store: cannot " + e.what + ": " + e.err.Error() }

func (e *storeError) Unwrap() []error {
	switch e.kind {
	case nil:
		return []error{e.err}
	case origin.ErrConflict, origin.ErrUnavailable:
		return []error{e.err, e.kind}
	}
	return []error{e.err, e.kind, origin.ErrUnavailable}
}
