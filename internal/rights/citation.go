package rights

import (
	"colophon/exports"
	"colophon/internal/origin"
)

// Citation returns the public citation document of a page, without its place in
// the ledger and without the forms that citation.Spell derives from the other
// fields. A page that moved still has one, which says that it is superseded and
// by which entry.
func Citation(f *SiteSnapshot, p *origin.Page) (exports.Citation, bool) {
	moved := p.State != "active" && p.Successor != ""
	if moved {
		was := *p
		was.State = "active"
		p = &was
	}
	e, ok := Entry(f, p)
	if !ok {
		return exports.Citation{}, false
	}
	c := exports.Citation{
		EntryID: e.EntryID, CanonicalURL: e.URL, SiteID: e.SiteID, Publisher: f.Site.Name, PublisherURL: f.Site.SiteURL,
		Source: exports.CitedSource{
			Title: e.Title, Byline: p.Byline, PublishedAt: e.PublishedAt, ModifiedAt: e.ModifiedAt, Language: e.Language, Section: e.Section,
		},
		Portable: e.Digest, LedgerIndex: -1, Status: "active", RightsVector: e.RightsVector, RightsAsOf: e.RightsAsOf,
		GeneratedAt: latestTime(p.ChangedAt, f.PolicyChanged()),
	}
	if c.Portable != "" {
		c.Registry, c.ISCC = p.Registry, p.ISCC
	}
	if moved {
		c.Status, c.RightsVector = "superseded", AllWithdrawn
		c.Successor, c.SuccessorURL = p.Successor, p.SuccessorURL
	}
	return c, true
}
