package intake

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"colophon/internal/origin"
)

// What the importer remembers about a page that is gone from its site: since
// when, or that its entry was withdrawn for it. The records are recognized by
// these words; an entry that someone else withdrew has none.
const (
	goneSince     = "gone since "
	goneWithdrawn = "gone, withdrawn at "
)

// reasonOwnFile is the reason of a page that its publisher's own file withdraws.
const reasonOwnFile = "publisher_file"

// reasonNotListed is the reason of a page that its source no longer lists.
const reasonNotListed = "not_listed"

// isGone reports whether a problem means that a page is no longer at its
// address, or no longer suitable for the registry. A single answer may be a
// temporary mistake, so the entry has a grace period.
func isGone(p *problem) bool {
	switch p.code {
	case "http_404", "http_410", reasonNoIndex, reasonElsewhere:
		return true
	}
	return false
}

// goneAt reads the instant after one of the words.
func goneAt(f *origin.Fetch, words string) (time.Time, bool) {
	rest, ok := strings.CutPrefix(f.Reason, words)
	at, _, _ := strings.Cut(rest, ": ")
	t, err := time.Parse(time.RFC3339, at)
	return t, ok && err == nil
}

// noteMissing records that a page is gone, and withdraws its entry after the
// grace period. It returns what to remember.
func (im *importer) noteMissing(ctx context.Context, prior origin.Fetch, code, where, detail string, grace time.Duration) (origin.Fetch, error) {
	now := im.opt.Now()
	since, known := goneAt(&prior, goneSince)
	if !known {
		since = now
	}
	next := origin.Fetch{EntryID: prior.EntryID, Outcome: outcomeFailed, Reason: goneSince + formatInstant(since) + ": " + code}
	im.sum.Missing.addProblem(code, where, "gone since "+formatInstant(since)+"; "+detail)
	if _, done := goneAt(&prior, goneWithdrawn); done {
		next.Reason = prior.Reason
		return next, nil
	}
	if now.Sub(since) < grace {
		return next, nil
	}
	withdrawn, err := im.withdrawEntry(ctx, prior.EntryID, code)
	if withdrawn {
		im.sum.Withdrawn++
		next.Reason = goneWithdrawn + formatInstant(now) + ": " + code
	}
	return next, err
}

// withdrawEntry withdraws the entry of a page that is gone. The memory of its
// canonical address keeps why, since the page may return there.
func (im *importer) withdrawEntry(ctx context.Context, entryID, code string) (bool, error) {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	page, err := im.store.Page(ctx, entryID)
	if errors.Is(err, origin.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	// No source lists the page at that address, so there is nothing remembered
	// about it.
	return withdrawPage(ctx, im.store, &page, code, im.run.id, formatInstant(im.opt.Now()))
}

// withdrawPage withdraws a page at the instant at, remembers why, and reports
// whether it was active.
func withdrawPage(ctx context.Context, store Store, page *origin.Page, code, run, at string) (bool, error) {
	changed, err := store.SetPageState(ctx, page.EntryID, "withdrawn", at)
	if err != nil || !changed {
		return false, err
	}
	return true, store.PutFetch(ctx, origin.Fetch{
		URL: page.CanonicalURL, SiteID: page.SiteID, EntryID: page.EntryID, Outcome: outcomeFailed, Reason: goneWithdrawn + at + ": " + code, Run: run, FetchedAt: at,
	})
}

// fetchMemory returns what to remember of a page that could not be read. A
// temporary failure does not erase that the page was gone.
func (im *importer) fetchMemory(ctx context.Context, r ref, outcome string, p *problem) (origin.Fetch, error) {
	prior, err := im.readFetch(ctx, r.url.String())
	if err != nil {
		return prior, err
	}
	if prior.EntryID == "" && p.unpublished {
		if prior.EntryID, err = im.suppliedEntry(ctx, r.url); err != nil {
			return prior, err
		}
	}
	switch {
	case prior.EntryID == "":
	case p.unpublished:
		return im.noteMissing(ctx, prior, p.code, r.where, p.forOperator(), 0)
	case isGone(p):
		return im.noteMissing(ctx, prior, p.code, r.where, p.forOperator(), im.opt.Grace)
	}
	next := origin.Fetch{EntryID: prior.EntryID, Outcome: outcome, Reason: p.Error()}
	if strings.HasPrefix(prior.Reason, goneSince) || strings.HasPrefix(prior.Reason, goneWithdrawn) {
		next.Reason = prior.Reason
	}
	return next, nil
}

// suppliedEntry returns the entry of an address whose text a source supplied
// before the importer remembered such pages, "" for none.
func (im *importer) suppliedEntry(ctx context.Context, u *url.URL) (string, error) {
	address, p := im.site.registeredAddress(u)
	if p != nil {
		return "", nil
	}
	entry, _, err := im.entryAt(ctx, address)
	if err != nil {
		return "", err
	}
	page, err := im.storedPage(ctx, entry)
	if page.State != "active" || page.Extraction == extractionMain {
		return "", err
	}
	return page.EntryID, nil
}

// mayReturn reports whether a withdrawn entry may become active with its page:
// only if it was withdrawn because the page was gone, according to the memory
// of its own address or of the one that leads to it. The store is locked.
func (im *importer) mayReturn(ctx context.Context, r ref, canonical string) (bool, error) {
	addresses := []string{canonical}
	if r.url != nil {
		addresses = append(addresses, r.url.String())
	}
	for _, address := range addresses {
		prior, err := im.store.Fetch(ctx, address)
		if errors.Is(err, origin.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		if _, gone := goneAt(&prior, goneWithdrawn); gone && prior.SiteID == im.site.id {
			return !strings.HasSuffix(prior.Reason, ": "+reasonOwnFile), nil // what the file withdrew only the file restores
		}
	}
	return false, nil
}

// WithdrawForFile withdraws an entry at the instant at (RFC 3339) because its
// publisher's own file says so, and reports whether it was active. Imports do
// not restore it.
func WithdrawForFile(ctx context.Context, store Store, page *origin.Page, at string) (bool, error) {
	return withdrawPage(ctx, store, page, reasonOwnFile, "", at)
}

// RestoreForFile restores the entries of a site that WithdrawForFile withdrew and
// that its file no longer lists. It returns their addresses.
func RestoreForFile(ctx context.Context, store Store, siteID string, listed func(address string) bool, at string) ([]string, error) {
	withdrawn, err := store.FetchesBecause(ctx, siteID, ": "+reasonOwnFile)
	if err != nil {
		return nil, err
	}
	var restored []string
	for _, f := range withdrawn {
		if listed(f.URL) {
			continue
		}
		changed, err := store.SetPageState(ctx, f.EntryID, "active", at)
		if err != nil {
			return restored, err
		}
		if changed {
			restored = append(restored, f.URL)
		}
		f.Outcome, f.Reason, f.FetchedAt = outcomeSkipped, "", at
		if err := store.PutFetch(ctx, f); err != nil {
			return restored, err
		}
	}
	return restored, nil
}

// missUnlisted records the pages that the same source listed earlier and no
// longer lists. The source must list all its pages and must have been read
// completely, with all its parts; otherwise a missing page means nothing.
func (im *importer) missUnlisted(ctx context.Context) error {
	if !im.listsAll || im.sum.Full || im.broken {
		return nil
	}
	for f, err := range Fetches(ctx, im.store, im.site.id) {
		if err == nil {
			err = im.missIfUnlisted(ctx, *f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) missIfUnlisted(ctx context.Context, f origin.Fetch) error {
	_, isClaimed := im.claims.owner(f.EntryID)
	if f.EntryID == "" || f.Source != im.source || im.listed[keyOf(f.URL)] || isClaimed {
		return nil
	}
	next, err := im.noteMissing(ctx, f, reasonNotListed, f.URL, "its source no longer lists it", im.opt.Grace)
	if err != nil {
		return err
	}
	next.URL = f.URL
	return im.putFetch(ctx, next)
}
