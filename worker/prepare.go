package worker

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/lookup"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// resolved is one publisher that an address belongs to.
type resolved struct {
	siteID  string
	entryID string // "" when only the host is known
	title   string
}

// prepareIntent tells what an address belongs to, whether asking is worth it,
// and what to submit. It stores nothing.
func prepareIntent(ctx context.Context, c *call) (*edge.Response, error) {
	var in exports.Intent
	if _, err := c.decodeBody(&in, exports.MaxBody); err != nil {
		return nil, err
	}
	canonical, err := urlkey.URLKey(in.Resource)
	if err != nil {
		return nil, rejectField("/resource", "url_invalid", "Must be an absolute http or https address.")
	}
	p, err := c.prepareIntent(ctx, &in, canonical)
	if err != nil {
		return nil, err
	}
	return respondRecord(200, p), nil
}

func (c *call) prepareIntent(ctx context.Context, in *exports.Intent, canonical string) (*exports.PreparedIntent, error) {
	found, err := c.publishersOf(ctx, canonical)
	if err != nil {
		return nil, err
	}
	now := c.deps.Now()
	p := &exports.PreparedIntent{
		Base: c.deps.BaseURL, Status: "none", Basis: "none", RequestedUse: in.RequestedUse, UseAlias: in.UseAlias, Worth: "unknown",
		Reasons: []string{}, Verdict: "unknown", Reason: "no_statement", Digest: intentDigest(in, canonical),
		PreparedAt: exports.Instant(now), ExpiresAt: exports.Instant(now.Add(24 * time.Hour)), Warnings: []string{},
	}
	switch len(found) {
	case 0:
		p.Warnings = append(p.Warnings, "publisher_not_registered")
		return p, nil
	case 1:
		return p, c.completeSingle(ctx, p, in, canonical, found[0])
	}
	p.Status, p.Basis = "multiple", basisOf(found[0])
	known, err := c.rightsOf(ctx, in, canonical)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		x := exports.IntentCandidate{SiteID: f.siteID, EntryID: f.entryID, Payload: payloadOf(in, canonical, f), Verdict: "unknown", Reason: "no_statement"}
		if u := useOf(known, f, in.RequestedUse); u != nil {
			x.Verdict, x.Reason = u.Verdict, u.Reason
		}
		p.Candidates = append(p.Candidates, x)
	}
	p.Warnings = append(p.Warnings, "several_publishers")
	return p, nil
}

// rightsOf asks the rights check about the address, as it would be asked from
// outside.
func (c *call) rightsOf(ctx context.Context, in *exports.Intent, canonical string) (*exports.RightsAnswer, error) {
	now := c.deps.Now()
	q := &rightsQuestion{call: c, now: now, at: now, RightsQuery: exports.RightsQuery{
		Key: "url", Value: canonical, Normalized: canonical, Uses: exports.UseWords(), UserType: in.UserType, Territory: in.Territory, At: exports.Instant(now),
	}}
	return q.answerQuestion(ctx)
}

// useOf finds what an answer says of a use at one publisher, nil for nothing.
func useOf(a *exports.RightsAnswer, f resolved, use string) *exports.UseStanding {
	standings := a.Candidates
	if a.Website != nil {
		standings = append(standings, *a.Website)
	}
	for i := range standings {
		s := &standings[i]
		if s.SiteID != f.siteID || s.EntryID != f.entryID {
			continue
		}
		for k := range s.Uses {
			if s.Uses[k].Use == use {
				return &s.Uses[k]
			}
		}
	}
	return nil
}

func basisOf(f resolved) string {
	if f.entryID == "" {
		return "website"
	}
	return "registered_url"
}

// completeSingle completes the answer for one publisher.
func (c *call) completeSingle(ctx context.Context, p *exports.PreparedIntent, in *exports.Intent, canonical string, f resolved) error {
	p.Status = "single"
	p.Basis = basisOf(f)
	p.SiteID = f.siteID
	p.EntryID = f.entryID
	known, err := c.rightsOf(ctx, in, canonical)
	if err != nil {
		return err
	}
	if u := useOf(known, f, in.RequestedUse); u != nil {
		p.Verdict = u.Verdict
		p.Reason = u.Reason
		p.DependsOn = u.DependsOn
		p.Audiences = u.Audiences
	}
	record, err := published{c.deps.Assets}.readPublisher(ctx, f.siteID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Warnings = append(p.Warnings, "publisher_not_listed")
	case err != nil:
		return err
	default:
		addAdvice(p, &record)
		if !record.AcceptsInquiries {
			return nil
		}
	}
	payload := payloadOf(in, canonical, f)
	p.Submission = &exports.Submission{Base: c.deps.BaseURL, Payload: payload, Missing: missingOf(&payload)}
	return nil
}

// addAdvice tells from what the publisher states whether asking is worth it.
func addAdvice(p *exports.PreparedIntent, r *exports.Publisher) {
	for i := range r.Preferences {
		if r.Preferences[i].Use == p.RequestedUse {
			p.Preference = &r.Preferences[i]
		}
	}
	if !r.AcceptsInquiries {
		p.Warnings = append(p.Warnings, "site_not_accepting_inquiries")
		p.Worth, p.Reasons = "unlikely", append(p.Reasons, "site_not_accepting_inquiries")
	}
	if len(r.Offers) > 0 {
		p.Reasons = append(p.Reasons, "offers_exist")
	}
	if p.Preference == nil || !r.AcceptsInquiries {
		return
	}
	p.Reasons = append(p.Reasons, "inquiry_"+p.Preference.Inquiry)
	switch {
	case p.Preference.Inquiry == "not_offered":
		p.Worth = "unlikely"
	case p.Preference.Inquiry == "welcome", p.Verdict == "license_required" && p.Reason == "offer_exists":
		p.Worth = "yes"
	case p.Preference.Inquiry == "conditional":
		p.Worth = "maybe"
	}
}

func payloadOf(in *exports.Intent, canonical string, f resolved) exports.Payload {
	p := exports.Payload{
		SiteID: f.siteID, RequestedScope: in.RequestedScope, Message: in.Message, BudgetRange: in.BudgetRange, RequestedTimeline: in.RequestedTimeline,
		RequestedUse: in.RequestedUse,
	}
	if p.RequestedScope == "" && len(canonical) <= 2000 {
		p.RequestedScope = canonical
	}
	if in.RequestedUse != "" {
		p.IntendedUse = "Licence for " + strings.ReplaceAll(in.RequestedUse, "_", " ")
		if f.title != "" {
			p.IntendedUse += ": " + f.title
		}
	}
	return p
}

// missingOf lists the required members that the buyer has still to fill.
func missingOf(p *exports.Payload) []string {
	missing := []string{}
	for _, f := range []struct{ name, value string }{
		{"requester_name", p.RequesterName}, {"requester_email", p.RequesterEmail}, {"intended_use", p.IntendedUse},
		{"requested_scope", p.RequestedScope}, {"message", p.Message},
	} {
		if f.value == "" {
			missing = append(missing, f.name)
		}
	}
	return missing
}

// intentDigest names what was prepared: the intent with its address and use
// in canonical form.
func intentDigest(in *exports.Intent, canonical string) string {
	x := *in
	x.Resource, x.UseAlias = canonical, ""
	return "sha-256:" + inquiry.Digest(string(wire.Append(nil, &x)))
}

// publishersOf finds who an address belongs to: by the registered page, or by
// the host of a publisher when the page is not registered.
func (c *call) publishersOf(ctx context.Context, canonical string) ([]resolved, error) {
	hit, err := c.deps.catalog.Find(ctx, lookup.Lookup{URL: canonical})
	if err != nil {
		return nil, err
	}
	var out []resolved
	for _, x := range hit.Candidates {
		switch {
		case x.Status() != "withdrawn":
			out = append(out, resolved{siteID: x.SiteID, entryID: x.EntryID, title: x.Title})
		case x.Successor != "": // whoever asks about a page that moved asks about where it is now
			out = append(out, resolved{siteID: x.SiteID, entryID: x.Successor, title: x.Title})
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	list, err := published{c.deps.Assets}.listPublishers(ctx)
	for _, s := range list {
		if hostOf(s.SiteURL) == hostOf(canonical) {
			out = append(out, resolved{siteID: s.SiteID})
		}
	}
	return out, err
}

// hostOf is the host and port of a canonical address.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}
