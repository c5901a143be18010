package intake

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/url"

	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// A key represents an address or an entry, because what is remembered of each
// page of a run must be small.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// claims records which page of a run has an entry: the first that claimed it.
// The address of a page is left out if the entry is that of the address.
type claims map[key]string

func (c claims) put(siteID, entryID, where string) {
	if own, err := urlkey.Address(where); err == nil && urlkey.EntryID(siteID, own) == entryID {
		where = ""
	}
	c[keyOf(entryID)] = where
}

// owner names the page that has an entry; ok is false when none has.
func (c claims) owner(entryID string) (where string, ok bool) {
	where, ok = c[keyOf(entryID)]
	return cmp.Or(where, "the page at that address"), ok
}

// recallFetch returns what is known about an address. An address that the
// source lists again gets a problem; one that this run has settled needs
// nothing more.
func (im *importer) recallFetch(ctx context.Context, r *ref) (prior origin.Fetch, resumed bool, err error) {
	if r.url == nil {
		return prior, false, nil
	}
	k := keyOf(r.url.String())
	if im.listed[k] {
		r.problem = skippedProblem("listed_twice", "the source lists it more than once")
		return prior, false, nil
	}
	im.listed[k] = true
	prior, err = im.readFetch(ctx, r.url.String())
	if err != nil || prior.Run == "" {
		return prior, false, err
	}
	if im.run.resumed && prior.Run == im.run.id && prior.Outcome != outcomeFailed {
		return prior, true, nil
	}
	return im.currentFetch(ctx, prior)
}

// currentFetch returns f with its validators only if its page is stored as this program
// would read it today; otherwise the page must be fetched in full. A fetch without a source
// was made by an earlier version, which read pages differently.
func (im *importer) currentFetch(ctx context.Context, f origin.Fetch) (origin.Fetch, bool, error) {
	if f.EntryID == "" || f.Source == "" || f.Outcome == outcomeSkipped || f.Outcome == outcomeFailed {
		return origin.Fetch{}, false, nil
	}
	page, err := im.storedPage(ctx, f.EntryID)
	if err != nil || page.State != "active" || page.Extraction != extractionMain {
		return origin.Fetch{}, false, err
	}
	same, err := im.sameTemplate(ctx, f.EntryID)
	if err != nil || !same {
		return origin.Fetch{}, false, err
	}
	return f, false, nil
}

// sameTemplate reports whether the text of a page was made with the template
// in force.
func (im *importer) sameTemplate(ctx context.Context, entryID string) (bool, error) {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	x, err := im.store.Extraction(ctx, entryID)
	if errors.Is(err, origin.ErrNotFound) {
		return false, nil
	}
	return x.Template == im.site.templateDigest, err
}

// readFetch reads the last fetch of an address for this site.
func (im *importer) readFetch(ctx context.Context, address string) (origin.Fetch, error) {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	f, err := im.store.Fetch(ctx, address)
	if errors.Is(err, origin.ErrNotFound) || err == nil && f.SiteID != im.site.id {
		return origin.Fetch{}, nil
	}
	return f, err
}

// isKnownPage reports whether an address was imported as a page before.
func (im *importer) isKnownPage(ctx context.Context, u *url.URL) bool {
	f, err := im.readFetch(ctx, u.String())
	return err == nil && f.EntryID != "" && (f.ETag != "" || f.LastModified != "")
}
