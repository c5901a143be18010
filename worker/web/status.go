package web

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
	"colophon/worker/shell"
)

// Status shows the state of the service.
type Status struct {
	Pages    *shell.Pages
	Sites    origin.SiteReader // nil if there is no origin
	Requests Requests          // nil: none are kept
	Joins    Joins             // nil: none are kept
	Now      func() time.Time
}

// Requests counts inquiries.
type Requests interface {
	// CountRequests counts those of a filter.
	CountRequests(ctx context.Context, f origin.RequestFilter) (int64, error)
}

// Joins lists requests to join.
type Joins interface {
	// JoinsOf returns those in a state, at most so many.
	JoinsOf(ctx context.Context, state string, most int64) ([]origin.Join, error)
}

// mostWaiting is up to how many waiting sites are counted.
const mostWaiting = 100

// Page answers with the page of the service's state and its present figures: the
// age of the release, whether the origin answers, and how much waits for the
// operator. Without a release it answers with what is published.
func (s *Status) Page(ctx context.Context, c *request.Call) (*edge.Response, error) {
	stats, err := s.Pages.Files.ReadStats(ctx)
	if err != nil {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	now := s.Now()
	var rows []page.Row
	if at, ok := exports.ParseInstant(stats.Catalog.GeneratedAt); ok {
		rows = append(rows, page.Row{Name: "Age of the release", Text: "Last change " + ageWords(now.Sub(at)) + " ago"})
	}
	rows = append(rows, page.Row{Name: "Rights checks", Text: s.checkWords(ctx)})
	rows = append(rows, s.waiting(ctx)...)
	rows = append(rows, page.Row{Name: "Asked at", Text: prose.Moment(exports.Instant(now))})
	resp, err := s.Pages.Answer(ctx, c, 200, exports.PathStatusPage, content.Status(&stats, page.Facts(rows)))
	if err != nil {
		return s.Pages.Files.Serve(ctx, c.Request, nil)
	}
	return resp, nil
}

// ageWords returns a duration in words: minutes, hours or days.
func ageWords(d time.Duration) string {
	switch minutes := max(0, int64(d/time.Minute)); {
	case minutes < 120:
		return prose.Counted(minutes, "minute", "minutes")
	case minutes < 48*60:
		return prose.Counted(minutes/60, "hour", "hours")
	default:
		return prose.Counted(minutes/60/24, "day", "days")
	}
}

// checkWords says from what rights checks are answered now.
func (s *Status) checkWords(ctx context.Context) string {
	if s.Sites == nil {
		return "answered from published files; this service has no registry"
	}
	if _, err := s.Sites.Site(ctx, "status"); err != nil && problem.Of(err) != nil {
		return "answered from published files, because the registry cannot be reached"
	}
	return "answered live from the registry"
}

// waiting returns what waits for the operator, in words, or nil if it cannot be
// counted.
func (s *Status) waiting(ctx context.Context) []page.Row {
	var out []page.Row
	if s.Requests != nil {
		held, err := s.Requests.CountRequests(ctx, origin.RequestFilter{States: []string{string(inquiry.Received), string(inquiry.Held)}})
		if err == nil {
			out = append(out, page.Row{Name: "Inquiries held for review", Text: prose.Count(held)})
		}
	}
	if s.Joins != nil {
		list, err := s.Joins.JoinsOf(ctx, origin.JoinWaiting, mostWaiting)
		if n := int64(len(list)); err == nil && n < mostWaiting {
			out = append(out, page.Row{Name: "Sites that asked to be listed", Text: prose.Count(n)})
		} else if err == nil {
			out = append(out, page.Row{Name: "Sites that asked to be listed", Text: prose.Count(n) + " or more"})
		}
	}
	return out
}
