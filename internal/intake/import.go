package intake

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"colophon/internal/origin"
)

// Import reads a source and stores its pages. The summary is correct even if
// there is an error: pages that it counts as new, changed or unchanged are in
// the store. The error wraps ErrUsage if other options would help, and
// ErrSource if the source as a whole cannot be read (to its end); otherwise it
// is the store's or the context's own. The import can then be started again
// with the same options to continue.
func Import(ctx context.Context, store Store, opt Options) (Summary, error) {
	im, err := newImporter(ctx, store, opt)
	if err != nil {
		return Summary{}, err
	}
	defer im.fetch.close()
	im.observe = newObserver(store, im.fetch, im.site, im.opt.Now)
	if err = im.beginRun(ctx); err != nil {
		return Summary{}, err
	}
	err = im.runPipeline(ctx)
	im.sum.Requests, im.sum.Bytes = int(im.fetch.requests.Load()), im.fetch.bytes.Load()
	im.sum.Observations = im.observe.count
	if err == nil || errors.Is(err, ErrSource) {
		if last := im.markRun(ctx, "finished"); err == nil {
			err = last
		}
		im.removeKept() // a run that did not end continues with it
	}
	return im.sum, err
}

// errStop ends the listing once MaxPages is reached.
var errStop = errors.New("stop")

type importer struct {
	opt     Options
	store   Store
	site    *site
	fetch   *fetcher
	observe *observer
	run     run
	sum     Summary
	settled int
	claims  claims       // entries that a page of this run has
	listed  map[key]bool // addresses that the source listed
	pages   int          // listed

	source   string              // as the memory names it
	listsAll bool                // the source lists all its pages: a sitemap or a folder
	broken   bool                // a part of the source could not be read
	extract  *semaphore.Weighted // of pages that are read at once
	storeMu  sync.Mutex          // the lister reads what the committer writes

	canonicals canonicals
	ignored    map[key]int // how many pages state a canonical address that does not hold

	total    int  // pages that the source lists, 0 unknown
	learning bool // the sample is being fetched
}

// newImporter opens a site to import pages of it. Its fetcher must be closed.
func newImporter(ctx context.Context, store Store, opt Options) (*importer, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	im := &importer{
		opt: opt, store: store, fetch: newFetcher(opt), source: sourceName(opt.Source), claims: claims{}, listed: map[key]bool{},
		canonicals: canonicals{found: map[string]canonicalPage{}}, ignored: map[key]int{},
	}
	if im.site, err = openSite(ctx, store, opt.SiteID); err != nil {
		im.fetch.close()
		return nil, err
	}
	im.site.private = im.fetch.guard.ledToPrivate
	im.site.partners = opt.partners()
	return im, nil
}

// task is one listed page on its way.
type task struct {
	ref  ref
	done chan result
}

// result is what became of a page before it is committed.
type result struct {
	draft       *draft
	evidence    *evidence
	at          *url.URL // after redirects
	prior       origin.Fetch
	etag        string
	modified    string
	notModified bool
	resumed     bool
	problem     *problem
	ignored     *ignoredCanonical
}

// runPipeline runs the pipeline: one lister, a window of pages fetched and read
// concurrently, one committer in the order of the list.
func (im *importer) runPipeline(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	im.extract = semaphore.NewWeighted(readAtOnce)
	found, err := im.useTemplate(ctx)
	if err != nil {
		return err
	}
	tasks := make(chan *task, window)
	listing := make(chan error, 1)
	l := im.newLister()
	if found != nil {
		l = found.lister
	}
	go func() {
		defer close(tasks)
		admit := func(r ref) error { return im.admitPage(ctx, tasks, r) }
		if found == nil {
			listing <- l.listSource(ctx, admit)
			return
		}
		listing <- found.replayRefs(admit)
	}()
	var broken error
	for t := range tasks {
		r := <-t.done
		if broken == nil {
			if broken = im.commitResult(ctx, t.ref, r); broken != nil {
				cancel()
			}
		}
	}
	err = <-listing
	im.listsAll = l.listsAll
	if broken != nil {
		return broken
	}
	if parent.Err() != nil {
		return parent.Err()
	}
	if err == errStop {
		im.sum.Full, err = true, nil
	}
	if err == nil && l.terms != nil {
		err = im.observe.observeFeed(ctx, l.terms)
	}
	if err == nil {
		err = im.missUnlisted(ctx)
	}
	return err
}

// admitPage starts a listed page as soon as there is room in the window.
func (im *importer) admitPage(ctx context.Context, tasks chan<- *task, r ref) error {
	if !r.document {
		if im.pages == im.opt.MaxPages {
			return errStop
		}
		im.pages++
	}
	t := &task{ref: r, done: make(chan result, 1)}
	prior, resumed, err := im.recallFetch(ctx, &t.ref)
	if err != nil {
		return err
	}
	select {
	case tasks <- t:
	case <-ctx.Done():
		return ctx.Err()
	}
	if resumed || t.ref.problem != nil {
		t.done <- result{prior: prior, resumed: resumed, problem: t.ref.problem}
		return nil
	}
	go func() { t.done <- im.readPage(ctx, t.ref, prior) }()
	return nil
}

// readPage gets a page and extracts it.
func (im *importer) readPage(ctx context.Context, r ref, prior origin.Fetch) result {
	if r.supplied != nil {
		taken, p := im.runExtraction(ctx, len(r.supplied.body), func() (*draft, *evidence, *problem) {
			d, p := im.site.takeSupplied(r.supplied, int(im.opt.MaxBytes))
			return d, nil, p
		})
		return result{draft: taken.draft, problem: p}
	}
	return im.fetchPage(ctx, r, prior)
}

func (im *importer) fetchPage(ctx context.Context, r ref, prior origin.Fetch) result {
	a, p := im.fetchOnce(ctx, r, prior)
	if p != nil {
		return result{problem: p}
	}
	out := result{at: a.url, prior: prior, etag: cmp.Or(a.header.Get("Etag"), prior.ETag), modified: cmp.Or(a.header.Get("Last-Modified"), prior.LastModified)}
	if a.status == 304 {
		out.notModified = true
		return out
	}
	out.etag, out.modified = a.header.Get("Etag"), a.header.Get("Last-Modified")
	read, p := im.runExtraction(ctx, len(a.body), func() (*draft, *evidence, *problem) { return im.site.extractPage(a, r.hint, int(im.opt.MaxBytes)) })
	out.draft = read.draft
	out.evidence = read.evidence
	out.problem = p
	if p == nil && im.opt.NoIndex != "keep" && read.evidence.asksNoIndex(im.opt.Now()) {
		out.problem = skippedProblem(reasonNoIndex, "it asks search engines to leave it out")
	}
	if out.problem == nil && out.draft.stated != nil {
		im.confirmCanonical(ctx, &out)
	}
	return out
}

// The tree of a page takes ten to twenty times its bytes, so that a few pages
// are read at once, and one of at least aloneFrom bytes alone.
const aloneFrom = 256 << 10

var readAtOnce = int64(min(runtime.GOMAXPROCS(0), 4))

// runExtraction runs an extraction of a page of size bytes once there is memory
// for it.
func (im *importer) runExtraction(ctx context.Context, size int, run func() (*draft, *evidence, *problem)) (result, *problem) {
	share := int64(1)
	if size >= aloneFrom {
		share = readAtOnce
	}
	if err := im.extract.Acquire(ctx, share); err != nil {
		return result{}, transportProblem(err)
	}
	defer im.extract.Release(share)
	d, e, p := run()
	return result{draft: d, evidence: e}, p
}

// checkHost returns a problem for a host whose pages cannot be the site's, so
// that they are not fetched at all.
func (im *importer) checkHost(u *url.URL) *problem {
	if im.site.ownsAddress(u) || im.opt.AllowPrivate {
		return nil
	}
	if source, err := parseAddress(im.opt.Source, nil); err == nil && source.Host == u.Host {
		return nil
	}
	return skippedProblem(reasonForeignHost, "%s is not a host of site %q", u.Host, im.site.id)
}
