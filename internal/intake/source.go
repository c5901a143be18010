package intake

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
)

// ErrSource is wrapped by errors about a source that cannot be read as one.
var ErrSource = errors.New("the source cannot be imported")

func sourceError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSource, fmt.Sprintf(format, args...))
}

// ref is one page that the source lists.
type ref struct {
	url      *url.URL      // nil for a line of NDJSON
	where    string        // the address, or "line 7"
	hint     draft         // facts that the source states
	supplied *suppliedPage // the source brings its text along
	answer   *answer       // of a page that is the source itself, fetched already
	problem  *problem      // it cannot be read
	document bool          // the problem concerns a document of the source, not a page
	unplaced bool          // the page's address is unknown because of the problem
}

// lister walks a source and yields what it lists, in its order. yield returns
// errStop to end the walk.
type lister struct {
	opt      Options
	fetch    *fetcher
	known    func(context.Context, *url.URL) bool // a page that was imported before
	yield    func(ref) error
	sitemaps map[string]bool

	listsAll *bool   // set when the source lists all its pages
	pages    int     // that sitemaps listed
	first    error   // about a document of the source
	endless  error   // the source continues without an end
	terms    *answer // the source itself, if it is a feed with RSL in its items
}

// kind is the kind of a document, determined from its first bytes.
type kind string

const (
	kindSitemap kind = "sitemap"
	kindFeed    kind = "feed"
	kindNDJSON  kind = "NDJSON"
	kindPage    kind = "page"
	kindText    kind = "list of addresses"
	kindUnknown kind = ""
)

func (l *lister) listSource(ctx context.Context) error {
	switch {
	case l.opt.Source == "-":
		return l.listNDJSON(bufio.NewReaderSize(l.opt.Stdin, 64<<10))
	case isWeb(l.opt.Source):
		return l.listAddress(ctx)
	case strings.Contains(l.opt.Source, "://"):
		return usageError("source %q is neither http nor https nor a file", l.opt.Source)
	}
	return l.listFile(ctx)
}

func (l *lister) listFile(ctx context.Context) error {
	if isFolder(l.opt.Source) {
		return l.listFolder(ctx, l.opt.Source)
	}
	f, err := os.Open(l.opt.Source)
	if err != nil {
		return usageError("%v", err)
	}
	defer f.Close()
	if isArchive(f) {
		return l.epub(f, l.opt.Source)
	}
	r, k, root, err := sniffKind(f, "")
	if err != nil {
		return sourceError("%s: %v", l.opt.Source, err)
	}
	switch k {
	case kindNDJSON:
		if isGhost(r) {
			return l.listGhost(r, l.opt.Source)
		}
		return l.listNDJSON(r)
	case kindSitemap, kindText:
		return l.listSitemapTree(ctx, r, k, l.opt.Source)
	case kindFeed:
		if head, _ := r.Peek(headSize); strings.Contains(string(head), wordPressMark) {
			return l.wordPress(r, l.opt.Source)
		}
		return l.listFeed(r, nil, l.opt.Source)
	case kindPage:
		return sourceError("%s is an HTML page; a page is imported by its address, or as NDJSON with its url and html", l.opt.Source)
	}
	return sourceError("%s is neither a sitemap, nor a feed, nor NDJSON%s", l.opt.Source, root)
}

// listSitemapTree follows a sitemap to its end.
func (l *lister) listSitemapTree(ctx context.Context, r io.Reader, k kind, where string) error {
	l.sitemaps = map[string]bool{}
	if err := l.listSitemap(ctx, r, k, where, 0); err != nil {
		return err
	}
	if l.endless != nil {
		return l.endless
	}
	if l.pages == 0 {
		return l.first
	}
	return nil
}

// listAddress opens an address and lists it by its content.
func (l *lister) listAddress(ctx context.Context) error {
	u, err := parseAddress(l.opt.Source, nil)
	if err != nil {
		return usageError("source %q: %v", l.opt.Source, err)
	}
	if l.known(ctx, u) {
		return l.yield(ref{url: u, where: u.String()})
	}
	s, p := l.fetch.openDocument(ctx, request{url: u, accept: "application/xml, text/xml;q=0.9, " + acceptPages + ", */*;q=0.1"})
	if p != nil {
		return sourceError("%v", p)
	}
	defer s.Close()
	r, k, root, err := sniffKind(s, s.header.Get("Content-Type"))
	if err != nil {
		return sourceError("%s: %v", u, err)
	}
	switch k {
	case kindSitemap, kindText:
		return l.listSitemapTree(ctx, onceRead{r, s}, k, u.String())
	case kindFeed:
		whole := &beginning{limit: maxRaw}
		err := l.listFeed(onceRead{io.TeeReader(r, whole), s}, s.url, u.String())
		if (err == nil || err == errStop) && whole.holdsText(rslNamespace) {
			l.terms = &answer{status: s.status, header: s.header, body: whole.b, url: s.url}
		}
		return err
	case kindPage:
		return l.listPage(u, s, r)
	case kindNDJSON:
		return sourceError("%s is NDJSON; save it and give the file, or pipe it to standard input", u)
	}
	return sourceError("%s is neither a sitemap, nor a feed, nor a page%s", u, root)
}

// onceRead closes a stream when it has been read to its end, so that its host
// is free while the pages that it lists are fetched.
type onceRead struct {
	io.Reader
	s *stream
}

func (l *lister) listPage(u *url.URL, s *stream, r io.Reader) error {
	if expectsList(u.Path) {
		return sourceError("%s is an HTML page where a sitemap or a feed was expected: is it an error page, or a sitemap meant for people?", u)
	}
	body, err := io.ReadAll(io.LimitReader(r, l.opt.MaxBytes+1))
	one := ref{url: u, where: u.String(), answer: &answer{status: s.status, header: s.header, url: s.url, body: body}}
	switch {
	case err != nil:
		one.problem = transportProblem(err)
	case int64(len(body)) > l.opt.MaxBytes:
		one.problem = failedProblem("too_large", "it goes on after %d bytes, the limit", l.opt.MaxBytes)
	}
	s.Close()
	return l.yield(one)
}
