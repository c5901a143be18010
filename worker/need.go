package worker

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
)

// Needs is where what buyers look for is kept.
type Needs interface {
	// Demand lists every need by id, public or not.
	Demand(ctx context.Context) ([]origin.Demand, error)
	// PutDemand adds or replaces one.
	PutDemand(ctx context.Context, d origin.Demand) error
}

// Bounds of needs that come by form.
const (
	maxNeeds   = 2000 // that are held for the operator
	needDays   = 90   // how long one is public when it does not say
	needPolicy = "demand"
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

// needPage takes what a buyer looks for and holds it for the operator: nothing
// of it is public before. A partner sends the same form with its key, and is
// counted for its organization.
func needPage(ctx context.Context, c *call) (*edge.Response, error) {
	if c.deps.Needs == nil || c.deps.Rand == nil {
		return nil, unavailableError()
	}
	if c.Header.Get("authorization") == "" && c.Header.Get("x-service-partner-key") == "" {
		return c.answerLimited(ctx, c.remoteKey(), []string{needPolicy}, func() (*edge.Response, error) { return c.needSend(ctx, nil) })
	}
	p, err := c.authenticatePartner(ctx)
	if err != nil {
		return nil, c.limitRefusal(ctx, err)
	}
	return c.answerLimited(ctx, p.OrgID, []string{"intake"}, func() (*edge.Response, error) {
		if !exports.OneOf(exports.ScopeIntake, p.scopes) {
			return nil, newFailure("scope_missing", "A need is sent with "+exports.ScopeIntake+".")
		}
		return c.needSend(ctx, p)
	})
}

func (c *call) needSend(ctx context.Context, p *caller) (*edge.Response, error) {
	f, err := c.parseForm(exports.MaxBody)
	if err != nil {
		return nil, err
	}
	d, wrong := readNeed(f, p)
	if f.get("website") != "" { // the field that people do not see
		wrong = "This cannot be taken."
	}
	if wrong != "" {
		m := &markup{}
		m.addTag(`<p class="warn" role="alert">`).addText(wrong).addTag("</p>")
		needForm(m, f)
		return c.respondPage(ctx, 422, "Say what you look for", m), nil
	}
	all, err := c.deps.Needs.Demand(ctx)
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
		return nil, &failure{code: "origin_unavailable", detail: "The queue is full. Try again tomorrow.", retry: 86400}
	}
	now := c.deps.Now()
	if d.DemandID, err = (inquiry.Service{Now: c.deps.Now, Rand: c.deps.Rand}).NewID(exports.PrefixDemand); err != nil {
		return nil, err
	}
	d.ExpiresAt, d.ChangedAt = exports.Instant(now.AddDate(0, 0, needDays)), exports.Instant(now)
	if err := c.deps.Needs.PutDemand(ctx, d); err != nil {
		return nil, err
	}
	m := &markup{}
	m.addTag(`<p class="lead">`).addText("The operator looks at it first. Once it is approved it is public for at most 90 days from today, and then ends by itself. It grants no right and binds nobody.").addTag("</p>")
	m.addTag(`<dl class="facts wide">`).addElement("dt", "Need").addTag("<dd><code>").addText(d.DemandID).addTag("</code></dd>").addElement("dt", "Until").addElement("dd", exports.Moment(d.ExpiresAt)).addTag("</dl>")
	return c.respondPage(ctx, 201, "Your need is with the operator", m), nil
}

// readNeed reads a need out of a form; wrong tells what has to be corrected.
func readNeed(f form, p *caller) (d origin.Demand, wrong string) {
	for _, field := range needFields {
		text := exports.CleanLines(strings.TrimSpace(f.get(field.name)))
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
		if f.get("use_"+use) != "" {
			d.Uses = append(d.Uses, use)
		}
	}
	if len(d.Uses) == 0 {
		return d, "Name at least one use."
	}
	for _, slug := range strings.FieldsFunc(f.get("categories"), func(r rune) bool { return r == ',' || r == ' ' }) {
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

// needForm shows the form again with what was typed.
func needForm(m *markup, f form) {
	m.addTag(`<form class="form" method="post" action="` + exports.PathNeedPage + `">`)
	for _, field := range needFields {
		m.addTag(`<p><label for="` + field.name + `">` + field.label + `</label> <input id="` + field.name + `" name="` + field.name + `" value="`).addText(f.get(field.name)).addTag(`"></p>`)
	}
	m.addTag(`<p><label for="categories">Subjects, with commas between them</label> <input id="categories" name="categories" value="`).addText(f.get("categories")).addTag(`"></p><fieldset><legend>Uses</legend>`)
	for _, use := range exports.UseWords() {
		m.addTag(`<label><input type="checkbox" name="use_` + use + `"`)
		if f.get("use_"+use) != "" {
			m.addTag(" checked")
		}
		m.addTag("> " + strings.ReplaceAll(use, "_", " ") + "</label> ")
	}
	m.addTag(`</fieldset><p class="trap" aria-hidden="true"><label for="website">Leave this empty</label><input id="website" name="website" tabindex="-1" autocomplete="off"></p>`)
	m.addTag(`<p><button type="submit">Send it to the operator</button></p></form>`)
}
