package intake

import (
	"context"
	"errors"

	"colophon/internal/extract"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

// alike is how many pages with the same text are considered.
const alike = 8

// judgePage decides whether a page that is about to be written gets its
// fingerprint, or goes to review first: then it has none.
func (im *importer) judgePage(ctx context.Context, next *origin.Page, d *draft, now string) (origin.Extraction, error) {
	x := origin.Extraction{
		EntryID: next.EntryID, SiteID: next.SiteID, Extractor: d.extraction, Template: d.template, Encoding: d.encoding, Facts: d.facts,
		Portable: d.fingerprint, ChangedAt: now,
	}
	for _, r := range d.reasons {
		x.Reasons = append(x.Reasons, origin.ReviewReason(r))
	}
	twin, err := FindTwin(ctx, im.store, &x)
	if err != nil {
		return x, err
	}
	if twin != "" {
		x.Reasons = append(x.Reasons, origin.ReviewReason{Code: extract.ReviewDuplicate, Detail: "it has the same text as " + twin})
	}
	if len(x.Reasons) > 0 {
		x.Kept, x.Dropped = excerptText(d.text, keptExcerpt), excerptText(d.dropped, droppedExcerpt)
	}
	before, err := im.store.Extraction(ctx, next.EntryID)
	if err != nil && !errors.Is(err, origin.ErrNotFound) {
		return x, err
	}
	x.Review = nextReview(&before, &x)
	if x.Review == origin.ReviewWaiting || x.Review == origin.ReviewRejected {
		setFingerprint(next, "")
	}
	return x, nil
}

// Bounds of the excerpts of a page in review, in characters.
const (
	keptExcerpt    = 2000
	droppedExcerpt = 1000
)

// excerptText returns at most limit characters of a text. A longer text is
// reduced to a beginning of three quarters of that and an end, with an ellipsis
// on its own line between.
func excerptText(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	head := limit * 3 / 4
	return string(runes[:head]) + "\n…\n" + string(runes[len(runes)-(limit-head):])
}

// nextReview returns the state of review of a page. The operator's decision
// holds while the text is the same.
func nextReview(before, x *origin.Extraction) string {
	switch {
	case len(x.Reasons) == 0:
		return origin.ReviewNone
	case before.Review != origin.ReviewNone && before.Portable == x.Portable:
		return before.Review
	}
	return origin.ReviewWaiting
}

// setFingerprint sets the fingerprint of a page's text; a page with "" cannot be signed.
func setFingerprint(p *origin.Page, portable string) {
	p.Portable = portable
	p.Registry = urlkey.RegistryDigest(p.SiteID, p.EntryID, p.CanonicalURL, portable)
}

// FindTwin returns the address of another page of the site with the same text
// that is active and not in review itself, "" for none.
func FindTwin(ctx context.Context, store Store, x *origin.Extraction) (string, error) {
	if x.Portable == "" {
		return "", nil
	}
	list, err := store.ExtractionsWithText(ctx, x.SiteID, x.Portable, alike)
	if err != nil {
		return "", err
	}
	for _, other := range list {
		if other.EntryID == x.EntryID || other.Review == origin.ReviewWaiting || other.Review == origin.ReviewRejected {
			continue
		}
		page, err := store.Page(ctx, other.EntryID)
		if errors.Is(err, origin.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", err
		}
		if page.State == "active" {
			return page.CanonicalURL, nil
		}
	}
	return "", nil
}

// Accept gives a page in review its fingerprint, so that the next build signs
// it. It returns origin.ErrNotFound for a page that is not in review.
func Accept(ctx context.Context, store Store, entryID, now string) error {
	return decideReview(ctx, store, entryID, origin.ReviewAccepted, now)
}

// Reject keeps a page from being signed for as long as its text is the same.
// It returns origin.ErrNotFound for a page that is not in review.
func Reject(ctx context.Context, store Store, entryID, now string) error {
	return decideReview(ctx, store, entryID, origin.ReviewRejected, now)
}

func decideReview(ctx context.Context, store Store, entryID, review, now string) error {
	x, err := store.Extraction(ctx, entryID)
	if err != nil {
		return err
	}
	if x.Review == origin.ReviewNone {
		return origin.ErrNotFound
	}
	page, err := store.Page(ctx, entryID)
	if err != nil {
		return err
	}
	portable := ""
	if review == origin.ReviewAccepted {
		portable = x.Portable
	}
	if page.Portable != portable {
		setFingerprint(&page, portable)
		page.ChangedAt = now
		if err := store.PutPage(ctx, page, nil); err != nil {
			return err
		}
	}
	x.Review, x.ChangedAt = review, now
	return store.PutExtraction(ctx, x)
}
