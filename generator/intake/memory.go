package intake

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/url"

	"colophon/internal/origin"
)

// recall looks up what is known of an address. An address that the source
// lists again gets a problem; one that this run has settled needs no more.
func (im *importer) recall(ctx context.Context, r *ref) (prior origin.Fetch, resumed bool, err error) {
	if r.url == nil {
		return prior, false, nil
	}
	sum := sha256.Sum256([]byte(r.url.String()))
	if key := [16]byte(sum[:16]); im.listed[key] {
		r.problem = skipped("listed_twice", "the source lists it more than once")
		return prior, false, nil
	} else {
		im.listed[key] = true
	}
	prior, err = im.memory(ctx, r.url.String())
	if err != nil || prior.Run == "" {
		return prior, false, err
	}
	if im.run.resumed && prior.Run == im.run.id && prior.Outcome != outcomeFailed {
		return prior, true, nil
	}
	return im.current(ctx, prior)
}

// current keeps the validators of a fetch only while its page is in the store
// as this program would read it today: else it must come whole.
func (im *importer) current(ctx context.Context, f origin.Fetch) (origin.Fetch, bool, error) {
	if f.EntryID == "" || f.Outcome == outcomeSkipped || f.Outcome == outcomeFailed {
		return origin.Fetch{}, false, nil
	}
	im.storeMu.Lock()
	page, err := im.store.Page(ctx, f.EntryID)
	im.storeMu.Unlock()
	if errors.Is(err, origin.ErrNotFound) || err == nil && (page.State != "active" || page.Extraction != extractionMain) {
		return origin.Fetch{}, false, nil
	}
	if err != nil {
		return f, false, err
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

// memory reads the last fetch of an address for this site.
func (im *importer) memory(ctx context.Context, address string) (origin.Fetch, error) {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	f, err := im.store.Fetch(ctx, address)
	if errors.Is(err, origin.ErrNotFound) || err == nil && f.SiteID != im.site.id {
		return origin.Fetch{}, nil
	}
	return f, err
}

// known reports whether an address was imported as a page before.
func (im *importer) known(ctx context.Context, u *url.URL) bool {
	f, err := im.memory(ctx, u.String())
	return err == nil && f.EntryID != "" && (f.ETag != "" || f.LastModified != "")
}
