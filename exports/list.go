package exports

import "colophon/internal/wire"

// Release names one published state of the catalog. It is derived from the
// origin alone, so two builds of one origin have the same release.
type Release struct {
	Name        string // date of the last change, ".", number of changes: 2026-11-20.413
	GeneratedAt string // instant of the last change in the origin
	Root        string // "sha-256:" + digest over all current records and publishers
}

func (r *Release) Members(m *wire.Members) {
	m.Time("generated_at", &r.GeneratedAt)
	m.String("release", &r.Name)
	m.String("root", &r.Root)
}

// Page says which part of a list an answer holds.
type Page struct {
	Limit      int64
	Offset     int64
	Total      int64
	NextOffset int64 // negative at the end
	NextCursor string
}

func (p *Page) Members(m *wire.Members) {
	m.Int("limit", &p.Limit)
	m.NullString("next_cursor", &p.NextCursor)
	m.NullInt("next_offset", &p.NextOffset)
	m.Int("offset", &p.Offset)
	m.Int("total", &p.Total)
	m.Const("total_is", "exact")
}

// PageLinks are the addresses of this page of a list and of the next.
type PageLinks struct{ Self, Next string }

func (l *PageLinks) Members(m *wire.Members) {
	m.OptString("next", &l.Next)
	m.String("self", &l.Self)
}

// List is the envelope of every list: the records, the page, links to this
// and the next page, and the release that the page is taken from.
type List[T any, P interface {
	*T
	wire.Record
}] struct {
	Data    []T
	Page    Page
	Links   PageLinks
	Catalog Release // in a list of one publisher, the state of that publisher
	// Extra adds members to the envelope, such as the inventory facts.
	Extra func(m *wire.Members)
}

func (l *List[T, P]) Members(m *wire.Members) {
	m.Object("catalog", &l.Catalog)
	wire.List[T, P](m, "data", &l.Data)
	m.Flag("grants_rights", false)
	m.Object("links", &l.Links)
	m.Object("page", &l.Page)
	if l.Extra != nil {
		l.Extra(m)
	}
}

// The lists that REST answers and MCP tools share.
type (
	// CategoryList lists categories.
	CategoryList = List[Category, *Category]
	// PublisherList lists publishers, all or those of a category.
	PublisherList = List[PublisherSummary, *PublisherSummary]
	// SearchList lists the pages that match a topic.
	SearchList = List[SearchHit, *SearchHit]
	// InventoryList lists pages of one publisher.
	InventoryList = List[InventoryItem, *InventoryItem]
)

// CursorPage is the page of a list that is walked by cursor alone.
type CursorPage struct {
	Limit, Total *int64 // a nil total is not stated
	Next         *string
}

func (p *CursorPage) Members(m *wire.Members) {
	m.Int("limit", p.Limit)
	m.NullString("next_cursor", p.Next)
	if p.Total != nil {
		m.Int("total", p.Total)
	}
}
