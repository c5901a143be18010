package rights

import (
	"strings"

	"colophon/exports"
)

// Effect is what evidence says of a use.
type Effect string

// The effects. Priced is a permission that must be acquired first.
const (
	Unknown  Effect = "unknown"
	Allow    Effect = "allow"
	Priced   Effect = "priced"
	Disallow Effect = "disallow"
)

// Evidence is what one channel says about one use of one resource, after the
// channel's own rules of precedence. Instants are unix seconds.
type Evidence struct {
	ID         string
	Channel    string // one of exports.Channels
	Agent      string // robots product token it holds for, "" = everybody
	Use        exports.Use
	Effect     Effect
	Options    []Option // how it is allowed or priced; none = without limits
	Value      string   // what was said, for people
	Why        string   // why a channel that speaks says nothing of this use
	CheckedAt  int64    // 0 = not known to be later than any question
	ValidUntil int64    // 0 = no end known
}

// Option is one permission with the audience it is limited to.
type Option struct {
	Effect      Effect // Allow or Priced
	Audience    Audience
	Obligations []string
}

// Audience limits who may use a permission. Empty lists do not limit.
type Audience struct {
	UserTypes      []string // of exports.UserTypes
	NotUserTypes   []string
	Territories    []string // ISO 3166-1 alpha-2 or EU
	NotTerritories []string
}

// grace is how long a restriction outlives its validity (fail closed).
const grace = 30 * 24 * 60 * 60

// freshness tells whether evidence holds at an instant. A restriction that
// went stale holds for the time of grace; a permission does not.
func (e *Evidence) freshness(at int64) (holds, stale bool) {
	if e.ValidUntil == 0 || at <= e.ValidUntil {
		return true, false
	}
	restricts := e.Effect == Disallow || e.Effect == Priced
	return restricts && at <= e.ValidUntil+grace, true
}

// end is the last instant at which the evidence holds, 0 for no end.
func (e *Evidence) end(at int64) int64 {
	if e.ValidUntil != 0 && at > e.ValidUntil {
		return e.ValidUntil + grace
	}
	return e.ValidUntil
}

// forAgent picks the evidence that counts for one agent: in each channel that
// knows the agent by name, what it says to that agent; elsewhere what it says
// to everybody. The rest is returned as passed over.
func forAgent(all []Evidence, agent string) (counts, passed []*Evidence) {
	var knows []string
	for i := range all {
		if e := &all[i]; agent != "" && strings.EqualFold(e.Agent, agent) {
			knows = append(knows, e.Channel)
		}
	}
	for i := range all {
		e := &all[i]
		named := exports.OneOf(e.Channel, knows)
		switch {
		case named && strings.EqualFold(e.Agent, agent), !named && e.Agent == "":
			counts = append(counts, e)
		case e.Agent != "" && agent == "":
			passed = append(passed, e)
		}
	}
	return counts, passed
}
