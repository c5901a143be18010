package statements

import "colophon/internal/wire"

func (d *Document) Members(m *wire.Members) {
	m.OptStrings("agents", &d.Agents)
	channel := string(d.Channel)
	m.String("channel", &channel)
	if !m.Writing() { // documents that are encoded may be shared
		d.Channel = Name(channel)
	}
	m.OptInt("checked_at", &d.CheckedAt)
	m.OptString("digest", &d.Digest)
	m.OptBool("embedded", &d.Embedded)
	wire.OptList(m, "gaps", &d.Gaps)
	wire.OptList(m, "groups", &d.Groups)
	wire.OptList(m, "links", &d.Links)
	wire.OptList(m, "statements", &d.Statements)
	m.OptString("url", &d.URL)
	m.OptInt("valid_until", &d.ValidUntil)
}

func (g *Gap) Members(m *wire.Members) {
	channel := string(g.Channel)
	m.OptString("channel", &channel)
	if !m.Writing() {
		g.Channel = Name(channel)
	}
	m.String("code", &g.Code)
	m.OptString("host", &g.Host)
	m.OptString("locator", &g.Locator)
	m.OptString("pattern", &g.Pattern)
}

func (g *Group) Members(m *wire.Members) { m.Strings("agents", &g.Agents) }

func (s *Statement) Members(m *wire.Members) {
	m.OptString("agent", &s.Agent)
	channel, effect := string(s.Channel), s.Effect.String()
	m.String("channel", &channel)
	m.Enum("effect", &effect, "unknown", "allow", "priced", "disallow")
	group, layer := int64(s.Group), int64(s.Layer)
	m.OptInt("group", &group)
	m.OptString("host", &s.Host)
	m.OptRange("layer", &layer, 0, int64(LayerPage))
	if !m.Writing() {
		s.Channel, s.Effect = Name(channel), effectOf(effect)
		s.Group, s.Layer = int(group), Layer(layer)
	}
	m.OptString("locator", &s.Locator)
	m.OptString("origin", &s.Origin)
	m.OptString("pattern", &s.Pattern)
	m.OptString("retention", &s.Retention)
	terms := &s.Terms
	if m.Writing() && sameTerms(terms, &Terms{}) {
		terms = nil
	}
	wire.Opt(m, "terms", &terms)
	if terms != nil && !m.Writing() {
		s.Terms = *terms
	}
	m.OptString("text", &s.Text)
	m.String("word", &s.Word)
}

func effectOf(word string) Effect {
	for _, e := range []Effect{Allow, Priced, Disallow} {
		if e.String() == word {
			return e
		}
	}
	return Unknown
}

func (t *Terms) Members(m *wire.Members) {
	m.OptString("amount", &t.Amount)
	m.OptString("currency", &t.Currency)
	m.OptString("custom", &t.Custom)
	m.OptStrings("not_territories", &t.NotTerritories)
	m.OptStrings("not_user_types", &t.NotUserTypes)
	m.OptStrings("obligations", &t.Obligations)
	m.OptString("payment", &t.Payment)
	m.OptString("server", &t.Server)
	m.OptString("standard", &t.Standard)
	m.OptStrings("territories", &t.Territories)
	m.OptStrings("user_types", &t.UserTypes)
}

func (l *Link) Members(m *wire.Members) {
	group := int64(l.Group)
	m.OptInt("group", &group)
	if !m.Writing() {
		l.Group = int(group)
	}
	m.OptString("locator", &l.Locator)
	m.String("rel", &l.Rel)
	m.OptString("type", &l.Type)
	m.String("url", &l.URL)
}
