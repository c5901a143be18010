package templates

import "testing"

// TestCountries checks that each country is listed once, under its current
// code. ISO 3166-1 has 249; the European Union precedes them.
func TestCountries(t *testing.T) {
	list := countries()
	if len(list) != 250 || list[0].Value != "EU" {
		t.Errorf("%d territories, the first is %+v", len(list), list[0])
	}
	seen := map[string]string{}
	for _, o := range list {
		if seen[o.Label] != "" {
			t.Errorf("%s stands as %s and %s", o.Label, seen[o.Label], o.Value)
		}
		seen[o.Label] = o.Value
	}
	for label, code := range map[string]string{"Germany": "DE", "France": "FR", "United Kingdom": "GB", "Vietnam": "VN", "Yemen": "YE",
		"Eswatini": "SZ", "North Macedonia": "MK", "Cabo Verde": "CV", "Czechia": "CZ", "Türkiye": "TR", "Timor-Leste": "TL", "South Sudan": "SS", "Swaziland": "", "Macedonia": ""} {
		if seen[label] != code {
			t.Errorf("%s is %q, want %s", label, seen[label], code)
		}
	}
}
