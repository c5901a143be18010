package rights

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// inForce returns, for each document of a site, the row in force at an instant:
// the last one seen by then.
func inForce(rows []origin.Evidence, at string) []origin.Evidence {
	var out []origin.Evidence
	for _, e := range rows {
		if e.Since > at {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Channel == e.Channel && out[n-1].URL == e.URL {
			out[n-1] = e
			continue
		}
		out = append(out, e)
	}
	return out
}

// documents returns what the rows in force at an instant say. A document that
// was seen both before and after the instant counts as seen when it was first
// seen.
func documents(rows []origin.Evidence, at string) []statements.Document {
	var out []statements.Document
	for _, e := range inForce(rows, at) {
		d, err := documentOf(&e)
		if err != nil {
			d = unreadDocument(&e, "stored_reading_outdated")
		}
		if d == nil && e.State == "unreachable" {
			d = unreadDocument(&e, "document_unreachable")
		}
		if d == nil {
			continue
		}
		seen := e.CheckedAt
		if seen > at {
			seen = e.Since
		}
		d.CheckedAt, _ = parseUnix(seen)
		d.ValidUntil, _ = parseUnix(e.ValidUntil)
		d.Digest = e.Digest
		d.Gone = isGoneLicence(&e)
		out = append(out, *d)
	}
	return statements.DropForgotten(out)
}

// isGoneLicence reports whether a row is that of a licence file that is gone.
// Such a row keeps what the file said when it was last read.
func isGoneLicence(e *origin.Evidence) bool {
	return e.State == "absent" && e.Channel == string(statements.RSL)
}

// unreadDocument returns a document for one that exists, or is said to, and
// could not be read.
func unreadDocument(e *origin.Evidence, code string) *statements.Document {
	return &statements.Document{Channel: statements.Name(e.Channel), URL: e.URL, Gaps: []statements.Gap{{Code: code}}}
}

// readingOf returns how much of a document was understood, "" if there is no
// document.
func readingOf(e *origin.Evidence, d *statements.Document) string {
	switch {
	case d != nil:
		return string(d.Reading())
	case e.State == "absent":
		return ""
	}
	return string(statements.Failed)
}

// documentOf decodes the document stored in an evidence row, or returns nil if it has none.
func documentOf(e *origin.Evidence) (*statements.Document, error) {
	if e.Document == "" {
		return nil, nil
	}
	if known := decoded.getCopy(e.Document); known != nil {
		return known, nil
	}
	d := new(statements.Document)
	if err := wire.Decode([]byte(e.Document), d, wire.Trusted); err != nil {
		return nil, &unreadable{e.SiteID, e.URL, err}
	}
	decoded.putCopy(e.Document, *d)
	return d, nil
}

// decoded caches documents, because a build looks at each many times and
// platforms give many publishers the same ones.
var decoded documentCache

// maxRemembered bounds the cached documents, in bytes of their stored form.
const maxRemembered = 8 << 20

type documentCache struct {
	mu   sync.Mutex
	docs map[string]statements.Document // by their stored form
	size int
}

// getCopy returns a copy, whose lists are shared and must not be changed.
func (c *documentCache) getCopy(stored string) *statements.Document {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.docs[stored]
	if !ok {
		return nil
	}
	return &d
}

func (c *documentCache) putCopy(stored string, d statements.Document) {
	if len(stored) > maxRemembered {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.docs == nil || c.size+len(stored) > maxRemembered {
		c.docs = map[string]statements.Document{}
		c.size = 0
	}
	c.docs[stored] = d
	c.size += len(stored)
}

type unreadable struct {
	site, url string
	err       error
}

func (u *unreadable) Error() string {
	return "stored evidence of \"" + u.site + "\" at \"" + u.url + "\" cannot be read: " + u.err.Error()
}

func (u *unreadable) Unwrap() error { return u.err }

// channelStates returns the state of each channel of a site: one row for each
// channel and document, and one row for each channel that pages carry.
func channelStates(rows []origin.Evidence) []exports.ChannelState {
	var out []exports.ChannelState
	for _, e := range inForce(rows, latestInstant) {
		d, _ := documentOf(&e)
		if isGoneLicence(&e) {
			d = nil // what a document said must not be reported once it is gone
		}
		own := exports.ChannelState{Channel: e.Channel, URL: e.URL, State: e.State, Warnings: e.Warnings, CheckedAt: e.LookedAt}
		own.Reading = readingOf(&e, d)
		if d == nil {
			out = addState(out, own, false)
			continue
		}
		counts := map[statements.Name]int64{}
		for i := range d.Statements {
			counts[d.Statements[i].Channel]++
		}
		own.Statements = counts[statements.Name(e.Channel)]
		demands := map[statements.Name][]exports.Reporting{statements.RSL: reportingOf(d)}
		own.Reporting = demands[statements.Name(e.Channel)]
		if !d.Embedded || own.Statements > 0 {
			out = addState(out, own, d.Embedded)
		}
		for _, name := range statements.Names {
			if string(name) == e.Channel || counts[name] == 0 {
				continue
			}
			out = addState(out, exports.ChannelState{
				Channel: string(name), URL: e.URL, State: e.State, Reading: own.Reading, Statements: counts[name], CheckedAt: e.LookedAt,
				Reporting: demands[name],
			}, d.Embedded)
		}
	}
	slices.SortStableFunc(out, func(a, b exports.ChannelState) int {
		return cmp.Or(channelIndex(a.Channel)-channelIndex(b.Channel), strings.Compare(a.URL, b.URL))
	})
	return out
}

// reportingOf returns the demands of a document for reports of use.
func reportingOf(d *statements.Document) []exports.Reporting {
	var out []exports.Reporting
	endpoint := map[string]string{} // by locator
	for i := range d.Links {
		if l := &d.Links[i]; l.Rel == statements.RelReportingEndpoint {
			endpoint[l.Locator] = l.URL
		}
	}
	for i := range d.Links {
		if l := &d.Links[i]; l.Rel == statements.RelReporting {
			out = append(out, exports.Reporting{Type: l.Type, Profile: l.URL, Endpoint: endpoint[l.Locator]})
		}
	}
	return uniqueReporting(out)
}

// maxReporting bounds the demands that one row of channels shows.
const maxReporting = 20

func uniqueReporting(list []exports.Reporting) []exports.Reporting {
	slices.SortFunc(list, func(a, b exports.Reporting) int {
		return cmp.Or(cmp.Compare(a.Profile, b.Profile), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Endpoint, b.Endpoint))
	})
	list = slices.Compact(list)
	return list[:min(len(list), maxReporting)]
}

// latestInstant is later than every instant of a record.
const latestInstant = "9999-12-31T23:59:59Z"

// addState adds a row. The channels that pages carry are summed up in the row
// of the first page, and a document has one row for each channel.
func addState(list []exports.ChannelState, s exports.ChannelState, embedded bool) []exports.ChannelState {
	for i := range list {
		l := &list[i]
		switch {
		case l.Channel != s.Channel || l.State != s.State || l.Reading != s.Reading:
		case l.URL == s.URL: // one document, read for two channels
			l.Statements = max(l.Statements, s.Statements)
			return list
		case embedded:
			l.Statements += s.Statements
			l.Warnings = uniqueWords(append(append([]string(nil), l.Warnings...), s.Warnings...))
			l.CheckedAt = max(l.CheckedAt, s.CheckedAt)
			l.Reporting = uniqueReporting(slices.Concat(l.Reporting, s.Reporting))
			return list
		}
	}
	return append(list, s)
}
