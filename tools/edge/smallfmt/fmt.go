// Package fmt stands in for the standard one in the worker, where the packages
// that use it (database/sql and what is below it) only word errors: the real one
// would bring reflection and the printing of every type. tools/edge/toolchain.sh
// puts it in place. Verbs are %s, %v, %d, %q, %w and %T; flags, widths and
// precisions are passed over.
package fmt

import (
	"io"
	"strconv"
)

// Stringer is as in the standard package.
type Stringer interface{ String() string }

// State is as in the standard package.
type State interface {
	Write(b []byte) (n int, err error)
	Width() (wid int, ok bool)
	Precision() (prec int, ok bool)
	Flag(c int) bool
}

// Formatter is as in the standard package; nothing here calls it.
type Formatter interface{ Format(f State, verb rune) }

// ScanState is as in the standard package.
type ScanState interface {
	ReadRune() (r rune, size int, err error)
	UnreadRune() error
	SkipSpace()
	Token(skipSpace bool, f func(rune) bool) (token []byte, err error)
	Width() (wid int, ok bool)
	Read(buf []byte) (n int, err error)
}

// Scanner is as in the standard package; nothing here calls it.
type Scanner interface {
	Scan(state ScanState, verb rune) error
}

type plainError struct{ text string }

func (e *plainError) Error() string { return e.text }

type wrapError struct {
	plainError
	err error
}

func (e *wrapError) Unwrap() error { return e.err }

// Errorf makes an error; it wraps the last argument that stands for %w.
func Errorf(format string, args ...any) error {
	text, wrapped := render(format, args)
	if wrapped == nil {
		return &plainError{text}
	}
	return &wrapError{plainError{text}, wrapped}
}

// Sprintf fills a format.
func Sprintf(format string, args ...any) string {
	text, _ := render(format, args)
	return text
}

// Sprint writes values one after another.
func Sprint(args ...any) string {
	var b []byte
	for _, a := range args {
		b = appendValue(b, a, 'v')
	}
	return string(b)
}

// Fprintf writes a filled format.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	return io.WriteString(w, Sprintf(format, args...))
}

// Fprint writes values one after another.
func Fprint(w io.Writer, args ...any) (int, error) { return io.WriteString(w, Sprint(args...)) }

// Printf prints a filled format, to where the runtime prints.
func Printf(format string, args ...any) (int, error) {
	text := Sprintf(format, args...)
	print(text)
	return len(text), nil
}

func render(format string, args []any) (string, error) {
	var b []byte
	var wrapped error
	next := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b = append(b, format[i])
			continue
		}
		for i++; i < len(format) && isFlag(format[i]); i++ {
		}
		switch {
		case i == len(format):
			b = append(b, "%!(NOVERB)"...)
		case format[i] == '%':
			b = append(b, '%')
		case next == len(args):
			b = append(b, "%!(MISSING)"...)
		default:
			if err, ok := args[next].(error); ok && format[i] == 'w' {
				wrapped = err
			}
			b = appendValue(b, args[next], format[i])
			next++
		}
	}
	return string(b), wrapped
}

func isFlag(c byte) bool {
	return c == '#' || c == '+' || c == '-' || c == ' ' || c == '.' || c >= '0' && c <= '9'
}

func appendValue(b []byte, a any, verb byte) []byte {
	var text, kind string
	switch v := a.(type) {
	case nil:
		text, kind = "<nil>", "<nil>"
	case error:
		text, kind = v.Error(), "error"
	case Stringer:
		text, kind = v.String(), "Stringer"
	case string:
		text, kind = v, "string"
	case []byte:
		text, kind = string(v), "[]uint8"
	case bool:
		text, kind = strconv.FormatBool(v), "bool"
	case int:
		text, kind = strconv.Itoa(v), "int"
	case int64:
		text, kind = strconv.FormatInt(v, 10), "int64"
	case uint64:
		text, kind = strconv.FormatUint(v, 10), "uint64"
	case float64:
		text, kind = strconv.FormatFloat(v, 'g', -1, 64), "float64"
	default:
		text, kind = "another value", "another type"
	}
	switch verb {
	case 'T':
		return append(b, kind...)
	case 'q':
		return strconv.AppendQuote(b, text)
	}
	return append(b, text...)
}
