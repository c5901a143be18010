package exports_test

import (
	"testing"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/searchindex"
)

// A compressed sibling is a file more, for each release: only what browsers and
// crawlers read has one.
func TestCompressible(t *testing.T) {
	for key, want := range map[exports.Key]bool{
		"v1/_index.json": true, "index.html": true, "ai-rights-map-sitemap.xml": true, "assets/site.0123456789.css": true,
		lookup.BucketKey("0123456789abcdef", lookup.LookupPrimary, 7): false, searchindex.LeafKey("0123456789abcdef", searchindex.Entries, "tide"): false,
		"_ix/0123456789abcdef/files.txt": true, "_packs/00/1.pack": false, "ledger/tile/0/000": false, "assets/card.png": false,
	} {
		if key.Compressible() != want {
			t.Errorf("%s: %v", key, !want)
		}
	}
}
