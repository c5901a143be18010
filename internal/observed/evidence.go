// Package observed reads the documents that were observed of a site: it parses
// each with the parser of its channel, as evidence for the registry, or
// compares them to report contradictions and gaps. It uses neither the network
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

// SiteBudget is how many statements of all documents of a site are kept.
// Statements beyond it are not read, and everything that shows them says so.
const SiteBudget = 30000

// EvidenceOf parses an observation. left is the rest of the site's budget,
// which it reduces.
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

// robotsUnavailable reports whether o is a robots.txt that a server refused:
// crawlers treat it as missing (RFC 9309, section 2.3.1.3).
func robotsUnavailable(o *origin.Observation) bool {
	return o.Channel == "robots" && o.Status >= 400 && o.Status < 500 && o.Status != 429
}

// validUntil returns the end of validity: the document's or the transport's,
// whichever is earlier.
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

// Parse parses an observed document with the parser of its channel.
func Parse(o *origin.Observation) channel.Result {
	in := channel.Input{URL: o.URL, Body: []byte(o.Raw)}
	if at, ok := exports.ParseInstant(o.FetchedAt); ok {
		in.CheckedAt = at.Unix()
	}
	return channel.Parse(statements.Name(o.Channel), in)
}
