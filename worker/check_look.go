package worker

import (
	"context"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/request"
)

// lookedAt is the identifier of a site that is only looked at.
const lookedAt = "looked-at"

// lookForm is the button that looks at a site which nobody registered, where
// the operator allows that. It is pressed, not followed, so that no link and
// no crawler makes this service reach out.
func (v *checkView) lookForm() (path string, fields []page.Row) {
	if v.call.deps.LookLive == nil {
		return "", nil
	}
	return exports.PathCheckPage, []page.Row{
		{Name: "q", Text: v.box.value}, {Name: "look", Text: "1"}, {Name: "territory", Text: v.q.Territory}, {Name: "user_type", Text: v.q.UserType},
	}
}

// answerLook looks at a page that nobody registered and judges what its own
// channels say, as a rights check would, for this one answer. Nothing of it is
// kept.
func (c *call) answerLook(ctx context.Context, box boxed, asked request.Values) (*edge.Response, error) {
	q, err := c.boxQuestion(box, asked)
	if err != nil {
		return nil, err
	}
	known, err := q.answerQuestion(ctx)
	if err != nil {
		return nil, err
	}
	if len(known.Candidates) > 0 || known.Website != nil {
		resp := &edge.Response{Status: 303}
		resp.Header.Set("location", exports.PathCheckPage+"?q="+string(staticindex.AppendEscaped(nil, box.value))+askedAudience(asked))
		return resp, nil
	}
	if _, err := c.deps.Limits.Count(ctx, c.deps.Limits.CallerKey(c.Remote), []string{"join"}); err != nil {
		return nil, err
	}
	found, ok := c.deps.LookLive(ctx, q.Normalized)
	if !ok {
		return c.fillBox(ctx, asked, 200, []templ.Component{page.NoLook()})
	}
	v := &checkView{call: c, ctx: ctx, q: q, box: box, answer: known}
	part, err := v.looked(found)
	if err != nil {
		return nil, err
	}
	return c.fillBox(ctx, asked, 200, []templ.Component{part})
}

// looked tells what was found at a page that nobody registered.
func (v *checkView) looked(found []origin.Evidence) (templ.Component, error) {
	host, _ := statements.Split(v.q.Normalized)
	now := exports.Instant(v.call.deps.Now())
	site := rights.SiteSnapshot{
		Site:     origin.Site{SiteID: lookedAt, Name: host, State: origin.Approved, Visibility: "public", ApprovedAt: now},
		Websites: []origin.Website{{SiteID: lookedAt, Host: host, Associated: true}},
		Evidence: found,
	}
	doc, _, err := rights.RightsDocumentNow(&site, now)
	if err != nil {
		return nil, err
	}
	v.q.now = v.call.deps.Now()
	v.q.at, v.q.At = v.q.now, now
	standing, _, err := v.q.evaluateResource(v.ctx, doc, rights.Resource{URL: v.q.Normalized})
	if err != nil {
		return nil, err
	}
	return page.Looked(v.verdicts(&standing), exports.Moment(now)), nil
}
