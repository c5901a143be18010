package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"colophon/internal/origin"
	"colophon/internal/originsql"
)

// Codes of Postgres (appendix A of its manual).
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)

// kinds maps a code, or its class of two characters, to an error of the store.
var kinds = map[string]error{
	uniqueViolation:      origin.ErrConflict,
	"25006":              originsql.ErrReadOnly, // read_only_sql_transaction
	"53100":              originsql.ErrFull,     // disk_full
	"58030":              originsql.ErrDisk,     // io_error
	"XX001":              originsql.ErrDamaged,  // data_corrupted
	"XX002":              originsql.ErrDamaged,  // index_corrupted
	"55P03":              originsql.ErrLocked,   // lock_not_available
	"57014":              originsql.ErrLocked,   // query_canceled, by statement_timeout
	serializationFailure: originsql.ErrLocked,   // after all tries
	deadlockDetected:     originsql.ErrLocked,
	"08":                 origin.ErrUnavailable, // connection_exception
	"28":                 origin.ErrUnavailable, // invalid_authorization_specification
	"3D":                 origin.ErrUnavailable, // invalid_catalog_name
	"53":                 origin.ErrUnavailable, // insufficient_resources
	"57":                 origin.ErrUnavailable, // operator_intervention
	"58":                 origin.ErrUnavailable, // system_error
}

// storeError is an error of Postgres with the error of the store that callers
// may check for.
type storeError struct {
	err  error
	kind error
}

func (e *storeError) Error() string { return e.err.Error() }

func (e *storeError) Unwrap() []error {
	if e.kind == origin.ErrConflict || e.kind == origin.ErrUnavailable {
		return []error{e.err, e.kind}
	}
	return []error{e.err, e.kind, origin.ErrUnavailable}
}

// explainError returns err with its meaning for callers.
func explainError(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, origin.ErrUnavailable):
		return err
	case errors.Is(err, pgx.ErrNoRows):
		return origin.ErrNotFound
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return &storeError{err, origin.ErrUnavailable} // it did not answer, or not to its end
	}
	for _, code := range []string{pg.Code, pg.Code[:min(2, len(pg.Code))]} {
		if kind := kinds[code]; kind != nil {
			return &storeError{err, kind}
		}
	}
	return err
}

// mayRepeat reports whether a statement had no effect and another try may
// succeed.
func mayRepeat(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == serializationFailure || pg.Code == deadlockDetected
	}
	return pgconn.SafeToRetry(err)
}
