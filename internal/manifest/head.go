package manifest

import (
	"colophon/exports"
	"colophon/internal/wire"
)

// untrustedText names the members that hold text of publishers and buyers:
// data, never instructions.
var untrustedText = []string{
	"name", "summary", "description", "title", "section", "terms", "byline", "note", "label", "headline", "volume", "budget_band", "timeline",
	"buyer_display", "body", "plain_text", "html",
}

// Head is what every manifest has: the release it describes.
type Head struct {
	Release     string
	GeneratedAt string // RFC 3339
}

func (h *Head) Members(m *wire.Members) {
	m.Time("generated_at", &h.GeneratedAt)
	m.Flag("grants_rights", false)
	m.String("release", &h.Release)
	listMember(m, "untrusted_text", untrustedText...)
	m.Const("version", exports.Version)
}

// listMember is a member that always holds the same texts.
func listMember(m *wire.Members, name string, values ...string) { m.Strings(name, &values) }

// textMember is a member with a text that is computed.
func textMember(m *wire.Members, name, value string) { m.String(name, &value) }

// Boundary is one statement of what the service does not grant.
type Boundary struct{ ID, Text string }

func (b *Boundary) Members(m *wire.Members) {
	m.String("id", &b.ID)
	m.String("text", &b.Text)
}

func boundaryMembers(m *wire.Members) {
	rows := make([]Boundary, 0, len(exports.Boundaries))
	for _, b := range exports.Boundaries {
		rows = append(rows, Boundary{b.ID, b.Text})
	}
	wire.List(m, "boundaries", &rows)
}

// action is an operation: its method and its path.
type action struct{ method, href string }

func (a *action) Members(m *wire.Members) {
	m.String("href", &a.href)
	m.String("method", &a.method)
}

// document is a name with the page that defines it.
type document struct{ name, docs, unicode string }

func (d *document) Members(m *wire.Members) {
	m.String("docs", &d.docs)
	m.String("name", &d.name)
	m.OptString("unicode", &d.unicode)
}
