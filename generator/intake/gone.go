package intake

import (
	"context"
	"errors"
	"strings"
	"time"

	"colophon/internal/origin"
)

// How the memory tells of a page that is gone from its site: since when, or
// that its entry was withdrawn for it. What stands there is read by these
// words; an entry that somebody else withdrew has none.
const (
	goneSince     = "gone since "
	goneWithdrawn = "gone, withdrawn at "
)

// unlisted is the reason of a page that its sitemap lists no more.
const unlisted = "unlisted"

// isGone reports whether an answer says that a page is there no more.
func isGone(p *problem) bool { return p.code == "http_404" || p.code == "http_410" }

// goneAt reads the instant after one of the words.
func goneAt(f *origin.Fetch, words string) (time.Time, bool) {
	rest, ok := strings.CutPrefix(f.Reason, words)
	at, _, _ := strings.Cut(rest, ": ")
	t, err := time.Parse(time.RFC3339, at)
	return t, ok && err == nil
}

// noteMissing takes note of a page that is gone. After the grace period its entry is
// withdrawn. It returns what the memory keeps.
func (im *importer) noteMissing(ctx context.Context, prior origin.Fetch, code, where, detail string) (origin.Fetch, error) {
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
	if im.opt.DryRun || now.Sub(since) < im.opt.Grace {
		return next, nil
	}
	im.storeMu.Lock()
	changed, err := im.store.SetPageState(ctx, prior.EntryID, "withdrawn", formatInstant(now))
	im.storeMu.Unlock()
	if changed {
		im.sum.Withdrawn++
		next.Reason = goneWithdrawn + formatInstant(now) + ": " + code
	}
	return next, err
}

// fetchMemory is what is kept of a page that did not come in. A failure that
// may pass does not forget that the page was gone.
func (im *importer) fetchMemory(ctx context.Context, r ref, outcome string, p *problem) (origin.Fetch, error) {
	prior, err := im.readFetch(ctx, r.url.String())
	if err != nil {
		return prior, err
	}
	if isGone(p) && prior.EntryID != "" {
		return im.noteMissing(ctx, prior, p.code, r.where, p.detail)
	}
	next := origin.Fetch{Outcome: outcome, Reason: p.Error()}
	if outcome == outcomeFailed {
		next.EntryID = prior.EntryID
		if strings.HasPrefix(prior.Reason, goneSince) || strings.HasPrefix(prior.Reason, goneWithdrawn) {
			next.Reason = prior.Reason
		}
	}
	return next, nil
}

// mayReturn reports whether a withdrawn entry may come back with its page: only
// one that was withdrawn because the page was gone. The store is locked.
func (im *importer) mayReturn(ctx context.Context, r ref) (bool, error) {
	if r.url == nil {
		return false, nil
	}
	prior, err := im.store.Fetch(ctx, r.url.String())
	if errors.Is(err, origin.ErrNotFound) {
		return false, nil
	}
	_, gone := goneAt(&prior, goneWithdrawn)
	return gone && prior.SiteID == im.site.id, err
}

const missBatch = 1000

// missUnlisted takes note of the pages that the same sitemap listed the last
// time and lists no more. It needs a sitemap that was read to its end, all its
// parts included, in one go.
func (im *importer) missUnlisted(ctx context.Context) error {
	if !im.fromSitemap || im.sum.Full || im.broken || im.before == "" || im.opt.DryRun {
		return nil
	}
	for after := ""; ; {
		list, err := im.store.FetchesOf(ctx, im.site.id, after, missBatch)
		if err != nil {
			return err
		}
		for _, f := range list {
			after = f.URL
			if err := im.missIfUnlisted(ctx, f); err != nil {
				return err
			}
		}
		if len(list) < missBatch {
			return nil
		}
	}
}

func (im *importer) missIfUnlisted(ctx context.Context, f origin.Fetch) error {
	_, isClaimed := im.claims.owner(f.EntryID)
	if f.EntryID == "" || f.Run != im.before || im.listed[keyOf(f.URL)] || isClaimed {
		return nil
	}
	next, err := im.noteMissing(ctx, f, unlisted, f.URL, "its sitemap lists it no more")
	if err != nil {
		return err
	}
	next.URL = f.URL
	next.SiteID = f.SiteID
	next.Run = im.run.id
	next.FetchedAt = formatInstant(im.opt.Now())
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	return im.store.PutFetch(ctx, next)
}
