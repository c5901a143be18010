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
