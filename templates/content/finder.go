package content

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/internal/prose"
)

// Finder is a form that narrows a list: what was asked, and what can be chosen.
type Finder struct {
	Asked      Values // nil for the list as it is published
	Categories []exports.Category
	Counts     Counts
	Total      int64 // records in the whole list
}

// Counts are how many records each value of a field gives, by the field and the
// value. Of a field that is not in it, nothing was counted.
type Counts map[string]map[string]int64

func (f Finder) filled() Filled { return Filled{Typed: f.Asked} }

// choice returns a select with what was asked for, and with counts where there are
// any. The option without a value is the choice of all.
func (f Finder) choice(name, label string, options ...Option) Choice {
	options = choose(options, f.filled().Text(name))
	if counts := f.Counts[name]; counts != nil {
		for i := range options {
			if o := &options[i]; o.Value != "" {
				o.Label += " (" + prose.Count(counts[o.Value]) + ")"
			}
		}
	}
	return Choice{name, label, options}
}

// offered returns the choices that have options.
func offered(choices ...Choice) []Choice {
	return slices.DeleteFunc(choices, func(c Choice) bool { return len(c.Options) == 0 })
}

func first(label string, rest []Option) []Option { return append([]Option{{Label: label}}, rest...) }

func (f Finder) category() Choice {
	if len(f.Categories) == 0 {
		return Choice{}
	}
	options := []Option{{Label: "Any category"}}
	for i := range f.Categories {
		c := &f.Categories[i]
		label := prose.Clean(c.Label, 60)
		if label == "" {
			label = c.Slug
		}
		options = append(options, Option{Value: c.Slug, Label: label})
	}
	return f.choice("category", "Category", options...)
}

func (f Finder) use(label string) Choice {
	return f.choice("use", label, first("Any use", plainUses())...)
}

// order returns the select of orders. A list of more than exports.MaxOrdered
// records has only its own.
func (f Finder) order(options ...Option) Choice {
	if f.Total > exports.MaxOrdered {
		return Choice{}
	}
	return f.choice("sort", "Order", options...)
}

func (f Finder) territory() Choice {
	return f.choice("territory", "Where you use it", first("Anywhere", countries())...)
}

func (f Finder) userType() Choice {
	options := []Option{{Label: "Anybody"}}
	for _, u := range exports.UserTypes {
		options = append(options, Option{Value: u, Label: prose.UserTypeName(u)})
	}
	return f.choice("user_type", "Who you are", options...)
}

// levels returns the levels of readiness above the lowest, after a prefix.
func levels(prefix string) []Option {
	options := []Option{{Label: "Any"}}
	for _, l := range exports.ReadinessLevels[1:] {
		word, _, _ := strings.Cut(prose.ReadinessWords(l), ":")
		if l != exports.ReadinessLevels[len(exports.ReadinessLevels)-1] {
			word += " or more"
		}
		options = append(options, Option{Value: prefix + l, Label: word})
	}
	return options
}

// The orders that all lists of publishers have. They are made by package indexer.
var byName, byPages, byNewest = Option{Value: "name", Label: "By name"}, Option{Value: "pages", Label: "Most pages first"}, Option{Value: "newest", Label: "Newest here first"}

func (f Finder) publisherChoices() []Choice {
	return offered(f.category(), f.use("Welcomes questions about"),
		f.choice("verified", "Domain", Option{Label: "Any"}, Option{Value: "1", Label: "Control was shown"}, Option{Value: "0", Label: "Control was not shown"}),
		f.order(Option{Label: "Best match first"}, byName, byPages, byNewest))
}

func (f Finder) mapChoices() []Choice {
	return offered(f.category(), f.choice("readiness", "Public signals", levels("min:")...),
		f.order(Option{Label: "Best match, or by identifier"}, byName, byPages, byNewest))
}

func (f Finder) offerChoices() []Choice {
	payments := []Option{{Label: "Any"}}
	for _, p := range exports.PaymentModels {
		payments = append(payments, Option{Value: p, Label: prose.PlainWord(p)})
	}
	return offered(f.category(), f.use("For this use"), f.territory(), f.userType(), f.choice("payment", "Payment", payments...),
		f.order(Option{Label: "Best match, or newest first"}, Option{Value: "newest", Label: "Newest first"}, Option{Value: "price", Label: "Price, by currency and kind"}))
}

func (f Finder) demandChoices() []Choice {
	return offered(f.category(), f.use("For this use"),
		f.order(Option{Label: "Best match, or newest first"}, Option{Value: "newest", Label: "Newest first"}, Option{Value: "ends", Label: "Ending soonest first"}))
}

func (f Finder) catalogChoices() []Choice {
	if f.Total == 0 {
		return nil
	}
	return offered(f.category(), f.use("Open to questions about"), f.choice("signals", "Public signals", levels("")...),
		f.order(Option{Label: "Best match first"}, Option{Value: "newest", Label: "Latest published first"}))
}

//go:embed countries.txt
var countryLines string

// countries are the territories that a question about rights may name: the
// European Union, and the countries of ISO 3166-1 in the order of their English
// names.
var countries = sync.OnceValue(func() []Option {
	var out []Option
	for line := range strings.Lines(countryLines) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		out = append(out, Option{Value: code, Label: name})
	}
	return out
})
