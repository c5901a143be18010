package worker

import (
	"bytes"
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// mostWaiting is up to how many sites that wait are counted.
const mostWaiting = 100

// statusPage is the published page of the state with what holds at this moment:
// the age of the release, whether the origin answers, and what waits for the
// operator. It tells numbers only.
func statusPage(ctx context.Context, c *call) (*edge.Response, error) {
	shell, err := c.deps.Assets.Read(ctx, string(exports.KeyOf(exports.PathStatusShell)))
	if err != nil {
		return c.deps.serveFile(ctx, c.Request, nil)
	}
	now := c.deps.Now()
	var rows []page.Row
	if words := c.releaseAge(ctx, now); words != "" {
		rows = append(rows, page.Row{Name: "Age of the release", Text: words})
	}
	rows = append(rows, page.Row{Name: "Rights checks", Text: c.liveWords(ctx)})
	rows = append(rows, c.waiting(ctx)...)
	rows = append(rows, page.Row{Name: "Asked at", Text: exports.Moment(exports.Instant(now))})
	facts := page.Append(nil, page.Facts(rows))
	resp := &edge.Response{Status: 200, Body: bytes.Replace(shell, []byte(exports.SlotMain), facts, 1)}
	resp.Header.Set("content-type", exports.MediaHTML)
	resp.Header.Set("cache-control", c.Endpoint.Cache)
	return request.AddValidators(c.Request, resp, request.EntityTag(resp.Body)), nil
}

// releaseAge is how long ago the last change was that the release holds, ""
// when nothing is published.
func (c *call) releaseAge(ctx context.Context, now time.Time) string {
	totals, err := published{c.deps.Assets}.readValue(ctx, exports.PathStats)
	if err != nil {
		return ""
	}
	v := totals.Get("generated_at")
	if v == nil {
		return ""
	}
	text, _ := v.Str()
	at, ok := exports.ParseInstant(text)
	if !ok {
		return ""
	}
	return "Last change " + ageWords(now.Sub(at)) + " ago"
}

// ageWords is a span in words: minutes, hours or days.
func ageWords(d time.Duration) string {
	switch minutes := max(0, int64(d/time.Minute)); {
	case minutes < 120:
		return exports.Counted(minutes, "minute", "minutes")
	case minutes < 48*60:
		return exports.Counted(minutes/60, "hour", "hours")
	default:
		return exports.Counted(minutes/60/24, "day", "days")
	}
}

// liveWords tells from what rights checks are answered now.
func (c *call) liveWords(ctx context.Context) string {
	if c.deps.Sites == nil {
		return "answered from what was published; this service has no registry behind it"
	}
	if _, err := c.deps.Sites.Site(ctx, "status"); err != nil && problem.Of(err) != nil {
		return "answered from what was published, because the registry is away"
	}
	return "answered live from the registry"
}

// waiting is what waits for the operator, in words; nil where it cannot be
// counted.
func (c *call) waiting(ctx context.Context) []page.Row {
	var out []page.Row
	if c.deps.Inquiries != nil {
		held, err := c.deps.Inquiries.CountRequests(ctx, origin.RequestFilter{States: []string{string(inquiry.Received), string(inquiry.Held)}})
		if err == nil {
			out = append(out, page.Row{Name: "Inquiries held for review", Text: exports.Count(held)})
		}
	}
	if c.deps.Joins != nil {
		list, err := c.deps.Joins.JoinsOf(ctx, origin.JoinWaiting, mostWaiting)
		if n := int64(len(list)); err == nil && n < mostWaiting {
			out = append(out, page.Row{Name: "Sites that asked to be listed", Text: exports.Count(n)})
		} else if err == nil {
			out = append(out, page.Row{Name: "Sites that asked to be listed", Text: exports.Count(n) + " or more"})
		}
	}
	return out
}
