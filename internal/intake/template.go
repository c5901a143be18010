package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/natefinch/atomic"

	"colophon/internal/extract"
	"colophon/internal/origin"
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
		im.kept = findKeptAnswers(im.run.id)
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
	digest := digestOf([]byte(r.url.String()))
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
	var err error
	if im.kept, err = openKeptAnswers(im.run.id); err != nil {
		return nil, err
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
		l.Add(extract.Page{URL: doc.Base(at), Doc: doc.Root, Body: digestOf(a.body)})
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
	p := recoverPanic("HTML reader", func() *problem {
		if doc, err = extract.Parse(decoded.Text, nil); err != nil {
			return failedProblem("bad_html", "%v", err)
		}
		if countElements(doc.Root) > maxElements {
			return failedProblem("bad_html", "it has too many elements")
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
	if im.kept != nil {
		if a, p, ok := im.kept.getAnswer(r.url.String()); ok {
			return a, p
		}
	}
	if p := im.checkHost(r.url); p != nil {
		return nil, p
	}
	a, p := im.fetch.fetchDocument(ctx, request{url: r.url, etag: prior.ETag, lastModified: prior.LastModified, accept: acceptPages, limit: im.opt.MaxBytes})
	if im.learning && im.kept != nil && ctx.Err() == nil {
		p = im.kept.putAnswer(r.url.String(), a, p)
	}
	return a, p
}

// keptAnswers stores what was fetched for a sample in files, so that memory use
// stays constant and a run that was killed does not fetch its sample again.
type keptAnswers struct{ dir string }

// keptAnswer is what such a file begins with, as a line of JSON; the body
// follows.
type keptAnswer struct {
	Status int
	Header http.Header
	URL    string
	Code   string // of the problem, when there is one
	Detail string
	Skip   bool
}

// openKeptAnswers opens the folder of a run, which has an unguessable name.
func openKeptAnswers(run string) (*keptAnswers, error) {
	k := &keptAnswers{dir: filepath.Join(os.TempDir(), "colophon-"+run)}
	if err := os.Mkdir(k.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot keep the sample: %w", err)
	}
	return k, nil
}

// findKeptAnswers opens the folder that an earlier attempt of a run left, nil
// for none.
func findKeptAnswers(run string) *keptAnswers {
	k := &keptAnswers{dir: filepath.Join(os.TempDir(), "colophon-"+run)}
	if _, err := os.Stat(k.dir); err != nil {
		return nil
	}
	return k
}

func (k *keptAnswers) answerFile(address string) string {
	return filepath.Join(k.dir, digestOf([]byte(address)))
}

func (k *keptAnswers) putAnswer(address string, a *answer, p *problem) *problem {
	head := keptAnswer{}
	var body []byte
	if p != nil {
		head.Code = p.code
		head.Detail = p.forOperator()
		head.Skip = p.skip
	} else {
		head.Status = a.status
		head.Header = a.header
		head.URL = a.url.String()
		body = a.body
	}
	line, err := json.Marshal(head)
	if err == nil {
		err = atomic.WriteFile(k.answerFile(address), io.MultiReader(bytes.NewReader(line), strings.NewReader("\n"), bytes.NewReader(body)))
	}
	if err != nil {
		return failedProblem("no_room", "the page cannot be kept: %v", err)
	}
	return p
}

// getAnswer returns the stored answer of an address.
func (k *keptAnswers) getAnswer(address string) (*answer, *problem, bool) {
	file, err := os.ReadFile(k.answerFile(address))
	if err != nil {
		return nil, nil, false
	}
	line, body, _ := bytes.Cut(file, []byte("\n"))
	var head keptAnswer
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, nil, false
	}
	if head.Code != "" {
		return nil, &problem{code: head.Code, detail: head.Detail, skip: head.Skip}, true
	}
	u, err := url.Parse(head.URL)
	if err != nil {
		return nil, nil, false
	}
	return &answer{status: head.Status, header: head.Header, url: u, body: body}, nil, true
}

func (k *keptAnswers) removeAll() {
	if k != nil {
		os.RemoveAll(k.dir) //nolint:errcheck // temporary files
	}
}
