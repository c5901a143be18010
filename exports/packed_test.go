package exports

import "testing"

func TestPacked(t *testing.T) {
	for key, want := range map[Key]bool{
		"publishers/harbor/index.html":                         true,
		"publishers/harbor/pack/robots-fragment.txt":           true,
		"publishers/harbor/pages/2/index.html":                 true,
		"rights-map/harbor/index.html":                         true,
		"v1/licensing-marketplace/publishers/harbor.json":      true,
		"v1/public/ai-rights-map/publishers/harbor.json":       true,
		"v1/public/license-catalog/lic_1.rsl.xml":              true,
		"v1/public/sites/harbor/rights.json":                   true,
		"ledger/tile/0/x001/067":                               true,
		"ledger/tile/entries/000.p/9":                          true,
		"categories/arts/index.html":                           true,
		"categories/arts/pages/2/index.html":                   true,
		"categories/index.html":                                false,
		"problems/not-found/index.html":                        true,
		"problems/not-found.json":                              true,
		"problems/index.html":                                  false,
		"v1/public/content-catalog/category/arts.json":         true,
		"v1/public/content-catalog/categories.json":            false,
		"v1/public/content-catalog.json":                       false,
		"v1/public/range/url/0a":                               true,
		"v1/public/release/entries/0.parquet":                  false,
		"ledger/checkpoint":                                    false,
		"ledger/policy":                                        false,
		"ledger/ledger.vkey":                                   false,
		"ledger/index.html":                                    false,
		"publishers/harbor/index.html.gz":                      false,
		"publishers/index.html":                                false,
		"rights-map/index.html":                                false,
		"v1/licensing-marketplace/publishers.json":             false,
		"v1/public/license-catalog.json":                       false,
		"v1/public/citations/ent_1.json":                       false,
		"_sandbox/publishers/sandbox-gazette/pack/license.xml": false,
		"v1/_packs.json":                                       false,
		"v1/_index.json":                                       true,
		"v1/_index.json.gz":                                    false,
		KeyOf(PathLedgerManifest):                              true,
		KeyOf(WellKnownLedger):                                 true,
		"sitemap-citations-harbor.xml":                         true,
		"sitemap-citations-harbor.2.xml":                       true,
		"sitemap-citations-harbor.xml.gz":                      false,
		"sitemap-pages.xml":                                    false,
		"sitemap.xml":                                          false,
		"ai-rights-map-sitemap.xml":                            false,
		"assets/publishers/harbor.css":                         false,
		"":                                                     false,
	} {
		if got := Packed(key); got != want {
			t.Errorf("Packed(%q) = %v", key, got)
		}
	}
}

func TestPackedOwner(t *testing.T) {
	for key, want := range map[Key]string{
		"publishers/harbor-ledger/feed.rss":                                 "harbor-ledger",
		"publishers/harbor-ledger/pack/headers.txt":                         "harbor-ledger",
		"rights-map/harbor-ledger/index.html":                               "harbor-ledger",
		"v1/licensing-marketplace/publishers/harbor-ledger.json":            "harbor-ledger",
		"v1/licensing-marketplace/publishers/harbor-ledger/x.json":          "harbor-ledger",
		"v1/public/license-catalog/lic_1.json":                              "lic_1",
		"v1/public/sites/harbor-ledger/rights.json":                         "harbor-ledger",
		"publishers/index.html":                                             "",
		"categories/harbor-ledger/index.html":                               "",
		"v1/public/content-catalog/category/harbor-ledger.json":             "",
		"v1/public/contentdna-provenance/ent_5e8c2a1f9b3d4e6a7c8b9d0e.json": "",
		"ledger/tile/0/000":                                                 "",
		"sitemap-citations-harbor-ledger.xml":                               "harbor-ledger",
		"sitemap-citations-harbor-2.3.xml":                                  "harbor-2",
		"sitemap-citations-harbor.xml.gz":                                   "",
		"sitemap-pages.xml":                                                 "",
		"openapi.json":                                                      "",
	} {
		if got, ok := PackedOwner(key); got != want || ok != (want != "") {
			t.Errorf("%q is of %q, want %q", key, got, want)
		}
	}
}

// TestCitationSitemap checks that no two publishers share the name of a
// sitemap, whatever their ids and however many sitemaps they have.
func TestCitationSitemap(t *testing.T) {
	seen := map[string]bool{}
	for _, id := range []string{"harbor", "harbor-2", "harbor-2-3", "2"} {
		for number, want := range map[int]string{1: ".xml", 2: ".2.xml", 30: ".30.xml"} {
			path := CitationSitemap(id, number)
			if path != "/sitemap-citations-"+id+want || seen[path] {
				t.Errorf("sitemap %d of %s is %s", number, id, path)
			}
			seen[path] = true
			if site, ok := SiteOfSitemap(KeyOf(path)); !ok || site != id {
				t.Errorf("%s is of %q", path, site)
			}
		}
	}
	for _, key := range []Key{"sitemap.xml", "sitemap-pages.xml", "sitemap-citations-", "x/sitemap-citations-harbor.xml"} {
		if site, ok := SiteOfSitemap(key); ok {
			t.Errorf("%s is of %q", key, site)
		}
	}
}
