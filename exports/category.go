package exports

import "colophon/internal/wire"

// Category is a subject area of the marketplace with its totals.
type Category struct {
	Slug            string
	Label           string
	Description     string
	Parent          string
	Publishers      int64
	RegisteredPages int64
	IABTaxonomy     []string // ids in the IAB Content Taxonomy 3.1
}

func (c *Category) Members(m *wire.Members) {
	m.OptString("description", &c.Description)
	m.Flag("grants_rights", false)
	m.Nested("iab_taxonomy", func(m *wire.Members) {
		m.Strings("ids", &c.IABTaxonomy)
		m.Const("version", "3.1")
	})
	m.String("label", &c.Label)
	m.Nested("links", func(m *wire.Members) {
		DerivedLink(m, "page", CategoryPage(c.Slug))
		DerivedLink(m, "self", CategoryPath(c.Slug))
	})
	m.NullString("parent", &c.Parent)
	m.Int("publishers", &c.Publishers)
	m.Int("registered_pages", &c.RegisteredPages)
	m.String("slug", &c.Slug)
}

// CategoryListing returns the list of a category's publishers, with the
// category beside them.
func CategoryListing(c *Category) *PublisherList {
	return &PublisherList{Extra: func(m *wire.Members) { m.Object("category", c) }}
}
