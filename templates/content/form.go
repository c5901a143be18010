// Package content has the content of pages that the generator publishes and that
// the service makes again with what a visitor asked or typed: headings and forms
// around results that each side makes for itself.
//
// For Wasm it is compiled with the runtime of tools/edge/templ: values are text,
// addresses are templ.SafeURL, and classes do not depend on values.
package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
)

// Values are the texts of the fields of a form, by name.
type Values interface{ Get(name string) string }

// Filled is what was typed into a form, and what has to be corrected in it. The
// zero value is a form as it is published.
type Filled struct {
	Typed Values            // nil if nothing was
	Wrong map[string]string // what is wrong with a field, by its name
	Fault *Fault            // nil if nothing has to be corrected
}

// Fault says why a form could not be accepted: what is wrong with its fields, or
// else in general.
type Fault struct {
	Lead   string
	Help   string // "" with fields
	Fields []FieldFault
}

// FieldFault is what is wrong with the field that Link leads to.
type FieldFault struct{ Link, Text string }

// Text returns what was typed into a field, "" if nothing was.
func (f Filled) Text(name string) string {
	if f.Typed == nil {
		return ""
	}
	return replaceNUL(f.Typed.Get(name))
}

// replaceNUL returns a text that someone typed without the character that no page may
// contain.
func replaceNUL(text string) string { return strings.ReplaceAll(text, "\x00", "\ufffd") }

// Area returns what was typed into a field of several lines, after the line break
// that browsers leave out at the beginning of such a field.
func (f Filled) Area(name string) string {
	if text := f.Text(name); text != "" {
		return "\n" + text
	}
	return ""
}

// Option is an option of a select.
type Option struct {
	Value, Label string
	Selected     bool
}

// Choice is a select.
type Choice struct {
	Name, Label string
	Options     []Option
}

// Field is a field that is typed into.
type Field struct {
	ID           string // "" for the name
	Name, Label  string
	Optional     bool
	Kind         string // type of the input, "" for text
	Rows         string // lines of a field of several lines, "" for an input
	Least, Most  int    // characters; 0 is no bound
	Autocomplete string
	Keys         string // of the keyboard that phones show, "" for all
	Placeholder  string
	Hint         string
}

func (x Field) id() string { return cmp.Or(x.ID, x.Name) }

// characters returns the attribute for a number of characters.
func characters(n int) string { return strconv.Itoa(n) }

// RequestFields are the fields of an inquiry in their order on the page.
var RequestFields = []Field{
	{Name: "requester_name", Label: "Name", Most: 120, Autocomplete: "name", Hint: "Up to 120 characters"},
	{Name: "requester_email", Label: "E-mail", Kind: "email", Most: 254, Autocomplete: "email", Hint: "Up to 254 characters"},
	{Name: "company", Label: "Organization", Optional: true, Most: 160, Autocomplete: "organization", Hint: "Up to 160 characters"},
	{Name: fieldUse, Label: "Use", Optional: true},
	{Name: "intended_use", Label: "What you want to do", Rows: "3", Least: 10, Most: 2000, Hint: "10 to 2,000 characters"},
	{Name: "requested_scope", Label: "Which pages", Most: 2000, Hint: "An address, a path such as /shipping/*, /* for all pages, or a description; up to 2,000 characters"},
	{Name: "message", Label: "Message to the publisher", Rows: "6", Least: 20, Most: 5000, Hint: "20 to 5,000 characters, at most three links"},
	{Name: "budget_range", Label: "Budget", Optional: true, Most: 120, Hint: "Up to 120 characters"},
	{Name: "requested_timeline", Label: "Timeline", Optional: true, Most: 120, Hint: "Up to 120 characters"},
}

// fieldUse is the field of an inquiry that is a select.
const fieldUse = "requested_use"

// firstOfNeed is the place in RequestFields at which the requester ends and the
// need begins.
const firstOfNeed = 3

// NeedFields are the fields of a buyer's need, besides its uses.
var NeedFields = []Field{
	{Name: "headline", Label: "What you look for, in one line (public)", Most: 200},
	{Name: "categories", Label: "Subjects (public, optional)", Optional: true, Placeholder: "trade-logistics, energy"},
	{Name: "volume", Label: "How much (public, optional)", Optional: true, Most: 80},
	{Name: "budget_band", Label: "Budget (public, optional)", Optional: true, Most: 80},
	{Name: "timeline", Label: "Until when you need it (public, optional)", Optional: true, Most: 80},
	{Name: "buyer_display", Label: "Name to show (public, optional)", Optional: true, Most: 80},
	{Name: "buyer_name", Label: "Your name (only for the operator)", Most: 120, Autocomplete: "name"},
	{Name: "buyer_email", Label: "Your e-mail address (only for the operator)", Kind: "email", Most: 254, Autocomplete: "email"},
}

// TermsFields are the fields of terms that a publisher indicates, besides their
// uses and a note.
var TermsFields = []Field{
	{Name: "price", Label: "Price", Optional: true, Most: 40, Autocomplete: "off", Placeholder: "12.50 EUR"},
	{Name: "unit", Label: "Per", Optional: true, Most: 60, Placeholder: "1,000 answers"},
	{Name: "term_months", Label: "Months", Optional: true, Most: 3, Keys: "numeric"},
}

// RequestForm is the form that asks one publisher for a licence.
type RequestForm struct {
	Publisher   exports.PublisherSummary
	Preferences []exports.Preference
	Filled      Filled
}

// uses returns the uses, each with what the publisher says of it.
func (v RequestForm) uses() []Option {
	var out []Option
	for i, p := range exports.AllPreferences(v.Preferences) {
		words := prose.AskWords(p, prose.LetterAt(v.Publisher.RightsVector, i))
		out = append(out, Option{Value: p.Use, Label: prose.UseName(p.Use) + ": " + strings.ToLower(words[:1]) + words[1:]})
	}
	return out
}

// plainUses returns the uses alone.
func plainUses() []Option {
	out := make([]Option, len(exports.Uses))
	for i, u := range exports.Uses {
		out[i] = Option{Value: string(u), Label: prose.UseName(string(u))}
	}
	return out
}

// choose returns options of which the one with a value is selected.
func choose(options []Option, value string) []Option {
	options = slices.Clone(options)
	for i := range options {
		options[i].Selected = value != "" && options[i].Value == value
	}
	return options
}
