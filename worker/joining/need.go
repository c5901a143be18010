package joining

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
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

// needField is a line of the form; the first ones are required.
type needField struct {
	name, label string
	most        int // characters
	required    bool
	to          func(*origin.Demand) *string
}

var needFields = []needField{
	{"headline", "What you look for, in one line (public)", 200, true, func(d *origin.Demand) *string { return &d.Headline }},
	{"buyer_name", "Your name (only for the operator)", 120, true, func(d *origin.Demand) *string { return &d.BuyerName }},
	{"buyer_email", "Your e-mail address (only for the operator)", 254, true, func(d *origin.Demand) *string { return &d.BuyerEmail }},
	{"buyer_display", "Name to show, if you want one (public)", 80, false, func(d *origin.Demand) *string { return &d.BuyerDisplay }},
	{"volume", "How much (public)", 80, false, func(d *origin.Demand) *string { return &d.Volume }},
	{"budget_band", "Budget (public)", 80, false, func(d *origin.Demand) *string { return &d.BudgetBand }},
	{"timeline", "Until when you need it (public)", 80, false, func(d *origin.Demand) *string { return &d.Timeline }},
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
		if !exports.OneOf(exports.ScopeIntake, p.Scopes) {
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
		again := page.Need(needForm(f, wrong))
		return s.Pages.Respond(ctx, 422, "Post a request", again), nil
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
func readNeed(f request.Form, p *auth.Partner) (d origin.Demand, wrong string) {
	for _, field := range needFields {
		text := prose.CleanLines(strings.TrimSpace(f.Get(field.name)))
		if p != nil && field.name == "buyer_name" {
			text = p.Name
		}
		switch {
		case strings.Contains(text, "\n") || len([]rune(text)) > field.most:
			return d, field.label + ": it is too long, or has several lines."
		case field.required && text == "" && (p == nil || field.name != "buyer_email"):
			return d, field.label + ": it is missing."
		}
		*field.to(&d) = text
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

// needForm returns the form again with what was typed.
func needForm(f request.Form, wrong string) page.NeedForm {
	v := page.NeedForm{Wrong: wrong, Path: exports.PathNeedPage, Categories: f.Get("categories")}
	for _, field := range needFields {
		v.Fields = append(v.Fields, page.NeedField{Name: field.name, Label: field.label, Typed: f.Get(field.name)})
	}
	for _, use := range exports.UseWords() {
		name := "use_" + use
		v.Uses = append(v.Uses, page.NeedUse{Name: name, Label: strings.ReplaceAll(use, "_", " "), Checked: f.Get(name) != ""})
	}
	return v
}
