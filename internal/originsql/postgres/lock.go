package postgres

import "strings"

// Advisory locks, which Postgres keeps by a number for each database. The
// numbers mean nothing; no other program may use them in the same database.
const (
	migrationLock = "7296300101"
	outboxLock    = "7296300102"
	auditLock     = "7296300103"
	atomicLock    = "7296300104"
)

// lock is what a statement locks before it runs, in the same transaction. At
// READ COMMITTED the statement then sees all that was committed before the lock
// was given.
type lock struct {
	statement string // how the statement begins, in the dialect of originsql
	text      string // takes the lock
	args      []int  // arguments of the statement that it takes; none may be ""
}

var locks = []lock{
	// A message has the number after that of the last one, which its request counts.
	{"INSERT INTO messages (", "SELECT 1 FROM requests WHERE thread_id = $1 FOR UPDATE", []int{1}},

	// The events of a buyer are numbered by its feed.
	{"INSERT INTO holdings (", "SELECT 1 FROM feeds WHERE buyer_id = $1 FOR UPDATE", []int{0}},

	// A request that repeats another is not added: what is not there cannot be
	// locked, so its digest is.
	{"INSERT INTO requests (", "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", []int{8}},

	// The records of the audit trail are numbered without a gap.
	{"INSERT INTO audit_log (", "SELECT pg_advisory_xact_lock(" + auditLock + ")", nil},
}

// lockOf is the lock of a statement and its arguments.
func lockOf(text string, args []any) (query string, lockArgs []any, ok bool) {
	for _, l := range locks {
		if !strings.HasPrefix(text, l.statement) {
			continue
		}
		for _, i := range l.args {
			if args[i] == "" {
				return "", nil, false
			}
			lockArgs = append(lockArgs, args[i])
		}
		return l.text, lockArgs, true
	}
	return "", nil, false
}
