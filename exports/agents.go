package exports

import "colophon/internal/wire"

// EdgeResults say whether an edge did what it declares, for one class of
// agents: what the worst of its samples showed. not_told_apart means that it
// answered every class alike, unchecked that nobody has looked.
var EdgeResults = []string{"match", "mismatch", "unreachable", "not_told_apart", "unchecked"}

// AgentGroup is known agents that fetch for the same and are told the same.
type AgentGroup struct {
	Agents  []string // names, as their operators write them
	Class   string   // of AgentClasses
	Crawler string   // name of the crawler that fetches for tokens that send no requests, "" for others
	Edge    string   // of EdgeResults, "" for tokens that send no requests
	Uses    []AgentUse
}

func (g *AgentGroup) Members(m *wire.Members) {
	m.Strings("agents", &g.Agents)
	m.Enum("class", &g.Class, AgentClasses...)
	m.OptString("crawler", &g.Crawler)
	m.OptEnum("edge", &g.Edge, EdgeResults...)
	wire.List(m, "uses", &g.Uses)
}

// AgentUse is what a group of agents is told about one use.
type AgentUse struct {
	Use     string
	Verdict string // of Verdicts
	Reason  string // of ReasonCodes
	Told    []Told // by each channel that says something
}

func (u *AgentUse) Members(m *wire.Members) {
	m.Enum("reason", &u.Reason, ReasonCodes...)
	wire.List(m, "told", &u.Told)
	m.Enum("use", &u.Use, useWords...)
	m.Enum("verdict", &u.Verdict, Verdicts...)
}

// Told is what one channel says to an agent about one use.
type Told struct {
	Channel   string // of Channels
	Effect    string // of ChannelEffects
	Statement string // in the channel's words
}

func (t *Told) Members(m *wire.Members) {
	m.Enum("channel", &t.Channel, Channels...)
	m.Enum("effect", &t.Effect, ChannelEffects...)
	m.String("statement", &t.Statement)
}

// ChannelEffects are what a channel can say about a use.
var ChannelEffects = []string{"allow", "priced", "disallow"}

// AgentWarning is a rule of robots.txt that keeps out training and, with it,
// agents of search or assistants, although the publisher does not decline their
// use anywhere else.
type AgentWarning struct {
	Agents    []string // names of those that are kept out
	Use       string
	Statement string
	URL       string
	Locator   string
	Origin    string   // of Origins, "" for the publisher
	Instead   []string // names of tokens of the same operators that keep out training
}

func (w *AgentWarning) Members(m *wire.Members) {
	m.Strings("agents", &w.Agents)
	m.Strings("instead", &w.Instead)
	m.String("locator", &w.Locator)
	m.OptEnum("origin", &w.Origin, Origins...)
	m.String("statement", &w.Statement)
	m.String("url", &w.URL)
	m.Enum("use", &w.Use, useWords...)
}
