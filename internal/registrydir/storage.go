package registrydir

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"colophon/internal/backup"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/originsql/local"
	"colophon/internal/pause"
)

// reopenAfter is how long a server waits before it tries again to open an
// origin whose storage failed.
const reopenAfter = 10 * time.Second

// ExplainStorage turns an error of the storage below the origin into one line
// that says what is wrong and what to do. It returns other errors as they are.
func (d *Dir) ExplainStorage(err error) error {
	if d.IsRemote() {
		return err
	}
	err = d.nameDiskError(err)
	trouble, advice := storageTrouble(err)
	switch {
	case trouble == "":
		return err
	case errors.Is(err, originsql.ErrNotRecorded): // run again, it would be done twice
		return fmt.Errorf("%w: "+trouble, originsql.ErrNotRecorded, d.Path)
	}
	return fmt.Errorf(trouble+": "+advice+" (%w)", d.Path, rootCause(err))
}

// storageTrouble says what ails the storage, with %q for the folder, and what
// to do; "" where an error is about something else.
func storageTrouble(err error) (trouble, advice string) {
	switch {
	case errors.Is(err, originsql.ErrFull):
		return "the disk of %q is full", "make room, then run the command again"
	case errors.Is(err, originsql.ErrReadOnly):
		return "the registry in %q cannot be written", "its folder or its files are read-only for this user"
	case errors.Is(err, originsql.ErrDamaged):
		return "the origin store in %q is damaged or not a database", "restore it from a backup"
	case errors.Is(err, originsql.ErrLocked):
		return "another program holds the origin store in %q", "run the command again when it has ended"
	case errors.Is(err, originsql.ErrDisk):
		return "the disk of %q failed", "see the system's log, and whether the disk is full or gone"
	}
	return "", ""
}

// rootCause returns what an error was before anyone wrapped it.
func rootCause(err error) error {
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		if inner := wrapper.Unwrap(); inner != nil {
			return rootCause(inner)
		}
	case interface{ Unwrap() []error }:
		if list := wrapper.Unwrap(); len(list) > 0 {
			return rootCause(list[0])
		}
	}
	return err
}

// nameDiskError determines whether a failed disk is full or read-only, which
// SQLite does not distinguish while it opens a database.
func (d *Dir) nameDiskError(err error) error {
	if !errors.Is(err, originsql.ErrDisk) {
		return err
	}
	cause := probeFolder(d.Path)
	if cause == nil {
		return err
	}
	return fmt.Errorf("%w (%w)", err, cause)
}

// probeFolder writes a small file and removes it. It returns ErrReadOnly,
// ErrFull, or nil when it was written or failed for another reason.
func probeFolder(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err == nil {
		defer os.Remove(f.Name())
		_, err = f.Write(make([]byte, 64<<10)) // more than SQLite needs to open a database
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return originsql.ErrReadOnly
	case errors.Is(err, syscall.ENOSPC):
		return originsql.ErrFull
	}
	return nil
}

// OpenServing opens the origin for a server. Where its storage fails, the
// server serves the published files all the same: what needs the origin is
// answered with 503 until it can be opened, which is tried again and again.
func (d *Dir) OpenServing(ctx context.Context) (*originsql.Store, func(), error) {
	if d.Origin != "" {
		return d.openServingPostgres(ctx)
	}
	store, done, err := d.OpenStore(ctx)
	if err == nil || d.D1 != "" || !isUnusable(err) {
		return store, done, err
	}

	// The driver is looked up by its name; nothing is opened.
	named, openErr := sql.Open("sqlite", "")
	if openErr != nil {
		return nil, nil, openErr
	}
	gate := local.NewGate(named.Driver(), originsql.Wrap("open the database", err))
	db := sql.OpenDB(gate)
	db.SetMaxIdleConns(8)

	if d.openGate(ctx, gate) {
		return originsql.New(db), func() { db.Close() }, nil
	}
	d.warn("%v; serving published files only, what needs the origin answers 503", d.ExplainStorage(err))
	retrying, stop := context.WithCancel(ctx)
	go d.keepOpening(retrying, gate)
	return originsql.New(db), func() {
		stop()
		db.Close()
	}, nil
}

// DistrustStore makes the next command read the whole store before it uses it,
// because this one could not read what it needed.
func (d *Dir) DistrustStore(err error) {
	if !errors.Is(err, originsql.ErrDamaged) && !errors.Is(err, originsql.ErrDisk) {
		return
	}
	_ = local.ForgetCheck(d.File(OriginFile)) // that the disk cannot be written is already reported
}

// isUnusable reports whether an origin that is there cannot be used for now.
func isUnusable(err error) bool {
	return errors.Is(err, origin.ErrUnavailable) || errors.Is(err, originsql.ErrDamaged) || errors.Is(err, os.ErrPermission)
}

func (d *Dir) keepOpening(ctx context.Context, gate *local.Gate) {
	for pause.For(ctx, reopenAfter) == nil {
		if d.openGate(ctx, gate) {
			d.warn("the origin store in %q can be used again", d.Path)
			return
		}
	}
}

// openGate opens the gate when the database can be used: for reading and
// writing, or else for reading.
func (d *Dir) openGate(ctx context.Context, gate *local.Gate) bool {
	path := d.File(OriginFile)
	_, done, err := d.OpenDatabase(ctx, path)
	if err == nil {
		done()
		gate.Open(local.Address(path))
		return true
	}
	err = d.nameDiskError(err)
	if !errors.Is(err, originsql.ErrReadOnly) || checkReadable(ctx, path) != nil {
		return false
	}
	d.warn("%v; the origin is read, and what would write to it answers 503", d.ExplainStorage(err))
	gate.Open(local.ReadOnly(path))
	return true
}

// checkReadable checks that a database can be read and needs no migration.
func checkReadable(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", local.ReadOnly(path))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := backup.CheckPages(ctx, db); err != nil {
		return err
	}
	return originsql.Migrate(ctx, db) // it fails when there is something to do
}
