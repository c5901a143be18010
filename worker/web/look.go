package web

import (
	"context"

	"github.com/a-h/templ"

	"colophon/exports"
	"colophon/internal/channel/statements"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/internal/rights"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/request"
)

// lookedAt is the identifier given to a site that is not registered.
const lookedAt = "looked-at"

// lookForm returns the button that looks at an unregistered site, if the
// operator allows that. It is a button rather than a link, so that no link and
// no crawler makes this service fetch anything.
func (v *checkView) lookForm() (path string, fields []page.Row) {
	if v.service.Unregistered == nil {
		return "", nil
	}
	return exports.PathCheckPage, []page.Row{
		{Name: "q", Text: v.box.value}, {Name: "look", Text: "1"}, {Name: "territory", Text: v.answer.Query.Territory}, {Name: "user_type", Text: v.answer.Query.UserType},
	}
}

// answerLook looks at an unregistered page and evaluates what its own channels
// say, as a rights check would, for this one answer. Nothing is stored.
func (s *Service) answerLook(ctx context.Context, c *request.Call, box boxed, asked request.Values) (*edge.Response, error) {
	q, err := s.boxQuestion(c, box, asked)
	if err != nil {
		return nil, err
	}
	known, err := s.Rights.Answer(ctx, q)
	if err != nil {
		return nil, err
	}
	if len(known.Candidates) > 0 || known.Website != nil {
		return request.SeeOther(checkPath(box.value, asked)), nil
	}
	if _, err := s.Limits.Count(ctx, s.Limits.CallerKey(c.Remote), []string{"join"}); err != nil {
		return nil, err
	}
	found, ok := s.Unregistered(ctx, q.Normalized)
	if !ok {
		return s.fillBox(ctx, c, asked, 200, []templ.Component{page.NoLook()})
	}
	v := &checkView{service: s, ctx: ctx, box: box, answer: known, now: s.Now()}
	part, err := v.looked(found)
	if err != nil {
		return nil, err
	}
	return s.fillBox(ctx, c, asked, 200, []templ.Component{part})
}

// looked shows what was found at an unregistered page.
func (v *checkView) looked(found []origin.Evidence) (templ.Component, error) {
	host, _ := statements.Split(v.answer.Query.Normalized)
	now := exports.Instant(v.now)
	site := rights.SiteSnapshot{
		Site:     origin.Site{SiteID: lookedAt, Name: host, State: origin.Approved, Visibility: "public", ApprovedAt: now},
		Websites: []origin.Website{{SiteID: lookedAt, Host: host, Associated: true}},
		Evidence: found,
	}
	doc, _, err := rights.RightsDocumentNow(&site, now)
	if err != nil {
		return nil, err
	}
	q := &v.answer.Query
	resource := rights.Resource{URL: q.Normalized}
	verdict := doc.Evaluate(resource, rights.Question{UserType: q.UserType, Territory: q.Territory, Agent: q.Agent, At: v.now.Unix()}, nil, false)
	addResource := verdict.ResourceRights(resource, q.Uses, false)
	return page.Looked(v.verdicts(&addResource), prose.Moment(now)), nil
}
