package said

import "colophon/internal/wire"

// Members describes the JSON form. Statements to several agents in a row that
// differ in nothing else are written once.
func (d *Document) Members(m *wire.Members) {
	m.OptStrings("agents", &d.Agents)
	channel := string(d.Channel)
	m.String("channel", &channel)
	d.Channel = Name(channel)
	m.OptInt("checked_at", &d.CheckedAt)
	m.OptString("digest", &d.Digest)
	m.OptBool("embedded", &d.Embedded)
	wire.OptList(m, "links", &d.Links)
	var lines []line
	if m.Writing() {
		lines = fold(d.Statements)
	}
	wire.OptList(m, "statements", &lines)
	if !m.Writing() {
		d.Statements = unfold(lines)
	}
	m.OptString("url", &d.URL)
	m.OptInt("valid_until", &d.ValidUntil)
}

// line is a statement to several agents.
type line struct {
	Statement
	agents []string
}

func fold(in []Statement) []line {
	var out []line
	for i := range in {
		s := &in[i]
		if n := len(out); n > 0 && s.Agent != "" && out[n-1].Agent != "" && sameStatement(&out[n-1].Statement, s) {
			out[n-1].agents = append(out[n-1].agents, s.Agent)
			continue
		}
		l := line{Statement: *s}
		if s.Agent != "" {
			l.agents = []string{s.Agent}
		}
		out = append(out, l)
	}
	return out
}

func unfold(in []line) []Statement {
	var out []Statement
	for i := range in {
		s := in[i].Statement
		if len(in[i].agents) == 0 {
			out = append(out, s)
		}
		for _, a := range in[i].agents {
			s.Agent = a
			out = append(out, s)
		}
	}
	return out
}

// Members describes the JSON form.
func (l *line) Members(m *wire.Members) {
	m.OptStrings("agents", &l.agents)
	channel, effect := string(l.Channel), l.Effect.String()
	m.String("channel", &channel)
	m.Enum("effect", &effect, "unknown", "allow", "priced", "disallow")
	l.Channel, l.Effect = Name(channel), effectOf(effect)
	group, layer := int64(l.Group), int64(l.Layer)
	m.OptInt("group", &group)
	m.OptString("host", &l.Host)
	m.OptRange("layer", &layer, 0, int64(LayerPage))
	l.Group, l.Layer = int(group), Layer(layer)
	m.OptString("locator", &l.Locator)
	m.OptString("pattern", &l.Pattern)
	terms := &l.Terms
	if m.Writing() && sameTerms(terms, &Terms{}) {
		terms = nil
	}
	wire.Opt(m, "terms", &terms)
	if terms != nil {
		l.Terms = *terms
	}
	m.OptString("text", &l.Text)
	m.String("word", &l.Word)
}

func effectOf(word string) Effect {
	for _, e := range []Effect{Allow, Priced, Disallow} {
		if e.String() == word {
			return e
		}
	}
	return Unknown
}

// Members describes the JSON form.
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

// Members describes the JSON form.
func (l *Link) Members(m *wire.Members) {
	m.OptString("agent", &l.Agent)
	m.OptString("locator", &l.Locator)
	m.String("rel", &l.Rel)
	m.OptString("type", &l.Type)
	m.String("url", &l.URL)
}
