package worker

import (
	"context"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
	"colophon/worker/edge"
)

// lookedAt is the identifier of a site that is only looked at.
const lookedAt = "looked-at"

// lookForm is the button that looks at a site which nobody registered, where
// the operator allows that. It is pressed, not followed, so that no link and
// no crawler makes this service reach out.
func (v *checkView) lookForm() {
	if v.call.deps.LookLive == nil {
		return
	}
	v.addTag(`<form method="post" action="` + exports.PathCheckPage + `">`)
	v.addHiddenField("q", v.box.value).addHiddenField("look", "1").addHiddenField("territory", v.q.Territory).addHiddenField("user_type", v.q.UserType)
	v.addTag(`<p><button type="submit">Look at what the site itself says now</button></p></form>`)
}

// answerLook looks at a page that nobody registered and judges what its own
// channels say, as a rights check would, for this one answer. Nothing of it is
// kept.
func (c *call) answerLook(ctx context.Context, box boxed, asked values) (*edge.Response, error) {
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
	if _, err := c.countCall(ctx, c.remoteKey(), []string{"join"}); err != nil {
		return nil, err
	}
	m := &markup{}
	found, ok := c.deps.LookLive(ctx, q.Normalized)
	if !ok {
		m.addElement("h2", "The site cannot be looked at now")
		m.addTag(`<p>It does not answer, keeps robots out, or too many are looked at at once. <strong>That says nothing about rights.</strong></p>`)
		return c.fillBox(ctx, asked, m, 200)
	}
	v := &checkView{call: c, ctx: ctx, markup: m, q: q, box: box, answer: known}
	if err := v.looked(found); err != nil {
		return nil, err
	}
	return c.fillBox(ctx, asked, m, 200)
}

// looked writes what was found at a page that nobody registered.
func (v *checkView) looked(found []origin.Evidence) error {
	host, _ := statements.Split(v.q.Normalized)
	now := exports.Instant(v.call.deps.Now())
	site := rights.SiteSnapshot{
		Site:     origin.Site{SiteID: lookedAt, Name: host, State: origin.Approved, Visibility: "public", ApprovedAt: now},
		Websites: []origin.Website{{SiteID: lookedAt, Host: host, Associated: true}},
		Evidence: found,
	}
	doc, _, err := rights.RightsDocumentNow(&site, now)
	if err != nil {
		return err
	}
	v.q.now = v.call.deps.Now()
	v.q.at, v.q.At = v.q.now, now
	standing, _, err := v.q.evaluateResource(v.ctx, doc, rights.Resource{URL: v.q.Normalized})
	if err != nil {
		return err
	}
	v.addElement("h2", "Nobody registered this address")
	v.addTag("<p>Its own site was looked at just now. What follows is what it states to everybody, judged as a rights check judges it. Nobody here vouches for it, it is not kept, and <strong>it is no permission</strong>.</p>")
	v.summary(&standing)
	v.addTag(`<ul class="uses">`)
	for i := range standing.Uses {
		v.use(&standing.Uses[i], &standing)
	}
	v.addTag("</ul>")
	v.conflicts(&standing)
	v.evidence(&standing)
	v.addTag(`<p class="note">Looked at `).addText(exports.Moment(now)).addTag(`. Programs are told only that nobody registered it. Is it your site? <a href="/developers/list-your-site/">List it here</a>, and this page answers for it.</p>`)
	return nil
}
