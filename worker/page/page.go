// Package page holds the pages that the worker makes for each request, as templ
// components. A component takes plain values that are ready to be shown, so
// templates contain only markup, loops and conditions.
//
// For Wasm the package is compiled with the runtime of tools/edge/templ: values
// are text, addresses are templ.SafeURL, and classes do not depend on values.
package page

import (
	"context"
	"strings"

	"github.com/a-h/templ"
)

// Append appends what components write. Writing into memory does not fail.
func Append(b []byte, parts ...templ.Component) []byte {
	for _, part := range parts {
		markup, err := templ.ToGoHTML(context.Background(), part)
		if err != nil {
			return b
		}
		b = append(b, markup...)
	}
	return b
}

// typed returns a text that someone typed, without the characters that no page
// may contain.
func typed(text string) string { return strings.ReplaceAll(text, "\x00", "\ufffd") }

// splitLines returns the lines of a text.
func splitLines(text string) []string { return strings.Split(text, "\n") }

// between returns the separator before a part of a line, "" before the first.
func between(i int) string {
	if i == 0 {
		return ""
	}
	return " "
}

// Row is a name and what is said about it. Text may have several lines.
type Row struct{ Name, Text string }

// List is a list under a title.
type List struct {
	Title string
	Lines []string
}
