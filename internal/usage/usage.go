// Package usage tells mistakes in a call of the program from failures.
package usage

import "fmt"

// Error is a mistake in the call itself, for which the program exits with code 2.
type Error struct{ err error }

// Error returns the text of the mistake.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error that is a mistake in the call.
func (e *Error) Unwrap() error { return e.err }

// Wrap returns err as a mistake in the call.
func Wrap(err error) error { return &Error{err} }

// Errorf formats a mistake in the call.
func Errorf(format string, args ...any) error { return Wrap(fmt.Errorf(format, args...)) }
