// Package templ replaces github.com/a-h/templ where the worker is compiled to
// Wasm (tools/edge/modfile.sh). It has only what the generated code of
// worker/page calls, without net/http, html/template, reflect and fmt.
//
// With both packages the same templates give the same bytes. What is missing
// here does not compile for the worker: values that are not text, attributes
// from a map, conditional classes, checks of addresses. A page is written into
// memory, so writing never fails, and the compiler removes the generated code
// for such errors.
package templ

import "context"

// Component writes a part of a page.
type Component func(Input) error

// Input is the argument of a component.
type Input struct {
	Context Context
	Writer  *Buffer
}

// Render writes the component.
func (c Component) Render(ctx Context, w *Buffer) error {
	c(Input{ctx, w})
	return nil
}

// NopComponent writes nothing.
var NopComponent Component = func(Input) error { return nil }

// Context passes a component its children. It never ends.
type Context struct{ children Component }

// Err returns nil.
func (Context) Err() error { return nil }

// InitializeContext returns ctx.
func InitializeContext(ctx Context) Context { return ctx }

// WithChildren returns a context with the children of a component.
func WithChildren(_ Context, children Component) Context { return Context{children} }

// GetChildren returns the children, nil if there are none.
func GetChildren(ctx Context) Component { return ctx.children }

// ClearChildren returns a context without children, for the components within.
func ClearChildren(Context) Context { return Context{} }

// Buffer collects a page.
type Buffer struct{ bytes []byte }

// Escaped is a text that is escaped when it is written.
type Escaped string

// EscapeString marks a text to be escaped.
func EscapeString[T ~string](text T) Escaped { return Escaped(text) }

// WriteString writes a text, escaped as html.EscapeString does.
func (b *Buffer) WriteString(text Escaped) (int, error) {
	b.escape(string(text))
	return 0, nil
}

func (b *Buffer) escape(text string) {
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			b.WriteMarkup("&amp;")
		case '\'':
			b.WriteMarkup("&#39;")
		case '<':
			b.WriteMarkup("&lt;")
		case '>':
			b.WriteMarkup("&gt;")
		case '"':
			b.WriteMarkup("&#34;")
		default:
			b.bytes = append(b.bytes, c)
		}
	}
}

// WriteMarkup writes markup unchanged.
func (b *Buffer) WriteMarkup(markup string) { b.bytes = append(b.bytes, markup...) }

// SafeURL is an address that needs no check.
type SafeURL string

// JoinURLErrs returns an address, which needs no check.
func JoinURLErrs(address SafeURL) (SafeURL, error) { return address, nil }

// JoinStringErrs returns text.
func JoinStringErrs(text string) (string, error) { return text, nil }

// Error says where in a template something failed. It never occurs here.
type Error struct {
	Err       error
	FileName  string
	Line, Col int
}

func (e Error) Error() string { return e.FileName }

// Raw writes trusted markup.
func Raw(markup string) Component {
	return func(in Input) error {
		in.Writer.WriteMarkup(markup)
		return nil
	}
}

// ToGoHTML returns what a component writes. The error is always nil.
func ToGoHTML(_ context.Context, c Component) (string, error) {
	var b Buffer
	c(Input{Writer: &b})
	return string(b.bytes), nil
}
