package exports

import "colophon/internal/wire"

// The closed vocabularies of changes.
var (
	// ChannelChanges say what became of a document of a channel. A document that
	// was rewritten differs, and says the same about uses.
	ChannelChanges = []string{"added", "changed", "rewritten", "removed"}
	// ChangeAuthors say who changed a document. It is unknown unless the document
	// itself tells: a CDN marks its lines of robots.txt, and a file whose host is
	// proven is its publisher's.
	ChangeAuthors = []string{"publisher", "cdn", "unknown"}
)

// PolicyChange is the difference between a version of a site's policy and the one
// before.
type PolicyChange struct {
	Version  int64
	From     string // instant from which it holds
	Channels []ChannelChange
	Uses     []UseChange // of the site as a whole
}

func (c *PolicyChange) Members(m *wire.Members) {
	wire.List(m, "channels", &c.Channels)
	m.Time("effective_from", &c.From)
	wire.List(m, "uses", &c.Uses)
	m.Int("version", &c.Version)
}

// ChannelChange is the change of one document.
type ChannelChange struct {
	Channel string
	URL     string
	Change  string   // of ChannelChanges
	By      []string // of ChangeAuthors: each whose lines differ
	At      string   // when it was first read like this
}

func (c *ChannelChange) Members(m *wire.Members) {
	m.Words("by", &c.By, ChangeAuthors...)
	m.Enum("change", &c.Change, ChannelChanges...)
	m.Enum("channel", &c.Channel, Channels...)
	m.Time("read_at", &c.At)
	m.String("url", &c.URL)
}

// UseChange is the verdict on a use for everybody, before and after.
type UseChange struct {
	Use           string
	Before, After string // of Verdicts
}

func (c *UseChange) Members(m *wire.Members) {
	m.Enum("after", &c.After, Verdicts...)
	m.Enum("before", &c.Before, Verdicts...)
	m.Enum("use", &c.Use, useWords...)
}
