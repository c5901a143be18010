// Package runtime replaces github.com/a-h/templ/runtime; see package templ.
package runtime

import "github.com/a-h/templ"

// GeneratedComponentInput is the argument of a component.
type GeneratedComponentInput = templ.Input

// Buffer collects a page.
type Buffer = templ.Buffer

// GeneratedTemplate returns f as a component.
func GeneratedTemplate(f func(GeneratedComponentInput) error) templ.Component { return f }

// GetBuffer returns b, the buffer of the page.
func GetBuffer(b *Buffer) (_ *Buffer, existing bool) { return b, true }

// ReleaseBuffer does nothing.
func ReleaseBuffer(*Buffer) error { return nil }

// WriteString writes markup.
func WriteString(b *Buffer, _ int, markup string) error {
	b.WriteMarkup(markup)
	return nil
}
