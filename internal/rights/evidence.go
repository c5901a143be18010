package rights

import "colophon/exports"

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
	Channel    string   // one of exports.Channels
	Agent      string   // robots product token it holds for, "" = everybody
	Alike      []string // further product tokens with the same answer
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

// isStale reports whether evidence was not looked at again before its validity
// ended. Stale evidence still restricts; it permits nothing.
func (e *Evidence) isStale(at int64) bool { return e.ValidUntil != 0 && at > e.ValidUntil }
