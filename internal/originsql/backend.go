package originsql

import "context"

// Statement is one statement of the store.
type Statement struct {
	Name   string // what it does, such as "list requests"
	Text   string // in the dialect of SQLite, with numbered marks (?1, ?2, …)
	Args   []any  // string, int64, float64, []byte or nil
	Writes bool
	Lock   Lock
	Lazy   bool // it may return before it is on disk: see Store.Bulk
}

// Lock is what a writing statement must hold exclusively from before it reads
// until it is committed. SQLite runs one such statement at a time, and needs no
// lock.
type Lock struct {
	Table, Column string // the row of the table with Key in the column; if "", Key itself is locked
	Key           string // "": nothing is locked
}

func read(name, text string, args ...any) Statement {
	return Statement{Name: name, Text: text, Args: args}
}

func write(name, text string, args ...any) Statement {
	return Statement{Name: name, Text: text, Args: args, Writes: true}
}

// locking returns the statement with a lock.
func (s Statement) locking(l Lock) Statement {
	s.Lock = l
	return s
}

// Rows are an answer, read as those of database/sql are.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
	Close() error
}

// Backend runs the store's statements where database/sql alone cannot: in
// another dialect, or in two places. Each statement is its own transaction, and
// is committed when Run returns without an error. Errors may wrap
// origin.ErrConflict, origin.ErrUnavailable or one of this package.
type Backend interface {
	Run(ctx context.Context, s Statement) (Rows, error)
}

// Transactor is a Backend with transactions.
type Transactor interface {
	// Transact runs fn with a Backend whose statements all take effect or none
	// does.
	Transact(ctx context.Context, fn func(Backend) error) error
}

// OverBackend returns the store behind a Backend.
func OverBackend(b Backend) *Store { return &Store{db: backend{b}} }

// NewRows returns rows that are in memory.
func NewRows(cells [][]any) Rows { return &savedRows{cells: cells} }

// backend is a database over a Backend.
type backend struct{ Backend }

func (b backend) query(ctx context.Context, s Statement) (rows, error) { return b.Run(ctx, s) }

func (b backend) exec(ctx context.Context, s Statement) error {
	found, err := b.Run(ctx, s)
	if err != nil {
		return err
	}
	return found.Close()
}
