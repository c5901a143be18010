// Package render makes the documents of a release from what the rights gate lets
// through: from what is known about a publisher its pages, lists and channels, from
// sums over all publishers the pages and lists that show many. All of it is pure: no
// function reads the origin or a clock, or knows where documents go.
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

// Document is a published file. Its text is made when it is asked for.
type Document struct {
	Key    exports.Key
	Append func(dst []byte) ([]byte, error) // appends the text to dst
}

// Publisher is one public publisher: its facts, and what its pages add up to.
type Publisher struct {
	rights.SiteSnapshot
	Tally    *rights.Tally
	Changed  string          // instant of the last change of a page or record
	Sitemaps SitemapCut      // of its entries
	State    exports.Release // see firstPageOfSite

	Record *exports.Publisher // its public record; nil: it has none
	Map    *exports.MapRecord // what the rights map has of it; nil: nothing
	Listed []exports.Offer    // its public offers

	Card        string       // path of the card for link previews, "" the general one
	AccessRules []wire.Value // how requests without a licence are answered, as its pack declares
}

// Catalog is what the documents about more than one publisher are made from.
type Catalog struct {
	Release    exports.Release
	Publishers []*Publisher                          // by site id
	Categories []exports.Category                    // those that have publishers
	Members    map[string][]exports.PublisherSummary // of each category, by its slug
	Offers     []exports.Offer                       // of all publishers, the newest first
	Demand     []exports.Demand                      // the newest first
	Newest     []exports.FeedRecord                  // the pages registered last
	Pages      int64
	LedgerSize int64
}

// fileAt is the document of a text that is there.
func fileAt(key exports.Key, text []byte) Document {
	return Document{key, func(dst []byte) ([]byte, error) { return append(dst, text...), nil }}
}

// recordAt is a record as the document that answers a path.
func recordAt(path string, r wire.Record) Document {
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) { return wire.Append(dst, r), nil }}
}

// valueAt is a JSON value as the document that answers a path.
func valueAt(path string, v wire.Value) Document {
	return Document{exports.KeyOf(path), func(dst []byte) ([]byte, error) { return v.Append(dst), nil }}
}

// xmlAt is what encoding/xml makes of a value.
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

// pageAt is a page for people that stands once or a few times, minified.
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

// pageBuffers hold a page until it is minified.
var pageBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var minifier = sync.OnceValue(func() *minify.M {
	m := minify.New()
	m.Add("text/html", &html.Minifier{KeepDocumentTags: true, KeepEndTags: true, KeepQuotes: true, KeepDefaultAttrVals: true, KeepWhitespace: false})
	return m
})
