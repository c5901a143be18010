package templates

import (
	"cmp"
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"colophon/exports"
	"colophon/internal/prose"
)

// option is an option of a select.
type option struct{ Value, Label string }

// notCountries are codes that the language tables have as countries, although
// ISO 3166-1 does not, or no longer, assign them officially.
const notCountries = "AC CP DG EA EZ IC TA UN XK AN CS DY FQ FX HV JT MI NH NQ NT PC PU PZ RH SU TP UK VD WK YD YU ZR BU CT DD"

// renamed are the new names of countries that were renamed after the language
// tables were made.
var renamed = map[string]string{"CV": "Cabo Verde", "CZ": "Czechia", "MK": "North Macedonia", "SZ": "Eswatini", "TR": "Türkiye"}

// countries are the territories that a question about rights may name, by their
// English names; the European Union comes first.
var countries = sync.OnceValue(func() []option {
	out := []option{{"EU", "European Union"}}
	named := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			r, err := language.ParseRegion(code)
			if err != nil || !r.IsCountry() || r.String() != code || r.Canonicalize() != r || strings.Contains(notCountries, code) {
				continue
			}
			if label := cmp.Or(renamed[code], named.Name(r)); label != "" {
				out = append(out, option{code, label})
			}
		}
	}
	collate.New(language.English).Sort(byLabel(out[1:]))
	return out
})

// byLabel sorts options by their labels.
type byLabel []option

func (l byLabel) Len() int           { return len(l) }
func (l byLabel) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l byLabel) Bytes(i int) []byte { return []byte(l[i].Label) }

// userTypes returns the kinds of users that a question about rights may name.
func userTypes() []option {
	out := make([]option, len(exports.UserTypes))
	for i, u := range exports.UserTypes {
		out[i] = option{u, prose.UserTypeName(u)}
	}
	return out
}
