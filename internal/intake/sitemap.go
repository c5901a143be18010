package intake

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
)

// errTooMuch is returned for a sitemap that exceeds a bound, as an endless one would.
var errTooMuch = errors.New("it does not end")

// rootElement names the first element of an XML text, "" when it is none.
func rootElement(text string) string {
	d := newDecoder(strings.NewReader(text))
	for {
		t, err := d.RawToken()
		if err != nil {
			return ""
		}
		if e, ok := t.(xml.StartElement); ok {
			return e.Name.Local
		}
	}
}

func newDecoder(r io.Reader) *xml.Decoder {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset.NewReaderLabel
	return d
}

// sitemapDoc is what one sitemap document lists.
type sitemapDoc struct {
	pages []string
	maps  []string // of an index
}

// sitemapTree is a sitemap with those that it names.
type sitemapTree struct {
	fetch   *fetcher
	yield   yieldFunc
	read    map[string]bool // addresses of sitemaps
	pages   int             // that sitemaps listed
	first   error           // about a sitemap
	endless error           // there is no end to them
}

// listSitemap follows a sitemap to its end.
func (l *lister) listSitemap(ctx context.Context, d *document, yield yieldFunc) error {
	t := &sitemapTree{fetch: l.fetch, yield: yield, read: map[string]bool{d.where: true}}
	if err := t.readDocument(ctx, d, 0); err != nil {
		return err
	}
	if t.endless != nil || t.pages > 0 {
		return t.endless
	}
	return t.first
}

// readDocument reads a sitemap and those that it names. A fault of one of them
// is counted, and the others are read.
func (t *sitemapTree) readDocument(ctx context.Context, d *document, depth int) error {
	doc, err := readSitemap(d, d.kind)
	d.Close() // the host is free for its pages
	for _, page := range doc.pages {
		if err := t.yieldAddress(page, d.where); err != nil {
			return err
		}
	}
	if err != nil {
		code := "bad_sitemap"
		if errors.Is(err, errTooMuch) {
			code = "sitemap_too_long"
		}
		return t.countBroken(d.where, failedProblem(code, "%v", err))
	}
	for _, child := range doc.maps {
		if err := t.readChild(ctx, child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// countBroken counts the fault of a sitemap. If sitemaps were not read to their
// end, the fault becomes an error when the list ends, and at once if there are
// too many of them.
func (t *sitemapTree) countBroken(where string, p *problem) error {
	err := sourceError("%s: %v", where, p)
	if t.first == nil {
		t.first = err
	}
	switch p.code {
	case "sitemap_too_long", "sitemap_too_deep", "too_many_sitemaps":
		t.endless = err
	}
	if err := t.yield(ref{where: where, problem: p, document: true}); err != nil {
		return err
	}
	if p.code == "too_many_sitemaps" {
		return err
	}
	return nil
}

// readChild fetches one sitemap of an index.
func (t *sitemapTree) readChild(ctx context.Context, raw string, depth int) error {
	u, err := parseAddress(raw, nil)
	switch {
	case err != nil:
		return t.countBroken(clipText(raw, 200), failedProblem("bad_url", "an index lists a sitemap there: %v", err))
	case t.read[u.String()]:
		return t.countBroken(u.String(), skippedProblem("listed_twice", "the sitemap is listed more than once"))
	case depth > maxSitemapDepth:
		return t.countBroken(u.String(), failedProblem("sitemap_too_deep", "indexes of sitemaps list indexes more than %d deep: the source has no end", maxSitemapDepth))
	case len(t.read) >= maxSitemaps:
		return t.countBroken(u.String(), failedProblem("too_many_sitemaps", "there are more than %d sitemaps: the source has no end", maxSitemaps))
	}
	t.read[u.String()] = true
	d, p := t.fetch.openList(ctx, u, "application/xml, text/xml;q=0.9, text/plain;q=0.5, */*;q=0.1")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p != nil {
		return t.countBroken(u.String(), p)
	}
	defer d.Close()
	switch d.kind {
	case kindSitemap, kindText:
		return t.readDocument(ctx, d, depth)
	case kindPage:
		return t.countBroken(u.String(), failedProblem("sitemap_is_html", "an HTML page is where the sitemap should be"))
	}
	return t.countBroken(u.String(), failedProblem("bad_sitemap", "it is no sitemap%s", d.looks))
}

// yieldAddress yields one address of a sitemap.
func (t *sitemapTree) yieldAddress(raw, where string) error {
	t.pages++
	u, err := parseAddress(raw, nil)
	if err != nil {
		return t.yield(ref{where: clipText(raw, 200), problem: failedProblem("bad_url", "%s lists %q: %v", where, clipText(raw, 200), err)})
	}
	return t.yield(ref{url: u, where: u.String()})
}
