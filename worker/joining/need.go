package joining

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Bounds of buyers' requests sent by form.
const (
	maxNeeds = 2000 // that wait for the operator
	needDays = 90   // how long one is public if it does not say
)

// fieldOf returns the place of a field of the form in a need, nil if it is kept
// otherwise.
func fieldOf(d *origin.Demand, name string) *string {
	switch name {
	case "headline":
		return &d.Headline
	case "buyer_name":
		return &d.BuyerName
	case "buyer_email":
		return &d.BuyerEmail
	case "buyer_display":
		return &d.BuyerDisplay
	case "volume":
		return &d.Volume
	case "budget_band":
		return &d.BudgetBand
	case "timeline":
		return &d.Timeline
	}
	return nil
}

// Need accepts a buyer's request and holds it for the operator; no part of it
// is public before. A partner sends the same form with its key, and is counted
// for its organization.
func (s *Service) Need(ctx context.Context, c *request.Call) (*edge.Response, error) {
	if s.Needs == nil || s.Rand == nil {
		return nil, problem.Unavailable()
	}
	if c.Header.Get("authorization") == "" && c.Header.Get("x-service-partner-key") == "" {
		return s.Limits.Answer(ctx, s.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return s.needSend(ctx, c, nil) })
	}
	p, err := s.Keys.Partner(ctx, c.Request)
	if err != nil {
		return nil, s.Limits.Refuse(ctx, c.Remote, err)
	}
	return s.Limits.Answer(ctx, p.OrgID, []string{"intake"}, func() (*edge.Response, error) {
		if !slices.Contains(p.Scopes, exports.ScopeIntake) {
			return nil, problem.New("scope_missing", "A need is sent with "+exports.ScopeIntake+".")
		}
		return s.needSend(ctx, c, p)
	})
}

func (s *Service) needSend(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error) {
	f, err := c.ParseForm(exports.MaxBody)
	if err != nil {
		return nil, err
	}
	d, wrong := readNeed(f, p)
	if f.Get("website") != "" { // the field that people do not see
		wrong = "This cannot be accepted."
	}
	if wrong != "" {
		return s.Pages.Answer(ctx, c, 422, exports.PathNeedPage, content.Need(content.Filled{Typed: f, Fault: &content.Fault{Lead: wrong}}))
	}
	all, err := s.Needs.Demand(ctx)
	if err != nil {
		return nil, err
	}
	held := 0
	for i := range all {
		if !all[i].OptedIn && all[i].OptedInAt == "" {
			held++
		}
	}
	if held >= maxNeeds {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "The queue is full. Try again tomorrow.", Retry: 86400}
	}
	now := s.Now()
	if d.DemandID, err = (inquiry.Service{Now: s.Now, Rand: s.Rand}).NewID(exports.PrefixDemand); err != nil {
		return nil, err
	}
	d.ExpiresAt, d.ChangedAt = exports.Instant(now.AddDate(0, 0, needDays)), exports.Instant(now)
	if err := s.Needs.PutDemand(ctx, d); err != nil {
		return nil, err
	}
	sent := page.NeedSent(d.DemandID, prose.Moment(d.ExpiresAt))
	return s.Pages.Respond(ctx, 201, "Your need is with the operator", sent), nil
}

// readNeed parses a buyer's request from a form; wrong says what has to be
// corrected.
func readNeed(f request.Values, p *auth.Partner) (d origin.Demand, wrong string) {
	for _, field := range content.NeedFields {
		to := fieldOf(&d, field.Name)
		if to == nil {
			continue
		}
		text := prose.CleanLines(strings.TrimSpace(f.Get(field.Name)))
		if p != nil && field.Name == "buyer_name" {
			text = p.Name
		}
		switch {
		case strings.Contains(text, "\n") || len([]rune(text)) > field.Most:
			return d, field.Label + ": it is too long, or has several lines."
		case !field.Optional && text == "" && (p == nil || field.Name != "buyer_email"):
			return d, field.Label + ": it is missing."
		}
		*to = text
	}
	if d.BuyerEmail != "" && !exports.ValidEmail(d.BuyerEmail) {
		return d, "That is not an e-mail address."
	}
	for _, use := range exports.UseWords() {
		if f.Get("use_"+use) != "" {
			d.Uses = append(d.Uses, use)
		}
	}
	if len(d.Uses) == 0 {
		return d, "Name at least one use."
	}
	for _, slug := range strings.FieldsFunc(f.Get("categories"), func(r rune) bool { return r == ',' || r == ' ' }) {
		if !exports.ValidSlug(slug) || len(d.Categories) == 16 {
			return d, "Subjects are short names such as trade-logistics, at most sixteen, with commas between them."
		}
		d.Categories = append(d.Categories, slug)
	}
	if p != nil {
		d.PipelineStage = "sent by partner " + p.OrgID
	}
	return d, ""
}
