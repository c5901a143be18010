package content

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// notCountries are codes that the language tables know as countries, but that are
// not, or no longer, officially assigned in ISO 3166-1.
const notCountries = "AC CP DG EA EZ IC TA UN XK AN CS DY FQ FX HV JT MI NH NQ NT PC PU PZ RH SU TP UK VD WK YD YU ZR BU CT DD"

// renamed are the names of countries that changed theirs after the language
// tables were made.
var renamed = map[string]string{"CV": "Cabo Verde", "CZ": "Czechia", "MK": "North Macedonia", "SZ": "Eswatini", "TR": "Türkiye"}

// TestCountries: countries.txt has the countries of the language tables, each under
// its code and English name, in the order of the names. ISO 3166-1 has 249; the
// European Union is before them.
func TestCountries(t *testing.T) {
	byName := map[string]string{"European Union": "EU"}
	var names []string
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			r, err := language.ParseRegion(code)
			if err != nil || !r.IsCountry() || r.String() != code || r.Canonicalize() != r || strings.Contains(notCountries, code) {
				continue
			}
			if name := cmp.Or(renamed[code], display.English.Regions().Name(r)); name != "" {
				byName[name] = code
				names = append(names, name)
			}
		}
	}
	collate.New(language.English).SortStrings(names)
	var want []Option
	for _, name := range append([]string{"European Union"}, names...) {
		want = append(want, Option{Value: byName[name], Label: name})
	}
	if got := countries(); len(got) != 250 || !slices.Equal(got, want) {
		t.Errorf("countries.txt has %d lines:\n%v\nwant %d:\n%v", len(got), got, len(want), want)
	}
}
