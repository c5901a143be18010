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
		"v1/_segments.json":                                    false,
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
		"openapi.json":                                                      "",
	} {
		if got, ok := PackedOwner(key); got != want || ok != (want != "") {
			t.Errorf("%q is of %q, want %q", key, got, want)
		}
	}
}
