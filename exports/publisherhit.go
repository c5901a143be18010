package exports

import "colophon/internal/wire"

// PublisherHit is a publisher as the partner catalog finds it: the summary
// and what helps to choose. Match is absent when no topic was asked for.
type PublisherHit struct {
	PublisherSummary
	Preferences    []Preference // always eight
	Audience       string
	TechnicalDepth string
	Match          *Match
}

// HitOf returns a publisher's record as a hit.
func HitOf(p *Publisher) PublisherHit {
	return PublisherHit{PublisherSummary: p.PublisherSummary, Preferences: p.Preferences, Audience: p.Audience, TechnicalDepth: p.TechnicalDepth}
}

func (p *PublisherHit) Members(m *wire.Members) {
	m.OptEnum("audience", &p.Audience, Audiences...)
	wire.Opt(m, "match", &p.Match)
	wire.List(m, "preference_signals", &p.Preferences)
	m.OptEnum("technical_depth", &p.TechnicalDepth, TechnicalDepths...)
	p.PublisherSummary.Members(m)
}
