// Package runtime stands in for github.com/a-h/templ/runtime; see package templ.
package runtime

import "github.com/a-h/templ"

// GeneratedComponentInput is what a component is called with.
type GeneratedComponentInput = templ.Input

// Buffer gathers a page.
type Buffer = templ.Buffer

// GeneratedTemplate returns the component that a template was made into.
func GeneratedTemplate(f func(GeneratedComponentInput) error) templ.Component { return f }

// GetBuffer returns the buffer of the page.
func GetBuffer(b *Buffer) (_ *Buffer, existing bool) { return b, true }

// ReleaseBuffer has nothing to do.
func ReleaseBuffer(*Buffer) error { return nil }

// WriteString writes markup.
func WriteString(b *Buffer, _ int, markup string) error {
	b.WriteMarkup(markup)
	return nil
}
