// Package entrypage renders the page of an entry: what is stated about its
// rights, how to cite it, and its provenance. A build publishes it as a file;
// readers of packs, including the worker, render the same bytes from facts.
//
// For Wasm the package is compiled with the runtime of tools/edge/templ, which
// requires that values are text, addresses are templ.SafeURL, and classes do
// not depend on values.
package entrypage

import (
	"context"

	"github.com/a-h/templ"

	"colophon/internal/blob"
	"colophon/internal/blob/entryfacts"
	"colophon/templates/frame"
)

// Append appends the page of an entry, which must have a citation.
func Append(dst []byte, f *blob.PageFrame, e *entryfacts.Facts) ([]byte, error) {
	record, err := e.CurrentRecord()
	if err != nil {
		return dst, err
	}
	v := View{Site: frame.FromShared(f), Citation: *e.Citation, Record: record, Asks: e.Asks, Terms: e.Terms}
	v.Site.Card = e.Card
	page, err := templ.ToGoHTML(context.Background(), Page(v))
	return append(dst, page...), err
}

// Spell returns the page of an entry; see Append.
func Spell(f *blob.PageFrame, e *entryfacts.Facts) ([]byte, error) { return Append(nil, f, e) }
