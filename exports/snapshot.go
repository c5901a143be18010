package exports

import "colophon/internal/wire"

// NewSnapshot is the body that asks for a snapshot.
type NewSnapshot struct {
	Label   string
	Sources []string
	Topic   string
	Uses    []string // rag when empty
	Days    int64    // until it ends, 90 when negative; see MakeSnapshot
}

// MakeSnapshot returns a body without members, to be read into.
func MakeSnapshot() NewSnapshot { return NewSnapshot{Days: -1} }

func (s *NewSnapshot) Members(m *wire.Members) {
	LineMember(m, "label", &s.Label, 0, 80)
	if m.Writing() {
		m.Object("scope", &snapshotScope{s})
	} else {
		scopeOf(m, s)
	}
	m.OptRange("ttl_days", &s.Days, 1, 365)
}

// scopeOf describes the optional member "scope".
func scopeOf(m *wire.Members, s *NewSnapshot) {
	var p *looseScope
	wire.Opt(m, "scope", &p)
	if p != nil {
		s.Sources = p.sources
		s.Topic = p.topic
		s.Uses = p.uses
	}
	if len(s.Sources) > 200 {
		m.Refuse("scope", "too_long", "At most 200 sources.")
	}
}

type looseScope struct {
	sources, uses []string
	topic         string
}

func (l *looseScope) Members(m *wire.Members) {
	var q wire.Value
	m.Any("q", &q)
	switch text, isText := q.Str(); {
	case isText && len(text) <= 200 && !hasControl(text, false):
		l.topic = text
	case q.Kind != wire.KindNull:
		m.Refuse("q", "type_mismatch", "Must be null or a text of at most 200 bytes.")
	}
	m.OptStrings("source_ids", &l.sources)
	m.OptWords("uses", &l.uses, UseWords()...)
}

type snapshotScope struct{ s *NewSnapshot }

func (c *snapshotScope) Members(m *wire.Members) {
	m.NullString("q", &c.s.Topic)
	m.Strings("source_ids", &c.s.Sources)
	m.Words("uses", &c.s.Uses, UseWords()...)
}

// Snapshot is a logical snapshot. It has no content and gives no right to any.
type Snapshot struct {
	SnapshotID string
	Label      string
	Scope      NewSnapshot
	CreatedAt  string
	ExpiresAt  string
	Sequence   int64
	Items      int64
	Root       string
}

func (s *Snapshot) Members(m *wire.Members) {
	m.Flag("contains_content", false)
	m.Time("created_at", &s.CreatedAt)
	m.Time("expires_at", &s.ExpiresAt)
	m.Flag("grants_rights", false)
	m.Int("item_count", &s.Items)
	m.OptString("label", &s.Label)
	m.Nested("links", func(m *wire.Members) {
		DerivedLink(m, "delta", PathDeliveryDelta+"?since="+s.SnapshotID)
		DerivedLink(m, "feed", PathDeliveryFeed+"?snapshot="+s.SnapshotID)
		DerivedLink(m, "items", PathDeliveryItems+"?snapshot="+s.SnapshotID)
	})
	m.Nested("manifest", func(m *wire.Members) {
		m.Const("hash", "rfc6962-sha256")
		m.Const("leaf", "item_id LF version LF content_sha256")
		m.String("root", &s.Root)
	})
	m.Object("scope", &snapshotScope{&s.Scope})
	m.Int("sequence", &s.Sequence)
	m.String("snapshot_id", &s.SnapshotID)
}
