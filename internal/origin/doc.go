// Package origin defines Colophon's private data: the records that the operator
// keeps, and one small interface for each use that other packages make of them.
// It contains no SQL; internal/originsql stores these records in SQLite, D1 or
// Postgres. Private fields are marked as such; only internal/rights turns a
// record of this package into a public one.
//
// No interface offers transactions, because D1 has none. A write is one
// conditional statement, and its result is read back.
package origin

import "errors"

// ErrNotFound is returned if the requested record does not exist.
var ErrNotFound = errors.New("not found in the origin store")

// ErrConflict is returned if a write finds a state that it does not allow.
var ErrConflict = errors.New("conflicts with what the origin store holds")

// ErrUnavailable is returned while the store cannot be reached.
var ErrUnavailable = errors.New("the origin store is unavailable")
