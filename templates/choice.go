package templates

import "colophon/exports"

// choice is an option of a form that narrows a list, with the number of records
// that it gives; below 0 means unknown.
type choice struct {
	Value, Label string
	Count        int64
}

// counted returns the count as it follows the label.
func (c choice) counted() string {
	if c.Count < 0 {
		return ""
	}
	return " (" + count(c.Count) + ")"
}

// countIn returns the count of a value as it follows its label, "" if nothing
// was counted.
func countIn(counts map[string]int64, value string) string {
	if counts == nil {
		return ""
	}
	return choice{Count: counts[value]}.counted()
}

// choices returns a choice for each category, with the count that number
// returns.
func choices(categories []exports.Category, number func(*exports.Category) int64) []choice {
	out := make([]choice, len(categories))
	for i := range categories {
		c := &categories[i]
		out[i] = choice{c.Slug, orElse(Clean(c.Label, 60), c.Slug), number(c)}
	}
	return out
}

// uncounted returns choices of categories without counts.
func uncounted(categories []exports.Category) []choice {
	return choices(categories, func(*exports.Category) int64 { return -1 })
}

// byPublishers returns choices of categories with the number of their
// publishers.
func byPublishers(categories []exports.Category) []choice {
	return choices(categories, func(c *exports.Category) int64 { return c.Publishers })
}

// pageCategories returns the catalog's categories with the number of their
// pages, which a shell does not know.
func (v CatalogPage) pageCategories() []choice {
	if v.Slots {
		return uncounted(v.Categories)
	}
	return choices(v.Categories, func(c *exports.Category) int64 { return c.RegisteredPages })
}

// The orders of the lists. Package indexer makes those that have a value.
var (
	listOrders    = []choice{{Value: "name", Label: "By name"}, {Value: "pages", Label: "Most pages first"}, {Value: "newest", Label: "Newest here first"}}
	publisherList = append([]choice{{Label: "Best match first"}}, listOrders...)
	mapList       = append([]choice{{Label: "Best match, or by identifier"}}, listOrders...)
	catalogOrders = []choice{{Label: "Best match first"}, {Value: "newest", Label: "Latest published first"}}
	demandOrders  = []choice{{Label: "Best match, or newest first"}, {Value: "newest", Label: "Newest first"}, {Value: "ends", Label: "Ending soonest first"}}
	offerOrders   = []choice{{Label: "Best match, or newest first"}, {Value: "newest", Label: "Newest first"}, {Value: "price", Label: "Price, by currency and kind"}}
)

// needCategories returns the subjects of the needs, with the number of needs
// for each. A shell has no needs and shows all categories.
func (v DemandPage) needCategories() []choice {
	if v.Subjects == nil {
		return uncounted(v.Categories)
	}
	return choices(v.Categories, func(c *exports.Category) int64 { return v.Subjects[c.Slug] })
}
