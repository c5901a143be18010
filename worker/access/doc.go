// Package access turns a request that may not be answered into a denial that
// shows the way to a licence: one decision, expressed as a problem document, as RSL
// or as a page. The delivery of licensed content uses it, and Guard, which
// stands in front of a publisher's own site and tells AI agents without a
// licence what the publisher's policy tells them. People and search crawlers
// pass untouched, and the paths on which rights are stated are never denied.
package access
