package intake_test

import (
	"context"
	"testing"

	"colophon/internal/extract"
	"colophon/internal/intake"
)

// TestDecisionsHoldForTheirText checks that an operator's decision on a page in
// review applies while the text is the same, and no longer.
func TestDecisionsHoldForTheirText(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	broken := func(title string) string {
		return "<title>" + title + "</title><article><p>" + prose(title) + " Das GehÃ¤use Ã¶ffnet sich fÃ¼r GÃ¤ste.</p></article>"
	}
	const now = "2026-11-23T08:00:00Z"
	w.serve("/yes", "text/html", broken("yes"))
	w.serve("/no", "text/html", broken("no"))
	w.sitemap("/sitemap.xml", "/yes", "/no")
	sum := w.must("/sitemap.xml")
	if n := sum.Review.Of(extract.ReviewMojibake).Count; n != 2 || w.find("/yes").Portable+w.find("/no").Portable != "" {
		t.Fatalf("%d pages wait, fingerprints %q and %q", n, w.find("/yes").Portable, w.find("/no").Portable)
	}
	must(t, intake.Accept(ctx, w.store, entry("/yes"), now))
	must(t, intake.Reject(ctx, w.store, entry("/no"), now))
	again := w.must("/sitemap.xml")
	if again.Review.Count() != 0 || w.find("/yes").Portable == "" || w.find("/no").Portable != "" {
		t.Errorf("with the same texts: %v wait, fingerprints %q and %q", again.Review, w.find("/yes").Portable, w.find("/no").Portable)
	}

	w.serve("/yes", "text/html", broken("yes and more"))
	w.serve("/no", "text/html", broken("no and more"))
	changed := w.must("/sitemap.xml")
	if n := changed.Review.Of(extract.ReviewMojibake).Count; n != 2 || w.find("/yes").Portable+w.find("/no").Portable != "" {
		t.Errorf("with other texts: %d wait, fingerprints %q and %q", n, w.find("/yes").Portable, w.find("/no").Portable)
	}
}

// TestTwinsOfPagesThatAreGone checks that a text waits for the operator only
// while another address has it.
func TestTwinsOfPagesThatAreGone(t *testing.T) {
	w := newWorld(t)
	w.page("/old", "Same")
	w.sitemap("/old.xml", "/old")
	w.must("/old.xml")
	w.page("/new", "Same")
	w.sitemap("/new.xml", "/new")
	if sum := w.must("/new.xml"); sum.Review.Of(extract.ReviewDuplicate).Count != 1 || w.find("/new").Portable != "" {
		t.Fatalf("a twin is not in review: %+v", sum.Review)
	}
	if _, err := w.store.SetPageState(context.Background(), entry("/old"), "withdrawn", "2026-11-23T08:00:00Z"); err != nil {
		t.Fatal(err)
	}
	if sum := w.must("/new.xml"); sum.Review.Count() != 0 || w.find("/new").Portable == "" {
		t.Errorf("the twin of a withdrawn page is in review: %+v", sum.Review)
	}
}

// TestImprovedTexts checks that texts of an older extractor count as changed
// even if they read the same.
func TestImprovedTexts(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.conditional("/a", "One", `"1"`) // the site would answer that nothing has changed
	w.page("/b", "Two")
	w.sitemap("/sitemap.xml", "/a", "/b")
	w.must("/sitemap.xml")
	old := w.find("/a")
	current := old.Extraction
	old.Extraction = "service.main-text.v1"
	must(t, w.store.PutPage(ctx, old, nil))
	sum := w.must("/sitemap.xml")
	if tally(t, sum, 0, 1, 1, 0, 0); sum.Improved != 1 || w.find("/a").Extraction != current {
		t.Errorf("%d improved, %s", sum.Improved, w.find("/a").Extraction)
	}
	w.page("/b", "Another two")
	if sum := w.must("/sitemap.xml"); sum.Changed != 1 || sum.Improved != 0 {
		t.Errorf("a new text is counted as improved: %+v", sum)
	}
}

// TestTextsOfAnotherTemplateComeAnew checks that a new template is applied to
// the pages of a site that answers that nothing has changed.
func TestTextsOfAnotherTemplateComeAnew(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.conditional("/a", "One", `"1"`)
	w.conditional("/b", "Two", `"1"`)
	w.sitemap("/sitemap.xml", "/a", "/b")
	w.must("/sitemap.xml")
	if sum := w.must("/sitemap.xml"); sum.NotModified != 2 {
		t.Fatalf("%d of 2 pages cost a 304", sum.NotModified)
	}
	const now = "2026-11-23T08:00:00Z"
	proposed, err := intake.SetSelectors(ctx, w.store, intake.Options{SiteID: w.opt.SiteID}, []string{"h1"}, nil, now)
	must(t, err)
	must(t, w.store.ActivateTemplate(ctx, w.opt.SiteID, proposed.Digest, now))
	sum := w.must("/sitemap.xml")
	if tally(t, sum, 0, 2, 0, 0, 0); w.body("/a").Text != "One" {
		t.Errorf("text %q", w.body("/a").Text)
	}
}
