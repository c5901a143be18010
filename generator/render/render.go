// Package render makes the documents of a release from what the rights gate
// lets through: a publisher's pages, lists and channels from the facts about
// it, and the pages and lists about many publishers from sums over all of them.
// It is pure: no function reads the origin or a clock, or knows where documents
// go.
package render

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"sync"

	"github.com/a-h/templ"
	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/html"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// Document is a published file. Append makes its text only when it is needed.
type Document struct {
	Key    exports.Key
	Append func(dst []byte) ([]byte, error) // appends the text to dst
}

// Publisher is a public publisher: the facts about it and sums over its pages.
type Publisher struct {
	rights.SiteSnapshot
	Tally    *rights.Tally
	Changed  string          // instant of the last change of a page or record
	Sitemaps SitemapCut      // number of its entries' sitemaps
	State    exports.Release // the publisher's release; see firstPageOfSite

	Record *exports.Publisher // its public record, nil if it has none
	Map    *exports.MapRecord // its record in the rights map, nil if it has none
	Listed []exports.Offer    // its public offers

	Card        string       // path of its card for link previews; "" means the general card
	AccessRules []wire.Value // how its pack declares that requests without a licence are answered
}

// Catalog holds the facts for documents about more than one publisher.
type Catalog struct {
	Release    exports.Release
	Publishers []*Publisher                          // by site id
	Categories []exports.Category                    // those that have publishers
	Members    map[string][]exports.PublisherSummary // publishers of each category, by its slug
	Offers     []exports.Offer                       // of all publishers, newest first
	Demand     []exports.Demand                      // newest first
	Newest     []exports.FeedRecord                  // the pages registered last, newest first
	Pages      int64
	LedgerSize int64

	Reservations []exports.Reservation // of all publishers, by id
}

// fileAt returns the document for a finished text.
func fileAt(key exports.Key, text []byte) Document {
	return Document{key, func(dst []byte) ([]byte, error) { return append(dst, text...), nil }}
}

// recordAt returns the document that answers a path with a record.
func recordAt(path string, r wire.Record) Document {
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) { return wire.Append(dst, r), nil }}
}

// valueAt returns the document that answers a path with a JSON value.
func valueAt(path string, v wire.Value) Document {
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) { return v.Append(dst), nil }}
}

// xmlAt returns the document that encoding/xml makes of a value.
func xmlAt(key exports.Key, v any) Document {
	return Document{key, func(dst []byte) ([]byte, error) {
		buf := bytes.NewBuffer(append(dst, xml.Header...))
		if err := xml.NewEncoder(buf).Encode(v); err != nil {
			return nil, fmt.Errorf("cannot spell %q: %w", key, err)
		}
		buf.WriteByte('\n')
		return buf.Bytes(), nil
	}}
}

// pageAt returns a minified page for people. It is for pages of which there are
// only a few.
func pageAt(path string, c templ.Component) Document {
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) {
		buf := pageBuffers.Get().(*bytes.Buffer)
		defer pageBuffers.Put(buf)
		buf.Reset()
		if err := c.Render(context.Background(), buf); err != nil {
			return nil, fmt.Errorf("cannot render %q: %w", path, err)
		}
		text, err := minifier().Bytes("text/html", buf.Bytes())
		if err != nil {
			return nil, fmt.Errorf("cannot minify %q: %w", path, err)
		}
		return append(dst, text...), nil
	}}
}

// pageBuffers reuses the buffers that hold a page until it is minified.
var pageBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var minifier = sync.OnceValue(func() *minify.M {
	m := minify.New()
	m.Add("text/html", &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepDefaultAttrVals: true, KeepWhitespace: false})
	return m
})
