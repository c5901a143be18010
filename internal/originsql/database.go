package originsql

import (
	"context"
	"database/sql"
)

// database is what the store needs below it: one statement at a time, with
// numbered parameters that are string, int64, float64, []byte or nil.
type database interface {
	query(ctx context.Context, text string, args []any) (rows, error)
	exec(ctx context.Context, text string, args []any) error
}

// rows are an answer, read as those of database/sql are.
type rows interface {
	scanner
	Next() bool
	Err() error
	Close() error
}

// Store is an origin store over a database.
type Store struct{ db database }

// New returns the store in db, whose schema must be current (see Migrate).
func New(db *sql.DB) *Store { return &Store{pool{db}} }

// DB returns the database below, for the few needs that are not origin's. It
// is nil for a store of Over.
func (s *Store) DB() *sql.DB {
	p, _ := s.db.(pool)
	return p.DB
}

// pool is a database of database/sql.
type pool struct{ *sql.DB }

func (p pool) query(ctx context.Context, text string, args []any) (rows, error) {
	return p.QueryContext(ctx, text, args...)
}

func (p pool) exec(ctx context.Context, text string, args []any) error {
	_, err := p.ExecContext(ctx, text, args...)
	return err
}
