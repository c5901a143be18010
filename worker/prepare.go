package worker

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/provenance"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/query"
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
	if _, err := c.decode(&in, exports.MaxBody); err != nil {
		return nil, err
	}
	canonical, err := provenance.URLKey(in.Resource)
	if err != nil {
		return nil, rejected("/resource", "url_invalid", "Must be an absolute http or https address.")
	}
	p, err := c.prepare(ctx, &in, canonical)
	if err != nil {
		return nil, err
	}
	return respond(200, p), nil
}

func (c *call) prepare(ctx context.Context, in *exports.Intent, canonical string) (*exports.PreparedIntent, error) {
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
		return p, c.single(ctx, p, in, canonical, found[0])
	}
	p.Status, p.Basis = "multiple", basisOf(found[0])
	for _, f := range found {
		p.Candidates = append(p.Candidates, exports.IntentCandidate{SiteID: f.siteID, EntryID: f.entryID, Payload: payloadOf(in, canonical, f)})
	}
	p.Warnings = append(p.Warnings, "several_publishers")
	return p, nil
}

func basisOf(f resolved) string {
	if f.entryID == "" {
		return "website"
	}
	return "registered_url"
}

// single completes the answer for one publisher.
func (c *call) single(ctx context.Context, p *exports.PreparedIntent, in *exports.Intent, canonical string, f resolved) error {
	p.Status, p.Basis, p.SiteID, p.EntryID = "single", basisOf(f), f.siteID, f.entryID
	record, err := published{c.deps.Assets}.publisher(ctx, f.siteID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Warnings = append(p.Warnings, "publisher_not_listed")
	case err != nil:
		return err
	case !record.AcceptsInquiries:
		p.Warnings = append(p.Warnings, "site_not_accepting_inquiries")
		p.Worth, p.Reasons = "unlikely", append(p.Reasons, "site_not_accepting_inquiries")
		advise(p, &record)
		return nil
	default:
		advise(p, &record)
	}
	payload := payloadOf(in, canonical, f)
	p.Submission = &exports.Submission{Base: c.deps.BaseURL, Payload: payload, Missing: missingOf(&payload)}
	return nil
}

// advise judges from what the publisher states whether asking is worth it.
func advise(p *exports.PreparedIntent, r *exports.Publisher) {
	use := exports.Use(p.RequestedUse)
	if i := use.Index(); i >= 0 && i < len(r.RightsVector) {
		p.Verdict, p.Reason = verdictOf(r.RightsVector[i])
	}
	for i := range r.Preferences {
		if r.Preferences[i].Use == p.RequestedUse {
			p.Preference = &r.Preferences[i]
		}
	}
	if len(r.Offers) > 0 {
		p.Reasons = append(p.Reasons, "offers_exist")
	}
	if p.Preference == nil || p.Worth == "unlikely" {
		return
	}
	p.Reasons = append(p.Reasons, "inquiry_"+p.Preference.Inquiry)
	switch p.Preference.Inquiry {
	case "welcome":
		p.Worth = "yes"
	case "conditional":
		p.Worth = "maybe"
	case "not_offered":
		p.Worth = "unlikely"
	}
}

// verdictOf reads one letter of a rights vector; the reason is what the
// letter alone can tell.
func verdictOf(letter byte) (verdict, reason string) {
	switch letter | 0x20 {
	case 'l':
		return "license_required", "offer_exists"
	case 'd':
		return "declined", "use_not_offered"
	case 's':
		return "signal_allow", "signal_allows"
	case 'w':
		return "withdrawn", "entry_withdrawn"
	}
	return "unknown", "no_statement"
}

func payloadOf(in *exports.Intent, canonical string, f resolved) exports.Payload {
	p := exports.Payload{
		SiteID: f.siteID, RequestedScope: in.RequestedScope, Message: in.Message, BudgetRange: in.BudgetRange, RequestedTimeline: in.RequestedTimeline,
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
	hit, err := c.deps.catalog.Find(ctx, query.Lookup{URL: canonical})
	if err != nil {
		return nil, err
	}
	var out []resolved
	for _, x := range hit.Candidates {
		if x.Status() != "withdrawn" {
			out = append(out, resolved{siteID: x.SiteID, entryID: x.EntryID, title: x.Title})
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	list, err := published{c.deps.Assets}.list(ctx)
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
