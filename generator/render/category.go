package render

import (
	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// CategoryLists returns the category directory, and each category with its
// publishers. It leaves out categories without public publishers.
func CategoryLists(c *Catalog) []Document {
	var docs []Document
	for i := range c.Categories {
		category := &c.Categories[i]
		path := exports.CategoryPath(category.Slug)
		l := completeList(c, path, c.Members[category.Slug])
		l.Extra = func(m *wire.Members) { m.Object("category", category) }
		docs = append(docs, recordAt(path, l))
	}
	return append(docs, recordAt(exports.PathCategories, completeList(c, exports.PathCategories, c.Categories)))
}

// countCategories counts the publishers and pages of each category.
func (c *Catalog) countCategories(all []origin.Category) {
	c.Members = map[string][]exports.PublisherSummary{}
	for _, p := range c.Summaries() {
		for _, slug := range p.Categories {
			c.Members[slug] = append(c.Members[slug], p)
		}
	}
	for _, category := range all {
		list := c.Members[category.Slug]
		if len(list) == 0 {
			continue
		}
		pages := int64(0)
		for _, p := range list {
			pages += p.RegisteredPages
		}
		c.Categories = append(c.Categories, rights.Category(category, int64(len(list)), pages))
	}
}
