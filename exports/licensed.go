package exports

import "colophon/internal/wire"

// LicensedSource is a grant as its buyer sees it.
type LicensedSource struct {
	GrantID         string
	Kind            string // one of GrantKinds
	Title           string
	LicenseID       string
	Sites           []string
	Uses            []string
	Paths           []string
	Excludes        []string
	ContentFormats  []string
	PublishedAfter  string
	PublishedBefore string
	ValidFrom       string
	ValidUntil      string // "" without end
	Attribution     string // link, name, "" if none
	DisplayLimit    int64
	DeleteHours     int64
	Reporting       string
	Retention       string // how long a copy may be kept
}

func (s *LicensedSource) Members(m *wire.Members) {
	m.String("grant_id", &s.GrantID)
	m.OptString("license_id", &s.LicenseID)
	m.Object("obligations", &obligations{&s.Attribution, &s.DeleteHours, &s.DisplayLimit, &s.Reporting, &s.Retention})
	m.Nested("scope", func(m *wire.Members) {
		m.Strings("content_formats", &s.ContentFormats)
		m.Strings("excludes", &s.Excludes)
		m.Strings("paths", &s.Paths)
		m.OptTime("published_after", &s.PublishedAfter)
		m.OptTime("published_before", &s.PublishedBefore)
	})
	m.Strings("site_ids", &s.Sites)
	m.OptString("title", &s.Title)
	m.Enum("type", &s.Kind, GrantKinds...)
	m.Words("uses", &s.Uses, UseWords()...)
	m.Time("valid_from", &s.ValidFrom)
	m.NullTime("valid_until", &s.ValidUntil)
}

// LicensedSources lists grants.
type LicensedSources struct {
	Data  []LicensedSource
	Limit int64
	Total int64
	Next  string
}

func (l *LicensedSources) Members(m *wire.Members) {
	wire.List(m, "data", &l.Data)
	m.Object("page", &CursorPage{Limit: &l.Limit, Total: &l.Total, Next: &l.Next})
}

// LicensedOverview sums up what a buyer may do at one moment.
type LicensedOverview struct {
	BuyerID    string
	Name       string
	Direct     []LicensedSource
	Enterprise []LicensedSource
	Publishers []string // site ids of participating publishers
	Items      int64    // that can be delivered
	Complete   bool     // Items is exact
	At         string
}

func (o *LicensedOverview) Members(m *wire.Members) {
	m.Nested("buyer", func(m *wire.Members) {
		m.String("buyer_id", &o.BuyerID)
		m.String("name", &o.Name)
	})
	m.Time("checked_at", &o.At)
	m.Int("deliverable_items", &o.Items)
	m.Bool("deliverable_items_exact", &o.Complete)
	wire.List(m, "direct_grants", &o.Direct)
	wire.List(m, "enterprise_licenses", &o.Enterprise)
	m.Strings("participating_publishers", &o.Publishers)
}

// ItemList is the answer to a request for items.
type ItemList struct {
	Data []Item
	ItemsRest
}

func (l *ItemList) Members(m *wire.Members) {
	wire.List(m, "data", &l.Data)
	l.ItemsRest.Members(m)
}

// ItemsRest is what follows the items in a list of them.
type ItemsRest struct {
	Limit      int64
	Next       string      // cursor, "" at the end
	Tombstones []Tombstone // in a walk through a snapshot
	Withheld   []Withheld
}

func (r *ItemsRest) Members(m *wire.Members) {
	m.Object("page", &CursorPage{Limit: &r.Limit, Next: &r.Next})
	wire.OptList(m, "tombstones", &r.Tombstones)
	wire.List(m, "withheld", &r.Withheld)
}

// obligations are the duties that come with a right.
type obligations struct {
	attribution  *string
	deleteHours  *int64
	displayLimit *int64
	reporting    *string
	retention    *string
}

func (o *obligations) Members(m *wire.Members) {
	m.OptEnum("attribution", o.attribution, "link", "name")
	m.Int("delete_on_revocation_hours", o.deleteHours)
	m.OptInt("display_limit_chars", o.displayLimit)
	m.OptString("reporting_endpoint", o.reporting)
	RetentionMember(m, o.retention, "while_licensed")
}
