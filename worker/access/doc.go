// Package access answers a request that must be refused with a denial that
// shows the way to a licence: one decision, expressed as a problem document, as
// RSL or as a page. The delivery of licensed content uses it, and so does
// Guard, which stands in front of a publisher's own site and answers AI agents
// without a licence as the publisher's policy says. People and search crawlers
// pass unchecked, and the paths on which rights are stated are never denied.
package access
