package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/natefinch/atomic"

	"colophon/internal/extract"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Store is what an import reads and writes.
type Store interface {
	origin.Catalog
	origin.Extractions
}

// keptRefs is how many listed pages are held in memory; a longer list is read
// a second time.
const keptRefs = 5_000

// sampleSize is how many pages a template is learned from. Tests make it
// smaller.
var sampleSize = extract.SampleSize

// listing is what a source listed before its pages were read.
type listing struct {
	lister *lister
	refs   []ref
	whole  bool // refs is complete
	err    error
	lines  bool // it contains the texts of its pages
	sample addressSample
	pages  int
}

// useTemplate loads the template in force. Without one it learns the first
// template of the site from a sample of the pages that the source lists. It
// returns that list, or nil if the source will be listed while its pages are
// read.
func (im *importer) useTemplate(ctx context.Context) (*listing, error) {
	active, err := im.store.ActiveTemplate(ctx, im.site.id)
	if err != nil && !errors.Is(err, origin.ErrNotFound) {
		return nil, err
	}
	if err == nil {
		if err := im.site.setTemplate([]byte(active.Document), active.Digest); err != nil {
			return nil, err
		}
	}
	if im.opt.Source == "-" { // which can be read only once
		return nil, nil
	}
	found := im.collectRefs(ctx)
	if ctx.Err() != nil || found.lines {
		return nil, ctx.Err()
	}
	im.total = found.pages
	if im.site.template == nil {
		err = im.learnFirst(ctx, found)
	}
	if !found.whole {
		return nil, err
	}
	return found, err
}

// learnFirst learns the first template of a site and puts it in force, unless
// the site already has pages: a template would change their texts, and the
// operator should see how first.
func (im *importer) learnFirst(ctx context.Context, found *listing) error {
	if len(found.sample.refs) < extract.MinPages {
		return nil
	}
	extracted, err := im.hasExtracted(ctx)
	if err != nil {
		return err
	}
	if extracted {
		im.sum.NoTemplate = true
		return nil
	}
	t, err := im.learnTemplate(ctx, found.sample.refs)
	if err != nil || t.Pages < extract.MinPages {
		return err
	}
	document := t.Document()
	if err := im.site.setTemplate(document, t.Digest()); err != nil {
		return err
	}
	now := formatInstant(im.opt.Now())
	return im.store.PutTemplate(ctx, origin.Template{
		SiteID: im.site.id, Digest: t.Digest(), State: origin.TemplateActive, Document: string(document), MadeAt: now, ChangedAt: now,
	})
}

// hasExtracted reports whether the site has pages that this extractor made
// the text of.
func (im *importer) hasExtracted(ctx context.Context) (bool, error) {
	for page, err := range Pages(ctx, im.store, im.site.id) {
		if err != nil || page.Extraction == extractionMain {
			return err == nil, err
		}
	}
	return false, nil
}

func (s *site) setTemplate(document []byte, digest string) error {
	t, err := extract.ParseTemplate(document)
	if err != nil {
		return fmt.Errorf("the template of site %q: %w", s.id, err)
	}
	s.template, s.templateDigest = t, digest
	return nil
}

// collectRefs reads the list of a source. Its errors are kept for when the pages
// have been read.
func (im *importer) collectRefs(ctx context.Context) *listing {
	found := &listing{lister: im.newLister(), whole: true}
	found.err = found.lister.listSource(ctx, func(r ref) error {
		if r.supplied != nil {
			found.lines = true
			return errStop
		}
		if !r.document {
			if found.pages == im.opt.MaxPages {
				return errStop
			}
			found.pages++
		}
		found.addRef(r)
		return nil
	})
	return found
}

func (im *importer) newLister() *lister {
	return &lister{opt: im.opt, fetch: im.fetch, known: im.isKnownPage}
}

func (l *listing) addRef(r ref) {
	if len(l.refs) < keptRefs {
		l.refs = append(l.refs, r)
	} else {
		l.refs, l.whole = nil, false
	}
	if r.url != nil && r.problem == nil {
		l.sample.addRef(r)
	}
}

// replayRefs lists again what was collected.
func (l *listing) replayRefs(yield yieldFunc) error {
	for _, r := range l.refs {
		if err := yield(r); err != nil {
			return err
		}
	}
	return l.err
}

// addressSample keeps the pages whose addresses have the smallest digests, in
// their order.
type addressSample struct {
	refs    []ref
	digests []string
}

func (h *addressSample) addRef(r ref) {
	digest := wire.SHA256Hex([]byte(r.url.String()))
	at, known := slices.BinarySearch(h.digests, digest)
	if known || at == sampleSize {
		return
	}
	h.refs, h.digests = slices.Insert(h.refs, at, r), slices.Insert(h.digests, at, digest)
	if len(h.refs) > sampleSize {
		h.refs, h.digests = h.refs[:sampleSize], h.digests[:sampleSize]
	}
}

// learnTemplate fetches a sample and learns its template. The fetched pages are
// kept until the import comes to them.
func (im *importer) learnTemplate(ctx context.Context, sample []ref) (*extract.Template, error) {
	learner := extract.NewLearner(im.site.id)
	if err := os.Mkdir(im.keptAnswers(), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot keep the sample: %w", err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	turns := make(chan struct{}, window)
	im.learning = true
	defer func() { im.learning = false }()
	for _, r := range sample {
		wg.Add(1)
		turns <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-turns }()
			a, p := im.fetchOnce(ctx, r, origin.Fetch{})
			if p != nil {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			im.site.learnPage(learner, a)
		}()
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return learner.Template(), nil
}

// learnPage adds a fetched page to a learner. A page that cannot be read
// teaches nothing.
func (s *site) learnPage(l *extract.Learner, a *answer) {
	doc, at := s.parsePage(a)
	if doc == nil {
		return
	}
	recoverPanic("HTML reader", func() *problem { //nolint:errcheck // its page comes again
		l.Add(extract.Page{URL: doc.Base(at), Doc: doc.Root, Body: wire.SHA256Hex(a.body)})
		return nil
	})
}

// parsePage parses a fetched page and returns its public address. doc is nil if
// it is not a page or cannot be read.
func (s *site) parsePage(a *answer) (doc *extract.Document, at *url.URL) {
	if !isHTMLMedia(mediaOf(a.header, a.body)) {
		return nil, nil
	}
	decoded, err := extract.Decode(a.body, a.header.Get("Content-Type"))
	if err != nil {
		return nil, nil
	}
	p := recoverPanic("HTML reader", func() (p *problem) {
		if doc, p = parseHTML(decoded.Text, nil); p != nil {
			return p
		}
		page, p := s.identifyPage(a.url, doc)
		at = page.public
		return p
	})
	if p != nil {
		return nil, nil
	}
	return doc, at
}

// fetchOnce fetches a page, unless it was fetched for the sample of this run.
func (im *importer) fetchOnce(ctx context.Context, r ref, prior origin.Fetch) (*answer, *problem) {
	if r.answer != nil {
		return r.answer, nil
	}
	if a, p, ok := im.keptAnswer(r.url.String()); ok {
		return a, p
	}
	if p := im.checkHost(r.url); p != nil {
		return nil, p
	}
	a, p := im.fetch.fetchDocument(ctx, request{url: r.url, etag: prior.ETag, lastModified: prior.LastModified, accept: acceptPages, limit: im.opt.MaxBytes})
	if im.learning && ctx.Err() == nil {
		p = im.keepAnswer(r.url.String(), a, p)
	}
	return a, p
}

// keptAnswer is what was fetched for a sample. It is kept in a file, so that memory use
// stays constant and a run that was killed does not fetch its sample again.
type keptAnswer struct {
	Status int
	Header http.Header
	URL    string
	Body   []byte
	Code   string // of the problem, when there is one
	Detail string
	Skip   bool
}

// keptAnswers returns the folder of what a run keeps, which has an unguessable name.
func (im *importer) keptAnswers() string { return filepath.Join(os.TempDir(), "colophon-"+im.run.id) }

func (im *importer) keptFile(address string) string {
	return filepath.Join(im.keptAnswers(), wire.SHA256Hex([]byte(address)))
}

func (im *importer) keepAnswer(address string, a *answer, p *problem) *problem {
	var kept keptAnswer
	if p != nil {
		kept = keptAnswer{Code: p.code, Detail: p.forOperator(), Skip: p.skip}
	} else {
		kept = keptAnswer{Status: a.status, Header: a.header, URL: a.url.String(), Body: a.body}
	}
	file, err := json.Marshal(kept)
	if err == nil {
		err = atomic.WriteFile(im.keptFile(address), bytes.NewReader(file))
	}
	if err != nil {
		return failedProblem("no_room", "the page cannot be kept: %v", err)
	}
	return p
}

// keptAnswer returns what this run kept of an address.
func (im *importer) keptAnswer(address string) (*answer, *problem, bool) {
	file, err := os.ReadFile(im.keptFile(address))
	if err != nil {
		return nil, nil, false
	}
	var kept keptAnswer
	if err := json.Unmarshal(file, &kept); err != nil {
		return nil, nil, false
	}
	if kept.Code != "" {
		return nil, &problem{code: kept.Code, detail: kept.Detail, skip: kept.Skip}, true
	}
	u, err := url.Parse(kept.URL)
	if err != nil {
		return nil, nil, false
	}
	return &answer{status: kept.Status, header: kept.Header, url: u, body: kept.Body}, nil, true
}

func (im *importer) removeKept() {
	os.RemoveAll(im.keptAnswers()) //nolint:errcheck // temporary files
}
