package originsql

import (
	"context"
	"database/sql"
)

// Statement is one statement of the store, in the dialect of SQLite with
// numbered marks (?1, ?2, …).
type Statement struct {
	Text string
	Args []any // string, int64, float64, []byte or nil
	Lazy bool  // it may reach the disk later than it returns: see Store.Bulk
}

// Reads reports whether the statement writes nothing.
func (s Statement) Reads() bool { return isRead(s.Text) }

// Rows are an answer, read as those of database/sql are.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

// Backend runs statements of the store where database/sql alone cannot: in
// another dialect, or in two places. Each statement is a transaction by itself,
// and is committed when Run returns without error. Errors may wrap
// origin.ErrConflict, origin.ErrUnavailable or one of this package.
type Backend interface {
	Run(ctx context.Context, s Statement) (Rows, error)
}

// Transactor is a Backend with transactions.
type Transactor interface {
	// Transact runs fn with a Backend whose statements are done together or
	// not at all.
	Transact(ctx context.Context, fn func(Backend) error) error
}

// OverBackend returns the store behind a Backend.
func OverBackend(b Backend) *Store { return &Store{backend{b, false}} }

// NewRows returns rows that are in memory.
func NewRows(cells [][]any) Rows { return &savedRows{cells: cells} }

// backend is a database over a Backend.
type backend struct {
	Backend
	lazy bool
}

func (b backend) sparse() database {
	b.lazy = true
	return b
}

func (b backend) query(ctx context.Context, text string, args []any) (rows, error) {
	return b.Run(ctx, Statement{text, args, b.lazy})
}

func (b backend) exec(ctx context.Context, text string, args []any) error {
	found, err := b.Run(ctx, Statement{text, args, b.lazy})
	if err != nil {
		return err
	}
	return found.Close()
}

// SaveRows reads rows to their end and closes them.
func SaveRows(found *sql.Rows) (Rows, error) {
	saved, err := saveRows(found)
	if err != nil {
		return nil, err
	}
	return saved, nil
}
