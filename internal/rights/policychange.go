package rights

import (
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// PolicyChanges lists how each version of a site's policy but the first differs from the one
// before, the oldest first.
func (f *SiteSnapshot) PolicyChanges() []exports.PolicyChange {
	var out []exports.PolicyChange
	for i := 1; i < len(f.Policies); i++ {
		before, after := &f.Policies[i-1], &f.Policies[i]
		out = append(out, exports.PolicyChange{
			Version: after.Version, From: after.EffectiveFrom, Channels: f.channelChanges(before.EffectiveFrom, after.EffectiveFrom),
			Uses: useChanges(before.Vector, after.Vector),
		})
	}
	return out
}

// useChanges compares the verdicts of two rights vectors.
func useChanges(before, after string) []exports.UseChange {
	var out []exports.UseChange
	for i, use := range exports.UseWords() {
		was, is := verdictOf(before, i), verdictOf(after, i)
		if was != is {
			out = append(out, exports.UseChange{Use: use, Before: was, After: is})
		}
	}
	return out
}

// verdictOf returns the verdict on a use in a rights vector, whether or not the channels
// agree.
func verdictOf(vector string, use int) string {
	if use < len(vector) {
		for _, v := range exports.Verdicts {
			if letterOf(v, true) == vector[use]&^0x20 && v != "licensed" {
				return v
			}
		}
	}
	return "unknown"
}

// channelChanges lists what became of documents that hold for the site as a whole, after one
// instant and until another. Both of two versions from the same second have what changed in
// that second, since instants do not tell which of them it made.
func (f *SiteSnapshot) channelChanges(after, until string) []exports.ChannelChange {
	var out []exports.ChannelChange
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Since != until && (e.Since <= after || e.Since > until) {
			continue
		}
		var before *origin.Evidence
		if i > 0 && f.Evidence[i-1].Channel == e.Channel && f.Evidence[i-1].URL == e.URL {
			before = &f.Evidence[i-1]
		}
		if c, ok := f.channelChange(before, e); ok {
			out = append(out, c)
		}
	}
	return out
}

// channelChange compares two rows of one document, of which before is nil for the first. ok is
// false when the document is the same, or concerns another page than the home of the site.
func (f *SiteSnapshot) channelChange(before, after *origin.Evidence) (c exports.ChannelChange, ok bool) {
	was, is := readRow(before), readRow(after)
	c = exports.ChannelChange{Channel: after.Channel, URL: after.URL, At: after.Since}
	switch {
	case !f.isSiteWide(was.embedded, was.url) || !f.isSiteWide(is.embedded, is.url):
		return c, false
	case was.there && is.there && before.Digest == after.Digest && before.Document == after.Document:
		return c, false
	case was.there && is.there:
		c.Change = "changed"
	case is.there:
		c.Change = "added"
	case was.there:
		c.Change = "removed"
	default:
		return c, false
	}
	differ := append(missingIn(was.lines, is.lines), missingIn(is.lines, was.lines)...)
	if len(differ) == 0 && was.reading == is.reading && c.Change == "changed" {
		c.Change = "rewritten"
	}
	c.By = changeAuthors(after.Channel, differ, was.marked() || is.marked())
	return c, true
}

// changeAuthors says who wrote statements that differ. Where a CDN marks its own lines, the
// others are the publisher's.
func changeAuthors(channel string, differ []statements.Statement, marked bool) []string {
	if channel == string(statements.PublisherFile) {
		return []string{"publisher"}
	}
	var by []string
	for i := range differ {
		author := "unknown"
		switch {
		case differ[i].Origin == statements.FromCDN:
			author = "cdn"
		case marked:
			author = "publisher"
		}
		by = append(by, author)
	}
	if len(by) == 0 {
		return []string{"unknown"}
	}
	return uniqueWords(by)
}

// rowReading is a row of evidence as changes are found in it.
type rowReading struct {
	there    bool
	url      string
	embedded bool
	reading  statements.Reading
	lines    []statements.Statement // without their places, which move, and with the agents of their group
}

func readRow(e *origin.Evidence) rowReading {
	if e == nil {
		return rowReading{}
	}
	r := rowReading{there: e.State != "absent" && e.Digest != "", url: e.URL}
	d, err := documentOf(e)
	if err != nil || d == nil || !r.there {
		return r
	}
	r.embedded = d.Embedded
	r.reading = d.Reading()
	for _, s := range d.Statements {
		if s.Group > 0 && s.Group <= len(d.Groups) {
			s.Agent = strings.Join(d.Groups[s.Group-1].Agents, " ")
		}
		s.Locator = ""
		s.Group = 0
		r.lines = append(r.lines, s)
	}
	return r
}

// marked reports whether a CDN marked any line as its own.
func (r *rowReading) marked() bool {
	return slices.ContainsFunc(r.lines, func(s statements.Statement) bool { return s.Origin == statements.FromCDN })
}

// isSiteWide reports whether the document at an address counts in the verdicts on the
// site as a whole: all do but those embedded in other pages than the home page.
func (f *SiteSnapshot) isSiteWide(embedded bool, address string) bool {
	return !embedded || f.isHome(address)
}

// isHome reports whether an address is that of the site's home page.
func (f *SiteSnapshot) isHome(address string) bool {
	return strings.TrimSuffix(address, "/") == strings.TrimSuffix(f.Site.SiteURL, "/")
}

// missingIn lists the statements of one list that another does not have.
func missingIn(list, other []statements.Statement) []statements.Statement {
	known := map[string]bool{}
	for i := range other {
		known[string(wire.Append(nil, &other[i]))] = true
	}
	var out []statements.Statement
	for i := range list {
		if !known[string(wire.Append(nil, &list[i]))] {
			out = append(out, list[i])
		}
	}
	return out
}
