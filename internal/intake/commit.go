package intake

import (
	"context"
	"errors"
	"slices"
	"strings"

	"colophon/internal/origin"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// commitResult commits one page, or counts why it does not come in. An error is the
// store's: nothing more can be done.
func (im *importer) commitResult(ctx context.Context, r ref, got result) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p := got.problem; p != nil && p.code == "interrupted" {
		return context.Canceled
	}
	if got.at != nil {
		if err := im.observe.observePage(ctx, got.at, got.evidence); err != nil {
			return err
		}
	}
	im.countIgnored(r, got.ignored)
	switch {
	case got.resumed:
		im.sum.Resumed++
		if got.prior.EntryID != "" && got.prior.Outcome != outcomeSkipped {
			im.claims.put(im.site.id, got.prior.EntryID, r.where)
		}
		code, detail, _ := strings.Cut(got.prior.Reason, ": ")
		im.reportOutcome(r, got.prior.Outcome, code, detail)
		return nil
	case got.problem != nil:
		return im.rememberRefusal(ctx, r, got, got.problem)
	case got.notModified:
		return im.keepCurrent(ctx, r, got)
	}
	return im.commitPage(ctx, r, got)
}

// reportOutcome counts an outcome and reports it.
func (im *importer) reportOutcome(r ref, outcome, code, detail string) {
	im.sum.countOutcome(outcome, r.where, code, detail)
	if !r.document {
		im.settled++
	}
	im.opt.Progress(Event{Settled: im.settled, Total: im.total, Bytes: im.fetch.bytes.Load()})
}

// rememberRefusal remembers why a page did not come in.
func (im *importer) rememberRefusal(ctx context.Context, r ref, got result, p *problem) error {
	outcome := outcomeFailed
	if p.skip {
		outcome = outcomeSkipped
	}
	if r.url != nil && p.code != "listed_twice" {
		f, err := im.fetchMemory(ctx, r, outcome, p)
		if err != nil {
			return err
		}
		f.URL = r.url.String()
		if err := im.putFetch(ctx, f); err != nil {
			return err
		}
	}
	im.broken = im.broken || r.document || r.unplaced
	im.reportOutcome(r, outcome, p.code, p.forOperator())
	return nil
}

// keepCurrent records that the stored page is still current. If another page of the run has
// claimed its entry, it records a refusal instead.
func (im *importer) keepCurrent(ctx context.Context, r ref, got result) error {
	if p := im.claimEntry(got.prior.EntryID, "the same page", r); p != nil {
		return im.rememberRefusal(ctx, r, got, p)
	}
	f := origin.Fetch{URL: r.url.String(), EntryID: got.prior.EntryID, ETag: got.etag, LastModified: got.modified, Outcome: outcomeUnchanged}
	if err := im.putFetch(ctx, f); err != nil {
		return err
	}
	im.sum.NotModified++
	im.reportOutcome(r, outcomeUnchanged, "", "")
	return nil
}

func (im *importer) commitPage(ctx context.Context, r ref, got result) error {
	entry, address, err := im.entryAt(ctx, got.draft.canonical)
	if err != nil {
		return err
	}
	got.draft.canonical = address
	next := got.draft.toPage(im.site.id, entry)
	p, err := im.isDuplicateCanonical(ctx, r, next)
	if err != nil {
		return err
	}
	if p == nil && im.opt.Withdrawn != nil && im.opt.Withdrawn(address) {
		p = skippedProblem("withdrawn", "the publisher's own file withdraws it")
	}
	if p == nil {
		p = im.claimEntry(next.EntryID, next.CanonicalURL, r)
	}
	if p != nil {
		return im.rememberRefusal(ctx, r, got, p)
	}
	outcome, p, err := im.writePage(ctx, r, next, got.draft)
	if err != nil {
		return err
	}
	if p != nil {
		return im.rememberRefusal(ctx, r, got, p)
	}
	if r.url != nil {
		f := origin.Fetch{EntryID: next.EntryID, ETag: got.etag, LastModified: got.modified, Outcome: outcome}
		f.URL = r.url.String()
		if err := im.putFetch(ctx, f); err != nil {
			return err
		}
	}
	im.reportOutcome(r, outcome, "", "")
	return nil
}

// entryAt returns the id and the address of the entry for a canonical address.
// An http and an https address share one entry if the page moved from the
// former to the latter: it has the https address and keeps the id that follows
// from the http one.
func (im *importer) entryAt(ctx context.Context, canonical string) (entryID, address string, err error) {
	_, rest, _ := strings.Cut(canonical, "://")
	moved, err := im.storedPage(ctx, urlkey.EntryID(im.site.id, "http://"+rest))
	if moved.CanonicalURL == "https://"+rest {
		return moved.EntryID, moved.CanonicalURL, nil
	}
	return urlkey.EntryID(im.site.id, canonical), canonical, err
}

// claimEntry assigns the entry to the first page of the run that claims it.
func (im *importer) claimEntry(entryID, canonical string, r ref) *problem {
	if owner, ok := im.claims.owner(entryID); ok {
		return skippedProblem("canonical_taken", "%s is claimed by %s", canonical, owner)
	}
	im.claims.put(im.site.id, entryID, r.where)
	return nil
}

// isDuplicateCanonical refuses a page whose canonical address was imported itself, in
// this run or an earlier one: the copy does not replace the original.
func (im *importer) isDuplicateCanonical(ctx context.Context, r ref, next origin.Page) (*problem, error) {
	if r.url == nil {
		return nil, nil
	}
	if own, err := urlkey.Address(r.url.String()); err != nil || own == next.CanonicalURL || urlkey.EntryID(im.site.id, own) == next.EntryID {
		return nil, nil
	}
	f, err := im.readFetch(ctx, next.CanonicalURL)
	if err != nil || f.EntryID != next.EntryID || f.Outcome == outcomeSkipped || f.Outcome == outcomeFailed {
		return nil, err
	}
	return skippedProblem("canonical_taken", "%s is claimed by the page at that address", next.CanonicalURL), nil
}

// writePage writes a page to the store, body first.
func (im *importer) writePage(ctx context.Context, r ref, next origin.Page, d *draft) (outcome string, p *problem, err error) {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	now := formatInstant(im.opt.Now())
	next.RegisteredAt, next.ChangedAt = now, now
	outcome = outcomeNew
	x, err := im.judgePage(ctx, &next, d, now)
	if err != nil {
		return "", nil, err
	}
	old, err := im.store.Page(ctx, next.EntryID)
	switch {
	case errors.Is(err, origin.ErrNotFound):
	case err != nil:
		return "", nil, err
	case old.State != "active":
		back, err := im.mayReturn(ctx, r, next.CanonicalURL)
		if err != nil {
			return "", nil, err
		}
		if back {
			im.sum.Restored++
			outcome = im.compareWithStored(old, &next)
			break
		}
		return "", skippedProblem("withdrawn", "%s was withdrawn; its entry stays so", next.CanonicalURL), nil
	default:
		outcome = im.compareWithStored(old, &next)
	}
	im.sum.countExtraction(&x, outcome, &old, &next)
	body := origin.Body{EntryID: next.EntryID, Text: d.text, Markdown: d.markdown, HTML: d.html, SHA256: wire.SHA256Hex([]byte(d.text)), ChangedAt: now}
	if err := im.store.PutExtraction(ctx, x); err != nil {
		return "", nil, err
	}
	return outcome, nil, im.store.PutPage(ctx, next, &body)
}

// compareWithStored sets the instants of a page that is already in the store. A
// page that an earlier attempt of this run wrote without remembering its fetch
// counts as it did then.
func (im *importer) compareWithStored(old origin.Page, next *origin.Page) string {
	next.RegisteredAt = old.RegisteredAt
	same := sameFacts(old, *next)
	if same {
		next.ChangedAt = old.ChangedAt
	}
	switch {
	case im.run.resumed && old.RegisteredAt >= im.run.started:
		return outcomeNew
	case !same || im.run.resumed && old.ChangedAt >= im.run.started:
		return outcomeChanged
	}
	return outcomeUnchanged
}

// sameFacts reports whether two pages are equal apart from the store's
// instants. Texts are compared by fingerprint, or by length if they are too
// short for one.
func sameFacts(a, b origin.Page) bool {
	return a.CanonicalURL == b.CanonicalURL && a.Title == b.Title && slices.Equal(a.Byline, b.Byline) && a.Section == b.Section &&
		slices.Equal(a.Terms, b.Terms) && a.Language == b.Language && a.ContentFormat == b.ContentFormat && a.WordCount == b.WordCount &&
		a.PublishedAt == b.PublishedAt && a.ModifiedAt == b.ModifiedAt && a.State == b.State && a.Portable == b.Portable &&
		a.Registry == b.Registry && a.Extraction == b.Extraction && a.ISCC == b.ISCC
}

// putFetch stores what this run knows about an address, so that it need not be
// fetched again.
func (im *importer) putFetch(ctx context.Context, f origin.Fetch) error {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	f.SiteID, f.Run, f.Source = im.site.id, im.run.id, im.source
	f.FetchedAt = formatInstant(im.opt.Now())
	return im.store.PutFetch(ctx, f)
}
