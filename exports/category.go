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

// Members describes the JSON form.
func (c *Category) Members(m *wire.Members) {
	m.OptString("description", &c.Description)
	m.Flag("grants_rights", false)
	m.Object("iab_taxonomy", &taxonomy{&c.IABTaxonomy})
	m.String("label", &c.Label)
	m.Object("links", &categoryLinks{c.Slug})
	m.NullString("parent", &c.Parent)
	m.Int("publishers", &c.Publishers)
	m.Int("registered_pages", &c.RegisteredPages)
	m.String("slug", &c.Slug)
}

type taxonomy struct{ ids *[]string }

func (t *taxonomy) Members(m *wire.Members) {
	m.Strings("ids", t.ids)
	m.Const("version", "3.1")
}

type categoryLinks struct{ slug string }

func (l *categoryLinks) Members(m *wire.Members) {
	DerivedLink(m, "page", CategoryPage(l.slug))
	DerivedLink(m, "self", CategoryPath(l.slug))
}

// CategoryListing returns the list of a category's publishers, with the
// category beside them.
func CategoryListing(c *Category) *PublisherList {
	return &PublisherList{Extra: func(m *wire.Members) { m.Object("category", c) }}
}
