// Package observed reads the documents that were observed of a site: each with
// the parser of its channel, as evidence of the registry, or beside each other
// to tell what they contradict and leave open. It reaches neither the network
// nor a store.
package observed

import (
	"time"

	"colophon/exports"
	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// SiteBudget is how many statements are kept of all documents of one site.
// Statements beyond it are not read, which every surface shows.
const SiteBudget = 30000

// EvidenceOf parses one observation. left is what remains of the site's
// budget.
func EvidenceOf(o *origin.Observation, left *int) origin.Evidence {
	e := origin.Evidence{SiteID: o.SiteID, Channel: o.Channel, URL: o.URL, Since: o.FetchedAt, State: "unreachable", LookedAt: o.FetchedAt}
	switch {
	case o.Status == 404 || o.Status == 410, robotsUnavailable(o):
		e.State, e.CheckedAt = "absent", o.FetchedAt
	case o.Status >= 200 && o.Status < 300:
		r := Parse(o)
		if *left -= len(r.Statements); *left < 0 {
			r.Exclude("site_over_budget")
		}
		e.State = string(r.State)
		e.Statements = int64(len(r.Statements))
		e.Warnings = r.WarningCodes()
		e.Digest = o.SHA256
		e.CheckedAt = o.FetchedAt
		e.ValidUntil = validUntil(&r, o)
		bare := r.Document
		bare.CheckedAt = 0
		bare.ValidUntil = 0
		bare.Digest = ""
		e.Document = string(wire.Append(nil, &bare))
	}
	return e
}

// robotsUnavailable tells a robots.txt that a server refuses: crawlers take it
// for one that is not there (RFC 9309, section 2.3.1.3).
func robotsUnavailable(o *origin.Observation) bool {
	return o.Channel == "robots" && o.Status >= 400 && o.Status < 500 && o.Status != 429
}

// validUntil returns the end of validity: the earlier of the document's and the
// transport's.
func validUntil(r *channel.Result, o *origin.Observation) string {
	if r.ValidUntil == 0 {
		return o.ValidUntil
	}
	at := exports.Instant(time.Unix(r.ValidUntil, 0))
	if o.ValidUntil != "" && o.ValidUntil < at {
		return o.ValidUntil
	}
	return at
}

// Parse reads an observed document with the parser of its channel.
func Parse(o *origin.Observation) channel.Result {
	in := channel.Input{URL: o.URL, Body: []byte(o.Raw)}
	if at, ok := exports.ParseInstant(o.FetchedAt); ok {
		in.CheckedAt = at.Unix()
	}
	return channel.Parse(statements.Name(o.Channel), in)
}
