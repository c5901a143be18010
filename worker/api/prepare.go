package api

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/credential"
	"colophon/internal/lookup"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/rightscheck"
)

// resolved is one publisher that an address belongs to.
type resolved struct {
	siteID  string
	entryID string // "" if only the host is known
	title   string
	uses    []exports.UseVerdict
}

// PrepareIntent answers what an address belongs to, whether an inquiry is worth
// it, and what to submit. It stores nothing.
func (s *Service) PrepareIntent(ctx context.Context, c *request.Call) (*edge.Response, error) {
	var in inquiries.Intent
	if _, err := c.DecodeBody(&in, exports.MaxBody); err != nil {
		return nil, err
	}
	canonical, err := urlkey.Address(in.Resource)
	if err != nil {
		return nil, problem.Reject("/resource", "url_invalid", "Must be an absolute http or https address.")
	}
	p, err := s.prepare(ctx, c.ID, &in, canonical)
	if err != nil {
		return nil, err
	}
	return request.Record(200, p), nil
}

func (s *Service) prepare(ctx context.Context, id string, in *inquiries.Intent, canonical string) (*inquiries.PreparedIntent, error) {
	known, err := s.Rights.Answer(ctx, s.Rights.URLQuestion(id, canonical, in.UserType, in.Territory))
	if err != nil {
		return nil, err
	}
	found, err := s.publishersOf(ctx, known)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	p := &inquiries.PreparedIntent{
		Base: s.BaseURL, Status: "none", Basis: "none", RequestedUse: in.RequestedUse, UseAlias: in.UseAlias, Worth: "unknown",
		Reasons: []string{}, Verdict: "unknown", Reason: "no_statement", Digest: intentDigest(in, canonical),
		PreparedAt: exports.Instant(now), ExpiresAt: exports.Instant(now.Add(24 * time.Hour)), Warnings: []string{},
	}
	if len(found) == 0 {
		p.Warnings = append(p.Warnings, "publisher_not_registered")
		return p, nil
	}
	p.Basis = known.Basis
	switch {
	case found[0].entryID == "":
		p.Basis = rightscheck.BasisWebsite
	case p.Basis == exports.BasisURL:
		p.Basis = "registered_url"
	}
	if len(found) == 1 {
		return p, s.completeSingle(ctx, p, in, canonical, found[0])
	}
	p.Status = "multiple"
	for _, f := range found {
		x := inquiries.IntentCandidate{SiteID: f.siteID, EntryID: f.entryID, Payload: payloadOf(in, canonical, f), Verdict: "unknown", Reason: "no_statement"}
		if u := f.useOf(in.RequestedUse); u != nil {
			x.Verdict, x.Reason = u.Verdict, u.Reason
		}
		p.Candidates = append(p.Candidates, x)
	}
	p.Warnings = append(p.Warnings, "several_publishers")
	return p, nil
}

// useOf returns the verdict of a publisher on a use, nil if there is none.
func (f resolved) useOf(use string) *exports.UseVerdict {
	for k := range f.uses {
		if f.uses[k].Use == use {
			return &f.uses[k]
		}
	}
	return nil
}

// completeSingle completes the answer for one publisher.
func (s *Service) completeSingle(ctx context.Context, p *inquiries.PreparedIntent, in *inquiries.Intent, canonical string, f resolved) error {
	p.Status = "single"
	p.SiteID = f.siteID
	p.EntryID = f.entryID
	if u := f.useOf(in.RequestedUse); u != nil {
		p.Verdict = u.Verdict
		p.Reason = u.Reason
		p.DependsOn = u.DependsOn
		p.Audiences = u.Audiences
	}
	record, err := s.Files.ReadPublisher(ctx, f.siteID)
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
	p.Submission = &inquiries.Submission{Base: s.BaseURL, Payload: payload, Missing: missingOf(&payload)}
	return nil
}

// addAdvice says, from what the publisher states, whether an inquiry is worth
// it.
func addAdvice(p *inquiries.PreparedIntent, r *exports.Publisher) {
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

func payloadOf(in *inquiries.Intent, canonical string, f resolved) inquiries.Payload {
	p := inquiries.Payload{
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

// missingOf returns the required members that the buyer still has to fill in.
func missingOf(p *inquiries.Payload) []string {
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

// intentDigest returns the digest of what was prepared: the intent with its
// address and use in canonical form.
func intentDigest(in *inquiries.Intent, canonical string) string {
	x := *in
	x.Resource, x.UseAlias = canonical, ""
	return "sha-256:" + credential.Digest(string(wire.Append(nil, &x)))
}

// publishersOf returns the publishers of an address according to the rights
// check: those of its registered pages, or the sites of its host. A question
// about a page that moved is about its present address.
func (s *Service) publishersOf(ctx context.Context, known *exports.RightsAnswer) ([]resolved, error) {
	candidates := known.Candidates
	if known.Website != nil {
		candidates = []exports.ResourceRights{*known.Website}
	}
	var out []resolved
	for i := range candidates {
		x := &candidates[i]
		f := resolved{siteID: x.SiteID, entryID: x.EntryID, uses: x.Uses}
		if x.EntryID == "" {
			out = append(out, f)
			continue
		}
		hit, err := s.Catalog.Find(ctx, lookup.Query{EntryID: x.EntryID})
		if err != nil {
			return nil, err
		}
		if len(hit.Candidates) > 0 {
			f.title = hit.Candidates[0].Title
		}
		switch {
		case x.Successor != "":
			f.entryID, f.uses = x.Successor, nil
		case x.RightsVector == rights.AllWithdrawn:
			f.entryID, f.title = "", ""
		}
		out = append(out, f)
	}
	return out, nil
}
