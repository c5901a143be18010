package templates

import (
	"colophon/exports"
	"colophon/templates/content"
)

// publishersOf counts the publishers of categories.
func publishersOf(categories []exports.Category) content.Counts {
	counts := map[string]int64{}
	for i := range categories {
		counts[categories[i].Slug] = categories[i].Publishers
	}
	return content.Counts{"category": counts}
}

// counts counts the pages that each choice of the catalog gives.
func (v CatalogPage) counts() content.Counts {
	categories := map[string]int64{}
	for i := range v.Categories {
		categories[v.Categories[i].Slug] = v.Categories[i].RegisteredPages
	}
	return content.Counts{"category": categories, "use": v.Uses, "signals": v.Signals}
}
