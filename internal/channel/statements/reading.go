package statements

import (
	"strings"

	"colophon/exports"
)

// Reading says how much of a document was understood.
type Reading string

// Complete means that every statement the standard allows was read; Partial
// leaves something out, Failed everything. An incomplete reading may have
// missed a restriction.
const (
	Complete Reading = "complete"
	Partial  Reading = "partial"
	Failed   Reading = "failed"
)

// Gap is a part of a document that could not be read or understood. In its
// scope no permission of the same publisher's channels holds: see WhyUnread.
type Gap struct {
	Code    string // the code of its warning
	Locator string // where in the document
	Host    string // the host it is limited to, "" = that of the document
	Pattern string // RFC 9309 path pattern, "" = everything the document is about
	Channel Name   // whose vocabulary it may have used, "" = that of the document
}

// Reading sums up the gaps of a document.
func (d *Document) Reading() Reading {
	switch {
	case len(d.Gaps) == 0:
		return Complete
	case len(d.Statements) == 0:
		return Failed
	}
	return Partial
}

// WhyUnread is the reason for a permission that does not hold because a document of
// the same publisher could not be read, and of the channel of that document.
const WhyUnread = "unread_document"

// LicenseUnread is the code of the gap that a licence file leaves when it is
// named and was not read.
const LicenseUnread = "license_unread"

// gapFound is a gap about the resource, with the document it is in.
type gapFound struct {
	Gap
	from *Document
}

// gapsFor returns what was not read in the documents about the resource that
// are in force for an agent.
func (m *matches) gapsFor(agent string, licences licenceSet) []gapFound {
	var out []gapFound
	for i := range m.docs {
		d := &m.docs[i]
		if len(d.Gaps) == 0 || !d.speaksOf(m.host, m.path) || d.Channel == RSL && licences.isHidden(d.URL) {
			continue
		}
		for _, g := range d.Gaps {
			if g.isAbout(m.host, m.path) {
				out = append(out, gapFound{g, d})
			}
		}
	}
	return append(out, m.unreadLicences(agent)...)
}

// isAbout reports whether a gap is in scope of a host and a path in the spelling
// of NormalPattern.
func (g *Gap) isAbout(host, path string) bool {
	if g.Host != "" && host != "" && g.Host != host {
		return false
	}
	pattern := exports.NormalPattern(g.Pattern)
	return pattern == "" || exports.MatchNormalPattern(pattern, path)
}

// unreadLicences returns the licence files that are named for an agent and are
// not among the documents. A named file that cannot be fetched is not a licence
// (RSL 1.0), and what it prohibits is unknown.
func (m *matches) unreadLicences(agent string) []gapFound {
	read := map[string]bool{}
	for i := range m.docs {
		if m.docs[i].Channel == RSL {
			read[addressKey(m.docs[i].URL)] = true
		}
	}
	var out []gapFound
	for i := range m.docs {
		d := &m.docs[i]
		if len(d.Links) == 0 || !d.speaksOf(m.host, m.path) {
			continue
		}
		for _, u := range d.licencesFor(agent) {
			if !read[addressKey(u)] {
				read[addressKey(u)] = true
				out = append(out, gapFound{Gap{Code: LicenseUnread, Locator: u, Channel: RSL}, d})
			}
		}
	}
	return out
}

// DropForgotten drops the licence files that are gone and that no other
// document names any more, because their publisher withdrew them. One that is
// still named has not been replaced, so its restrictions remain.
func DropForgotten(docs []Document) []Document {
	named := map[string]bool{}
	for i := range docs {
		for _, l := range docs[i].Links {
			if l.Rel == "license" && !docs[i].Gone {
				named[addressKey(l.URL)] = true
			}
		}
	}
	kept := docs[:0]
	for i := range docs {
		if !docs[i].Gone || named[addressKey(docs[i].URL)] {
			kept = append(kept, docs[i])
		}
	}
	return kept
}

// addressKey returns the form in which addresses of documents are compared.
func addressKey(u string) string {
	host, path := Split(u)
	return host + strings.TrimSuffix(exports.NormalPattern(path), "/")
}

// channelName returns the vocabulary in which the unread part may have been
// written.
func (g *gapFound) channelName() Name {
	if g.Channel != "" {
		return g.Channel
	}
	return g.from.Channel
}

// withdrawPermissions withdraws the permissions that unread parts may have
// restricted: those of uses for which their vocabulary has a word. Restrictions
// stay. A channel that says nothing else is reported as unread.
func withdrawPermissions(answers []Answer, gaps []gapFound) []Answer {
	for i := range gaps {
		g := &gaps[i]
		covered := coveredUses(g.channelName())
		spoke := false
		for k := range answers {
			a := &answers[k]
			spoke = spoke || a.Channel == g.channelName()
			if covered[k%len(exports.Uses)] {
				a.withdrawPermissions()
			}
		}
		if !spoke {
			answers = append(answers, unreadAnswers(g, covered)...)
		}
	}
	return answers
}

// withdrawPermissions drops free permissions. A priced one stays: it still has to be
// asked for.
func (a *Answer) withdrawPermissions() {
	if a.Effect != Allow {
		return
	}
	var priced []Option
	for _, o := range a.Options {
		if o.Effect == Priced {
			priced = append(priced, o)
		}
	}
	a.Effect = Unknown
	a.Options = priced
	a.Why = WhyUnread
	if len(priced) > 0 {
		a.Effect = Priced
	}
}

func unreadAnswers(g *gapFound, covered [8]bool) []Answer {
	source := Source{URL: g.from.URL, Locator: g.Locator, Text: g.Code, CheckedAt: g.from.CheckedAt, ValidUntil: g.from.ValidUntil, Digest: g.from.Digest}
	if g.Code == LicenseUnread {
		source.URL, source.Locator = g.Locator, ""
	}
	out := silentAnswers(g.channelName())
	for i := range out {
		out[i].Why = WhyNotCovered
		if covered[i] {
			out[i].Why = WhyUnread
			out[i].Value = g.Code
			out[i].Sources = []Source{source}
		}
	}
	return out
}

// coveredUses returns the uses for which a channel has any word. A robots file
// and a page contain words of several channels.
func coveredUses(name Name) (out [8]bool) {
	for _, row := range crosswalk {
		if row.channel != name {
			continue
		}
		for i, c := range coverUses(row.uses) {
			out[i] = out[i] || c != NotCovered
		}
	}
	return out
}
