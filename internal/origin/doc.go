// Package origin is the private truth of Colophon: the records that the
// operator keeps, and one small interface for each need that others have of
// them. It knows no SQL; internal/originsql keeps these records in SQLite or
// D1. Private fields are marked so; only internal/rights turns a record of
// this package into a public one.
//
// No interface offers a transaction: D1 has none. A write is one conditional
// statement, and what it did is read back.
package origin

import "errors"

// ErrNotFound is returned when the asked record does not exist.
var ErrNotFound = errors.New("not found in the origin store")

// ErrConflict is returned when a write finds a state it does not allow.
var ErrConflict = errors.New("conflicts with what the origin store holds")

// ErrUnavailable is returned when the store cannot be reached for now.
var ErrUnavailable = errors.New("the origin store is unavailable")
