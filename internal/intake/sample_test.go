package intake_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"colophon/internal/extract"
	"colophon/internal/intake"
)

// TestSampleDoesNotDependOnOrder proposes a template from a list and from its
// reverse, which names each page twice: the sample has the same pages, so the
// template must be the same.
func TestSampleDoesNotDependOnOrder(t *testing.T) {
	intake.SetSampleSize(6)
	t.Cleanup(func() { intake.SetSampleSize(extract.SampleSize) })
	w := newWorld(t)
	var paths []string
	for i := range 20 {
		path := fmt.Sprintf("/p%d", i)
		paths = append(paths, path)
		w.page(path, "Title "+path)
	}
	w.sitemap("/forth.xml", paths...)
	slices.Reverse(paths)
	w.sitemap("/back.xml", append(paths, paths...)...)
	var digests []string
	for _, source := range []string{"/forth.xml", "/back.xml"} {
		opt := w.opt
		opt.Source = w.url + source
		template, err := intake.ProposeTemplate(context.Background(), w.store, opt)
		must(t, err)
		learned, err := extract.ParseTemplate([]byte(template.Document))
		if err != nil || learned.Pages != 6 {
			t.Fatalf("learned from %d pages, want 6 (%v)", learned.Pages, err)
		}
		digests = append(digests, template.Digest)
	}
	if digests[0] != digests[1] {
		t.Error("another order gives another sample")
	}
}
