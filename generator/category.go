package generator

import (
	"sort"

	"colophon/exports"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// categoryFiles writes the category directory and each category with its
// publishers. A category without public publishers does not appear.
func (b *build) categoryFiles() error {
	categories, members := b.categoryTotals()
	for i := range categories {
		c := &categories[i]
		path := exports.CategoryPath(c.Slug)
		l := completeList(b, path, members[c.Slug])
		l.Extra = func(m *wire.Members) { m.Object("category", c) }
		if err := b.writeRecord(path, l); err != nil {
			return err
		}
	}
	return b.writeRecord(exports.PathCategories, completeList(b, exports.PathCategories, categories))
}

// categoryTotals returns the categories that have publishers, and their
// publishers.
func (b *build) categoryTotals() ([]exports.Category, map[string][]exports.PublisherSummary) {
	return b.counted, b.members
}

// countCategories counts publishers and pages by category.
func (b *build) countCategories() {
	members := map[string][]exports.PublisherSummary{}
	for _, p := range b.publisherSummaries() {
		for _, slug := range p.Categories {
			members[slug] = append(members[slug], p)
		}
	}
	var out []exports.Category
	for _, c := range b.categories {
		list := members[c.Slug]
		if len(list) == 0 {
			continue
		}
		pages := int64(0)
		for _, p := range list {
			pages += p.RegisteredPages
		}
		out = append(out, rights.Category(c, int64(len(list)), pages))
	}
	b.counted = out
	b.members = members
}

func sortDemand(list []exports.Demand) {
	sort.Slice(list, func(i, j int) bool {
		if list[i].OptedInAt != list[j].OptedInAt {
			return list[i].OptedInAt > list[j].OptedInAt
		}
		return list[i].DemandID < list[j].DemandID
	})
}
