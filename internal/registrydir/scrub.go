package registrydir

import (
	"context"
	"database/sql"
	"errors"
)

var errLogBusy = errors.New("the write-ahead log is in use by a long reader")

// TruncateLog moves the write-ahead log into the store and empties it, so that
// no earlier bytes are left in it.
func TruncateLog(ctx context.Context, db *sql.DB) error {
	var busy, frames, moved int
	if err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return errLogBusy
	}
	return nil
}

// RemoveFreePages rewrites the store without its free pages, some of which may have
// been freed before erased rows were overwritten.
func RemoveFreePages(ctx context.Context, db *sql.DB) error {
	if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	return TruncateLog(ctx, db)
}
