package exports

import (
	"strings"

	"colophon/internal/wire"
)

// Paths of the buyer delivery.
const (
	PathDeliveryItems     = "/v1/rag-delivery/items"
	PathDeliveryFeed      = "/v1/rag-delivery/feed.ndjson"
	PathDeliverySnapshots = "/v1/rag-delivery/snapshots"
	PathDeliveryDelta     = "/v1/rag-delivery/delta.ndjson"
)

// PrefixItem begins the id of an item; the rest is that of the entry's id.
const PrefixItem = "itm_"

// ItemID returns the id of an entry's item.
func ItemID(entryID string) string { return PrefixItem + strings.TrimPrefix(entryID, PrefixEntry) }

// LicensedURI returns the address of an entry at the buyer gateway.
func LicensedURI(siteID, entryID string) string { return "licensed://" + siteID + "/" + entryID }

// ParseLicensedURI parses what LicensedURI returns; ok is false for any other
// text.
func ParseLicensedURI(uri string) (siteID, entryID string, ok bool) {
	rest, ok := strings.CutPrefix(uri, "licensed://")
	siteID, entryID, cut := strings.Cut(rest, "/")
	return siteID, entryID, ok && cut && ValidSiteID(siteID) && ValidEntryID(entryID)
}

// Words of the buyer delivery.
var (
	// ContentForms are the forms in which text is delivered.
	ContentForms = []string{"markdown", "text", "html"}
	// GrantKinds are the kinds of grant.
	GrantKinds = []string{"direct", "enterprise"}
	// EndReasons say why a buyer may no longer hold an item.
	EndReasons = []string{
		"grant_revoked", "grant_suspended", "grant_expired", "scope_changed", "entry_withdrawn", "publisher_withdrawn", "superseded",
	}
)

// MediaOfForm returns the media type of a form of text.
func MediaOfForm(form string) string {
	switch form {
	case "markdown":
		return "text/markdown"
	case "html":
		return "text/html"
	}
	return "text/plain"
}

// Item is one licensed item. Only internal/rights fills it, from a permit.
type Item struct {
	Type     string // "item" on a line of a feed, "" elsewhere
	ItemID   string
	EntryID  string
	SiteID   string
	Version  int64
	Sequence int64 // 0 outside a delta

	Title        string
	Byline       []string
	Language     string
	CanonicalURL string
	PublishedAt  string
	ModifiedAt   string
	WordCount    int64
	Tags         []string

	Content     *ItemContent // nil for metadata alone
	Portable    string       // digest of the canonical text, "" if none
	Rights      ItemRights
	Attribution string
	Recorded    bool   // it has a provenance record
	URI         string // at the gateway, "" elsewhere
	Cursor      string // where a feed continues after it, "" elsewhere
}

func (i *Item) Members(m *wire.Members) {
	m.Nested("attribution", func(m *wire.Members) {
		m.String("text", &i.Attribution)
		m.String("url", &i.CanonicalURL)
	})
	wire.Opt(m, "content", &i.Content)
	m.OptString("cursor", &i.Cursor)
	m.String("entry_id", &i.EntryID)
	m.Nested("fingerprints", func(m *wire.Members) {
		var p *portable
		if i.Portable != "" {
			p = &portable{i.Portable}
		}
		wire.Opt(m, "portable", &p)
		if p != nil && !m.Writing() {
			i.Portable = p.digest
		}
	})
	m.String("item_id", &i.ItemID)
	m.Nested("metadata", func(m *wire.Members) {
		m.Strings("byline", &i.Byline)
		m.String("canonical_url", &i.CanonicalURL)
		m.OptString("language", &i.Language)
		m.OptTime("modified_at", &i.ModifiedAt)
		m.OptTime("published_at", &i.PublishedAt)
		m.Strings("tags", &i.Tags)
		m.String("title", &i.Title)
		m.Int("word_count", &i.WordCount)
	})
	if m.Writing() && i.Recorded {
		DerivedLink(m, "provenance", RecordPath(i.EntryID))
	} else if !m.Writing() {
		var path string
		m.OptString("provenance", &path)
		i.Recorded = path != ""
	}
	m.Object("rights", &i.Rights)
	m.OptInt("sequence", &i.Sequence)
	m.String("site_id", &i.SiteID)
	m.OptString("type", &i.Type)
	m.OptString("uri", &i.URI)
	m.Int("version", &i.Version)
}

type portable struct{ digest string }

func (p *portable) Members(m *wire.Members) {
	m.Const("algorithm", "sha-256")
	m.String("digest", &p.digest)
	m.Const("profile", "service.canonical-text.v1")
}

// ItemContent is the text of an item.
type ItemContent struct {
	Format string
	Text   string
	SHA256 string // hex digest of Text
}

func (c *ItemContent) Members(m *wire.Members) {
	bytes := int64(len(c.Text))
	m.Int("bytes", &bytes)
	m.Enum("format", &c.Format, ContentForms...)
	media := MediaOfForm(c.Format)
	m.String("media_type", &media)
	m.String("sha256", &c.SHA256)
	m.String("text", &c.Text)
}

// ItemRights is the right under which an item is delivered.
type ItemRights struct {
	GrantID      string
	GrantKind    string
	Uses         []string
	CheckedAt    string
	DecisionID   string
	ValidUntil   string
	Attribution  string // link, name, "" if none
	DisplayLimit int64
	DeleteHours  int64
	Reporting    string
	Retention    string // how long a copy may be kept
	MustDeleteBy string // end of a retention that is counted in days, "" if it is not
}

func (r *ItemRights) Members(m *wire.Members) {
	m.Time("checked_at", &r.CheckedAt)
	m.String("decision_id", &r.DecisionID)
	m.String("grant_id", &r.GrantID)
	m.Enum("grant_type", &r.GrantKind, GrantKinds...)
	m.OptTime("must_delete_by", &r.MustDeleteBy)
	m.Object("obligations", &obligations{&r.Attribution, &r.DeleteHours, &r.DisplayLimit, &r.Reporting, &r.Retention})
	m.Words("uses", &r.Uses, UseWords()...)
	m.Time("valid_until", &r.ValidUntil)
}
