package corpus

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/canonicaltext"
	"colophon/internal/iscc"
	"colophon/internal/origin"
	"colophon/internal/urlkey"
)

var must = assert.NoError

// kept keeps what FillPages stores, up to a number of pages.
type kept struct {
	Store
	most   int
	pages  []origin.Page
	bodies []origin.Body
}

var errFull = errors.New("full")

func (k *kept) PutPage(ctx context.Context, p origin.Page, b *origin.Body) error {
	if len(k.pages) == k.most {
		return errFull
	}
	k.pages, k.bodies = append(k.pages, p), append(k.bodies, *b)
	return ctx.Err()
}

// TestFillPages stores pages in their order with the digests of their texts, the same
// ones in one part or several, and stops at the first that fails.
func TestFillPages(t *testing.T) {
	c := New(Options{Publishers: 3, Pages: 200, Seed: 1})
	whole, parts, few := kept{most: 200}, kept{most: 200}, kept{most: 5}
	must(t, c.FillPages(t.Context(), &whole, 0, 200))
	for from := 0; from < 200; from += 40 {
		must(t, c.FillPages(t.Context(), &parts, from, from+40))
	}
	if len(whole.pages) != 200 || !reflect.DeepEqual(whole, parts) {
		t.Errorf("%d pages in one part, %d in several, not the same", len(whole.pages), len(parts.pages))
	}
	for i, p := range whole.pages {
		text, err := canonicaltext.CanonicalText(whole.bodies[i].Text)
		must(t, err)
		digest := canonicaltext.PortableDigest([]byte(text))
		if e := c.Page(i); p.EntryID != e.EntryID || whole.bodies[i].EntryID != e.EntryID || p.CanonicalURL != e.URL {
			t.Errorf("page %d is %s at %s, want %s", i, p.EntryID, p.CanonicalURL, e.EntryID)
		}
		if p.Portable != digest || p.ISCC != iscc.Sum(text).String() || p.Registry != urlkey.RegistryDigest(p.SiteID, p.EntryID, p.CanonicalURL, digest) {
			t.Errorf("page %d: %s, %s, %s are not of its text", i, p.Portable, p.ISCC, p.Registry)
		}
	}
	if err := c.FillPages(t.Context(), &few, 0, 200); !errors.Is(err, errFull) || len(few.pages) != 5 {
		t.Errorf("%d pages, then %v", len(few.pages), err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	assert.ErrorIs(t, c.FillPages(stopped, &kept{most: 200}, 0, 200), context.Canceled, "when told to stop")
}
