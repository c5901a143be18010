package origin

import (
	"context"
	"sync/atomic"
)

// Act is one action of an operator or a publisher: a command, or a form of an
// inbox. The audit trail records every change that the store makes within it.
type Act struct {
	ActID  string // act_…, the same in all records of the act
	Actor  string // who: a name on the operator's machine, or the id of an inbox link
	Role   string // operator, publisher
	Action string // what, such as "grant revoke"

	Recorded atomic.Int64 // how many records it left
}

// AuditRecord is one line of the audit trail. It holds neither secrets nor
// personal data: such values are recorded as changed, without the values
// themselves.
type AuditRecord struct {
	Seq      int64
	At       string
	ActID    string
	Actor    string
	Role     string
	Action   string
	Kind     string // kind of what was changed, such as grants; "" for the act as a whole
	TargetID string // what was changed
	Before   string // JSON object of the members that differ, "" if it did not exist
	After    string // JSON object of the members that differ, "" if it no longer exists
}

// AuditFilter chooses records; empty fields choose all.
type AuditFilter struct {
	Actor    string
	Action   string // all of its words, or the first ones
	Kind     string
	TargetID string
	Since    string // instant, inclusive
	Until    string // instant, exclusive
	Before   int64  // only those with a smaller Seq; 0: all
	Limit    int
}

type actKey struct{}

// WithAct returns a context in which changes belong to an act.
func WithAct(ctx context.Context, a *Act) context.Context {
	return context.WithValue(ctx, actKey{}, a)
}

// ActOf returns the act of a context, nil if there is none.
func ActOf(ctx context.Context) *Act {
	a, _ := ctx.Value(actKey{}).(*Act)
	return a
}
