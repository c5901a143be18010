package web

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/request"
)

// RequestPage answers with the request form, filled in from the link to it: the
// resource and the use that the inquiry is about, and who asks from where.
func (s *Service) RequestPage(ctx context.Context, c *request.Call) (*edge.Response, error) {
	asked, err := request.ParseQuestion(c.Query, "resource", "use", "territory", "user_type")
	if err != nil {
		return nil, err
	}
	use, _, _ := exports.ParseUse(asked.Get("use"))
	typed := content.Filled{Typed: request.Values{
		{"requested_scope", prose.Clean(asked.Get("resource"), 2000)}, {"requested_use", string(use)}, {"message", audienceLine(asked)},
	}}
	form := s.Pages.RequestForm(ctx, c.Params["site_id"], typed)
	if form == nil {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	return s.Pages.Answer(ctx, c, 200, c.Path, form)
}

// audienceLine returns the beginning of a message that says who asks and from
// where, as far as the question says so in words that the rights check knows.
func audienceLine(asked request.Values) string {
	a := exports.AudienceVerdict{}
	if u := asked.Get("user_type"); slices.Contains(exports.UserTypes, u) {
		a.UserTypes = []string{u}
	}
	if t := asked.Get("territory"); len(t) == 2 && request.OnlyBetween(t, 'A', 'Z') {
		a.Territories = []string{t}
	}
	switch {
	case a.UserTypes != nil:
		return "We ask as " + prose.AudienceWords(&a) + ".\n"
	case a.Territories != nil:
		return "We ask from " + strings.TrimPrefix(prose.AudienceWords(&a), "anybody in ") + ".\n"
	}
	return ""
}
