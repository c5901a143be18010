package rights

import (
	"slices"

	"colophon/exports"
	"colophon/internal/origin"
)

// Publisher returns the public record of a site, with the totals of its pages.
// ok is false if the site may not appear.
func Publisher(f *SiteSnapshot, t *Tally) (exports.Publisher, bool) {
	if !Public(f.Site) {
		return exports.Publisher{}, false
	}
	s := &f.Site
	p := exports.Publisher{
		PublisherSummary: publisherSummary(f, t),
		PublisherID:      s.PublisherID,
		Description:      s.Description,
		DomainControl:    s.DomainControl,
		ControlChecked:   s.ControlChecked,
		Sections:         t.Sections(),
		Coverage:         t.Coverage(s.UpdateCadence),
		Audience:         s.Audience,
		TechnicalDepth:   s.TechnicalDepth,
		Preferences:      f.publicPreferences(),
		Offers:           f.offerIDs(),
		Policy:           currentPolicy(f),
		Channels:         channelURLs(f.Channels()),
		HumanPage:        s.HumanPage,
		Records:          exports.RecordCount{Records: t.Records, LedgerEntries: f.loggedLeaves(t), LatestAt: t.LatestRecord},
	}
	for _, w := range f.Websites {
		p.Websites = append(p.Websites, exports.Website{Host: w.Host, Associated: w.Associated, Method: w.Method, CheckedAt: w.CheckedAt})
	}
	return p, true
}

func publisherSummary(f *SiteSnapshot, t *Tally) exports.PublisherSummary {
	s := &f.Site
	return exports.PublisherSummary{
		SiteID: s.SiteID, Name: s.Name, SiteURL: s.SiteURL, Summary: s.Summary, Categories: s.Categories, Languages: s.Languages,
		Countries: s.Countries, RegisteredPages: t.Pages, ContentFormats: t.Formats(), Verified: slices.Contains(exports.ProvenControls, s.DomainControl),
		AcceptsInquiries: s.AcceptsInquiries, RAGSuitability: s.RAGSuitability, Readiness: exports.Readiness(readinessSignals(f, t)),
		RightsVector: f.Vector(), RightsAsOf: f.JudgedAt(), UpdatedAt: latestTime(s.ChangedAt, f.PolicyChanged(), t.LatestChange),
		Group: f.Group,
	}
}

func latestTime(times ...string) string {
	out := ""
	for _, t := range times {
		out = max(out, t)
	}
	return out
}

func channelURLs(states []exports.ChannelState) exports.ChannelURLs {
	var c exports.ChannelURLs
	for _, s := range states {
		if s.State != "valid" {
			continue
		}
		switch s.Channel {
		case "rsl":
			c.RSL = s.URL
		case "robots":
			c.Robots = s.URL
		case "tdmrep":
			c.TDMRep = s.URL
		case "aipref_header", "aipref_robots":
			c.ContentUsage = s.URL
		case "content_signal":
			c.ContentSignal = s.URL
		case "trust_txt":
			c.TrustTxt = s.URL
		case "telemetry_manifest":
			c.Telemetry = s.URL
		}
	}
	return c
}

// Category returns the public form of a category, with the totals of its public
// publishers.
func Category(c origin.Category, publishers, pages int64) exports.Category {
	return exports.Category{
		Slug: c.Slug, Label: c.Label, Description: c.Description, Parent: c.Parent, IABTaxonomy: c.IABIDs,
		Publishers: publishers, RegisteredPages: pages,
	}
}

// loggedLeaves returns the number of ledger leaves about the site's records:
// one for each version.
func (f *SiteSnapshot) loggedLeaves(t *Tally) int64 {
	if !f.Ledger {
		return 0
	}
	return t.Versions
}
