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

// listSitemap walks a document and those that it lists. An error ends the
// import; a fault of one document is counted, and the others are read.
func (l *lister) listSitemap(ctx context.Context, r io.Reader, k kind, where string, depth int) error {
	l.sitemaps[where], *l.listsAll = true, true
	doc, err := readSitemap(r, k)
	if c, ok := r.(onceRead); ok {
		c.s.Close()
	}
	for _, page := range doc.pages {
		if err := l.yieldAddress(page, where); err != nil {
			return err
		}
	}
	if err != nil {
		code := "bad_sitemap"
		if errors.Is(err, errTooMuch) {
			code = "sitemap_too_long"
		}
		return l.countBroken(where, failedProblem(code, "%v", err))
	}
	for _, child := range doc.maps {
		if err := l.listChildSitemap(ctx, child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// countBroken counts the fault of a document of the source. A source that was
// not read to its end becomes an error when the import ends, and at once if
// there are too many faulty documents.
func (l *lister) countBroken(where string, p *problem) error {
	err := sourceError("%s: %v", where, p)
	if l.first == nil {
		l.first = err
	}
	switch p.code {
	case "sitemap_too_long", "sitemap_too_deep", "too_many_sitemaps":
		l.endless = err
	}
	if err := l.yield(ref{where: where, problem: p, document: true}); err != nil {
		return err
	}
	if p.code == "too_many_sitemaps" {
		return err
	}
	return nil
}

// listChildSitemap fetches one sitemap of an index.
func (l *lister) listChildSitemap(ctx context.Context, raw string, depth int) error {
	u, err := parseAddress(raw, nil)
	switch {
	case err != nil:
		return l.countBroken(clipText(raw, 200), failedProblem("bad_url", "an index lists a sitemap there: %v", err))
	case l.sitemaps[u.String()]:
		return l.countBroken(u.String(), skippedProblem("listed_twice", "the sitemap is listed more than once"))
	case depth > maxSitemapDepth:
		return l.countBroken(u.String(), failedProblem("sitemap_too_deep", "indexes of sitemaps list indexes more than %d deep: the source has no end", maxSitemapDepth))
	case len(l.sitemaps) >= maxSitemaps:
		return l.countBroken(u.String(), failedProblem("too_many_sitemaps", "there are more than %d sitemaps: the source has no end", maxSitemaps))
	}
	l.sitemaps[u.String()] = true
	s, p := l.fetch.openDocument(ctx, request{url: u, accept: "application/xml, text/xml;q=0.9, text/plain;q=0.5, */*;q=0.1"})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p != nil {
		return l.countBroken(u.String(), p)
	}
	defer s.Close()
	r, k, root, err := sniffKind(s, s.header.Get("Content-Type"))
	switch {
	case err != nil:
		return l.countBroken(u.String(), failedProblem("bad_sitemap", "%v", err))
	case k == kindPage:
		return l.countBroken(u.String(), failedProblem("sitemap_is_html", "an HTML page is where the sitemap should be"))
	case k != kindSitemap && k != kindText:
		return l.countBroken(u.String(), failedProblem("bad_sitemap", "it is no sitemap%s", root))
	}
	return l.listSitemap(ctx, onceRead{r, s}, k, u.String(), depth)
}

// yieldAddress yields one address of a sitemap.
func (l *lister) yieldAddress(raw, where string) error {
	l.pages++
	u, err := parseAddress(raw, nil)
	if err != nil {
		return l.yield(ref{where: clipText(raw, 200), problem: failedProblem("bad_url", "%s lists %q: %v", where, clipText(raw, 200), err)})
	}
	return l.yield(ref{url: u, where: u.String()})
}
