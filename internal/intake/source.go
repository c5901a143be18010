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

	"colophon/internal/extract"
)

// ErrSource is wrapped by errors about a source that cannot be read as one.
var ErrSource = errors.New("the source cannot be imported")

func sourceError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSource, fmt.Sprintf(format, args...))
}

// kind is the format of a source.
type kind string

const (
	kindFolder    kind = "folder"
	kindBook      kind = "book"
	kindWordPress kind = "export of WordPress"
	kindGhost     kind = "export of Ghost"
	kindSitemap   kind = "sitemap"
	kindText      kind = "list of addresses"
	kindFeed      kind = "feed"
	kindNDJSON    kind = "NDJSON"
	kindPage      kind = "page"
	kindUnknown   kind = ""
)

// reader says how one kind of source is read.
//
// list yields what the source lists, in its order, which is the same each time.
// A page that cannot be read is yielded with a problem that names its place,
// and those after it are still read. A page that the source itself holds back
// (a draft, one behind a password) is never yielded with its text. All
// addresses come from parseAddress, and all dates from extract.Instant. An error ends
// the source: it is one that yield returned, or wraps ErrSource.
type reader struct {
	list      func(l *lister, ctx context.Context, d *document, yield yieldFunc) error
	needsBase bool   // its pages have no addresses of their own: --base says what they lie below
	listsAll  bool   // it lists all pages of its site, so that one which it no longer lists is gone
	notWeb    string // why it is not read from an address, "" if it is
	notFile   string // why it is not read from a file, "" if it is
}

// readers are the kinds of sources. TestReadersConform holds them all to the
// same properties.
var readers = map[kind]reader{
	kindFolder:    {list: (*lister).listFolder, needsBase: true, listsAll: true},
	kindBook:      {list: (*lister).listBook, needsBase: true},
	kindWordPress: {list: (*lister).listWordPress},
	kindGhost:     {list: (*lister).listGhost, needsBase: true, notWeb: "an export of Ghost; save it and give the file"},
	kindSitemap:   {list: (*lister).listSitemap, listsAll: true},
	kindText:      {list: (*lister).listSitemap, listsAll: true},
	kindFeed:      {list: (*lister).listFeed},
	kindNDJSON:    {list: (*lister).listNDJSON, notWeb: "NDJSON; save it and give the file, or pipe it to standard input"},
	kindPage:      {list: (*lister).listPage, notFile: "an HTML page; a page is imported by its address, or as NDJSON with its url and html"},
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

// yieldFunc takes in the next page. Its error ends the source; errStop says that
// no more pages are wanted.
type yieldFunc func(ref) error

// lister lists a source.
type lister struct {
	opt      Options
	fetch    *fetcher
	known    func(context.Context, *url.URL) bool // a page that was imported before
	listsAll bool                                 // set when the source lists all its pages
	terms    *answer                              // the source itself, if it is a feed with RSL in its items
}

// document is an open source, or an open document that one names.
type document struct {
	*bufio.Reader // what it holds, decompressed; nil for a folder or a book

	where  string // its address or path
	kind   kind
	looks  string   // what a document of an unknown kind looks like
	file   *os.File // nil for one from the web
	stream *stream  // nil for a file
	base   *url.URL // --base, with a slash at its end; nil if it was not given and is not needed
}

// Close frees the file, or the host for the next request. It may be called
// again.
func (d *document) Close() {
	if d.stream != nil {
		d.stream.Close()
	}
	if d.file != nil {
		d.file.Close()
	}
}

// listSource opens the source and lists it by the reader of its kind.
func (l *lister) listSource(ctx context.Context, yield yieldFunc) error {
	if u, err := parseAddress(l.opt.Source, nil); err == nil && l.known(ctx, u) {
		return yield(ref{url: u, where: u.String()})
	}
	d, err := l.openSource(ctx)
	if err != nil {
		return err
	}
	defer d.Close()
	r, err := d.reader()
	if err != nil {
		return err
	}
	if d.base, err = l.readBase(r.needsBase, d.kind); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, d.Close) // which ends what is being read
	defer stop()
	l.listsAll = r.listsAll
	err = r.list(l, ctx, d, func(one ref) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case one.supplied != nil && int64(len(one.supplied.body)) > l.opt.MaxBytes:
			one = ref{url: one.url, where: one.where, problem: failedProblem("too_large", "its text has more than %d bytes", l.opt.MaxBytes)}
		}
		return yield(one)
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func (l *lister) openSource(ctx context.Context) (*document, error) {
	switch {
	case l.opt.Source == "-":
		return &document{Reader: bufio.NewReaderSize(l.opt.Stdin, 64<<10), where: "standard input", kind: kindNDJSON}, nil
	case extract.IsWeb(l.opt.Source):
		u, err := parseAddress(l.opt.Source, nil)
		if err != nil {
			return nil, usageError("source %q: %v", l.opt.Source, err)
		}
		d, p := l.fetch.openList(ctx, u, "application/xml, text/xml;q=0.9, "+acceptPages+", */*;q=0.1")
		if p != nil {
			return nil, sourceError("%s: %v", u, p)
		}
		return d, nil
	case strings.Contains(l.opt.Source, "://"):
		return nil, usageError("source %q is neither http nor https nor a file", l.opt.Source)
	}
	return openFile(l.opt.Source)
}

func openFile(name string) (*document, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError("%v", err)
	}
	d := &document{where: name, file: f}
	info, err := f.Stat()
	switch {
	case err == nil && info.IsDir():
		d.kind = kindFolder
	case err == nil && isArchive(f):
		d.kind = kindBook
	case err == nil:
		err = d.sniffKind(f, "")
	}
	if err != nil {
		f.Close()
		return nil, sourceError("%s: %v", name, err)
	}
	return d, nil
}

// openList opens a document that lists pages. The problem of one that cannot be
// told apart is bad_sitemap.
func (f *fetcher) openList(ctx context.Context, u *url.URL, accept string) (*document, *problem) {
	s, p := f.openDocument(ctx, request{url: u, accept: accept})
	if p != nil {
		return nil, p
	}
	d := &document{where: u.String(), stream: s}
	if err := d.sniffKind(s, s.header.Get("Content-Type")); err != nil {
		s.Close()
		return nil, failedProblem("bad_sitemap", "%v", err)
	}
	return d, nil
}

// reader returns how the document is read. It returns an error for a kind that
// is not read from there.
func (d *document) reader() (reader, error) {
	r, known := readers[d.kind]
	isWeb := d.stream != nil
	switch {
	case !known && isWeb:
		return r, sourceError("%s is neither a sitemap, nor a feed, nor a page%s", d.where, d.looks)
	case !known:
		return r, sourceError("%s is neither a sitemap, nor a feed, nor NDJSON%s", d.where, d.looks)
	case isWeb && r.notWeb != "":
		return r, sourceError("%s is %s", d.where, r.notWeb)
	case !isWeb && r.notFile != "":
		return r, sourceError("%s is %s", d.where, r.notFile)
	}
	return r, nil
}

// readBase reads --base, with a slash at its end. It returns nil if there is
// none and none is needed.
func (l *lister) readBase(needed bool, k kind) (*url.URL, error) {
	switch {
	case l.opt.Base == "" && needed:
		return nil, usageError("the %s needs --base, the address that its pages are published under", k)
	case l.opt.Base == "":
		return nil, nil
	}
	base, err := parseAddress(l.opt.Base, nil)
	if err != nil {
		return nil, usageError("--base %q: %v", l.opt.Base, err)
	}
	if !strings.HasSuffix(base.Path, "/") {
		base.Path += "/"
	}
	return base, nil
}

// listPage yields the page that the source is.
func (l *lister) listPage(_ context.Context, d *document, yield yieldFunc) error {
	s := d.stream
	at, err := parseAddress(d.where, nil)
	if err != nil {
		return sourceError("%s: %v", d.where, err)
	}
	if expectsList(at.Path) {
		return sourceError("%s is an HTML page where a sitemap or a feed was expected: is it an error page, or a sitemap meant for people?", d.where)
	}
	body, err := io.ReadAll(io.LimitReader(d, l.opt.MaxBytes+1))
	one := ref{url: at, where: d.where, answer: &answer{status: s.status, header: s.header, url: s.url, body: body}}
	switch {
	case err != nil:
		one.problem = transportProblem(err)
	case int64(len(body)) > l.opt.MaxBytes:
		one.problem = failedProblem("too_large", "it goes on after %d bytes, the limit", l.opt.MaxBytes)
	}
	d.Close()
	return yield(one)
}
