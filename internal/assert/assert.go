// Package assert has the assertions that tests of all packages share. A
// comparison reports a failure with what was got, what was wanted and a
// description, and lets the test go on. NoError ends the test.
package assert

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// T is what a comparison needs of a test.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Equal compares two values with ==.
func Equal[V comparable](t T, got, want V, format string, args ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

// EqualSlices compares two slices element by element.
func EqualSlices[S ~[]V, V comparable](t T, got, want S, format string, args ...any) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %+v, want %+v", fmt.Sprintf(format, args...), got, want)
	}
}

// ErrorIs requires that want is in the chain of got.
func ErrorIs(t T, got, want error, format string, args ...any) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got the error %v, want %v", fmt.Sprintf(format, args...), got, want)
	}
}

// Contains requires each of the parts in a text.
func Contains(t T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: no %q in\n%s", what, part, text)
		}
	}
}

// Lacks requires that none of the parts is in a text.
func Lacks(t T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%s: there is %q in\n%s", what, part, text)
		}
	}
}

// NoError ends a test that cannot go on after an error.
func NoError(t interface {
	Helper()
	Fatal(args ...any)
}, err error,
) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Err returns the error of a call with two results.
func Err[V any](_ V, err error) error { return err }

// Fails requires an error.
func Fails(t T, err error, format string, args ...any) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: there is no error", fmt.Sprintf(format, args...))
	}
}

// ErrorContains requires an error with each of the parts in its text.
func ErrorContains(t T, err error, what string, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: there is no error", what)
		return
	}
	Contains(t, what, err.Error(), parts...)
}
