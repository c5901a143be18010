package intake

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"

	"colophon/internal/canonicaltext"
	"colophon/internal/origin"
)

// canonicals remembers what was found at the canonical addresses that pages of
// a run state.
type canonicals struct {
	mu    sync.Mutex
	found map[string]canonicalPage // by address
}

type canonicalPage struct {
	text    key    // key of the text, if there is one
	problem string // why there is none
}

// confirmCanonical decides which address a page gets that states another one as
// canonical. It gets that one if a page with the same text answers there;
// otherwise it keeps its own, and ignored says why. A page on a foreign host
// has no address of its own.
func (im *importer) confirmCanonical(ctx context.Context, out *result) {
	d := out.draft
	address := d.stated.String()
	wrong, err := im.compareCanonical(ctx, d, im.site.copyOf(d.stated, out.at))
	switch {
	case err != nil:
		out.problem = failedProblem("interrupted", "%v", err)
	case wrong == "":
		d.canonical = address
	case d.canonical == "":
		out.problem = skippedProblem(reasonForeignHost, "%s is not a host of site %q, and its canonical address %s does not hold: %s", out.at.Host, im.site.id, address, wrong)
	default:
		out.ignored = &ignoredCanonical{address: address, why: wrong}
	}
}

// compareCanonical returns why the page at an address is not the one that a
// draft was made from, "" if it is.
func (im *importer) compareCanonical(ctx context.Context, d *draft, at *url.URL) (string, error) {
	entry, _, err := im.entryAt(ctx, d.stated.String())
	if err != nil {
		return "", err
	}
	page, err := im.storedPage(ctx, entry)
	if err != nil || d.fingerprint != "" && page.Portable == d.fingerprint {
		return "", err
	}
	there, err := im.readCanonical(ctx, at)
	switch {
	case err != nil:
		return "", err
	case there.problem != "":
		return there.problem, nil
	case there.text != textKey(d.text):
		return "a different text is there", nil
	}
	return "", nil
}

// storedPage reads the page of an entry, an empty one if there is none.
func (im *importer) storedPage(ctx context.Context, entryID string) (origin.Page, error) {
	im.storeMu.Lock()
	defer im.storeMu.Unlock()
	page, err := im.store.Page(ctx, entryID)
	if errors.Is(err, origin.ErrNotFound) {
		return origin.Page{}, nil
	}
	return page, err
}

// readCanonical fetches a page once in a run, whatever number of pages name it. Its
// error is the context's.
func (im *importer) readCanonical(ctx context.Context, at *url.URL) (canonicalPage, error) {
	im.canonicals.mu.Lock()
	defer im.canonicals.mu.Unlock()
	if known, ok := im.canonicals.found[at.String()]; ok {
		return known, nil
	}
	page := im.fetchCanonical(ctx, at)
	if ctx.Err() == nil {
		im.canonicals.found[at.String()] = page
	}
	return page, ctx.Err()
}

func (im *importer) fetchCanonical(ctx context.Context, at *url.URL) canonicalPage {
	a, p := im.fetchOnce(ctx, ref{url: at}, origin.Fetch{})
	if p != nil {
		return canonicalPage{problem: p.Error()}
	}
	if a.url.String() != at.String() {
		return canonicalPage{problem: fmt.Sprintf("it redirects to %s", a.url)}
	}
	d, _, p := im.site.extractPage(a, draft{}, int(im.opt.MaxBytes))
	if p != nil {
		return canonicalPage{problem: p.Error()}
	}
	return canonicalPage{text: textKey(d.text)}
}

// textKey returns a key for a text that ignores the blanks and punctuation in
// which two copies may differ.
func textKey(text string) key {
	canonical, err := canonicaltext.CanonicalText(text)
	if err != nil {
		canonical = text
	}
	return keyOf(canonical)
}

// copyOf returns the address at which u is read: u itself or, if from is in a private copy
// of the site and u is on the home host, the address of u in that copy.
func (s *site) copyOf(u, from *url.URL) *url.URL {
	at := *u
	if s.private(from) && at.Host == s.home.Host {
		at.Scheme, at.Host = from.Scheme, from.Host
	}
	return &at
}

// ignoredCanonical is a canonical address that does not hold.
type ignoredCanonical struct{ address, why string }

// manyShare is how many pages must state the same unconfirmed canonical address
// for it to be reported as a mistake of the site rather than of its pages.
const manyShare = 3

// countIgnored counts a canonical address that does not hold.
func (im *importer) countIgnored(r ref, i *ignoredCanonical) {
	if i == nil {
		return
	}
	im.sum.Ignored.addProblem("canonical_not_confirmed", r.where, fmt.Sprintf("it states %s as its canonical address: %s", i.address, i.why))
	k := keyOf(i.address)
	if im.ignored[k]++; im.ignored[k] == manyShare {
		im.sum.Ignored.addProblem("canonical_shared", i.address, "several pages with texts of their own state it as their canonical address: look at the template of the site")
	}
}
