package rights

import "colophon/exports"

// Effect is what evidence says about a use.
type Effect string

// The effects. Priced means permitted once a licence has been acquired.
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
	Options    []Option // how it is allowed or priced; none means without limits
	Value      string   // what was said, for people
	Retention  string   // how long a copy may be kept, "" if it says nothing about it
	Why        string   // why a channel that was read says nothing about this use
	CheckedAt  int64    // 0 if not known to be later than any question
	ValidUntil int64    // 0 if no end is known
}

// Option is one permission with the audience it is limited to.
type Option struct {
	Effect      Effect // Allow or Priced
	Audience    Audience
	Obligations []string
}

// Audience limits who may use a permission. An empty list does not limit.
type Audience struct {
	UserTypes      []string // of exports.UserTypes
	NotUserTypes   []string
	Territories    []string // ISO 3166-1 alpha-2 or EU
	NotTerritories []string
}

// isStale reports whether the validity of evidence ended before it was checked
// again. Stale evidence still restricts, but permits nothing.
func (e *Evidence) isStale(at int64) bool { return e.ValidUntil != 0 && at > e.ValidUntil }
