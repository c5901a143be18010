package joining

import (
	"cmp"
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/prose"
	"colophon/internal/wire"
	"colophon/templates/content"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Bounds of the queue of sites that ask to be listed.
const (
	maxJoins   = 1000 // that wait for the operator
	joinDays   = 90   // how long the page of a request can be seen
	prefixJoin = "jn_"
	maxAddress = 2000
)

// Join accepts an address, and shows the state of a request to join:
//
//	POST /join/            a request, answered with the address of its page
//	GET  /join/<secret>    what was found, what is missing, and the text to place
//	POST /join/<secret>    look again
//
// No part of a request is public. If this program has direct network access, it
// looks at the site at once; otherwise the operator does so with "join check".
func (s *Service) Join(ctx context.Context, c *request.Call) (*edge.Response, error) {
	if s.Joins == nil || s.Rand == nil {
		return nil, problem.Unavailable()
	}
	if secret := c.Params["link"]; secret != "" {
		return s.joinStatus(ctx, c, secret)
	}
	return s.Limits.Answer(ctx, s.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return s.joinSend(ctx, c) })
}

// joinSend puts a site into the queue.
func (s *Service) joinSend(ctx context.Context, c *request.Call) (*edge.Response, error) {
	f, err := c.ParseForm(2 * maxAddress)
	if err != nil {
		return nil, err
	}
	host := exports.HomeHost(f.Get("address"))
	if host == "" || len(f.Get("address")) > maxAddress || f.Get("website") != "" { // the field that people do not see
		fault := &content.Fault{Lead: "That is not the address of a site. Enter its home, such as https://site.example/."}
		return s.Pages.Answer(ctx, c, 422, exports.PathJoin, content.Join(content.Filled{Typed: f, Fault: fault}))
	}
	before, err := s.Joins.JoinsOfHost(ctx, host)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	for i := range before {
		if before[i].State == origin.JoinWaiting && before[i].ExpiresAt > exports.Instant(now) {
			waits := page.JoinWaits(host, joinText(host, host))
			return s.Pages.Respond(ctx, 200, "This site is already waiting", waits), nil
		}
	}
	waiting, err := s.Joins.JoinsOf(ctx, origin.JoinWaiting, maxJoins)
	if err != nil {
		return nil, err
	}
	if len(waiting) >= maxJoins {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "The queue is full. Try again tomorrow.", Retry: 86400}
	}
	j, secret, err := s.newJoin(host, now)
	if err != nil {
		return nil, err
	}
	s.look(ctx, &j)
	if err := s.Joins.PutJoin(ctx, j); err != nil {
		return nil, err
	}
	return request.SeeOther(exports.PathJoin + secret), nil
}

func (s *Service) newJoin(host string, now time.Time) (origin.Join, string, error) {
	c, secret, err := credential.Join.Issue(s.Rand, "", now, joinDays)
	if err != nil {
		return origin.Join{}, "", err
	}
	id, err := inquiry.Service{Now: s.Now, Rand: s.Rand}.NewID(prefixJoin)
	return origin.Join{
		JoinID: id, Host: host, State: origin.JoinWaiting, Lookup: c.Lookup, Hash: c.Hash, CreatedAt: c.CreatedAt, ChangedAt: c.ChangedAt, ExpiresAt: c.ExpiresAt,
	}, secret, err
}

// look adds what is found at the site, if this program may look.
func (s *Service) look(ctx context.Context, j *origin.Join) {
	if s.Look == nil {
		return
	}
	found, ok := s.Look(ctx, j.Host)
	if ok {
		j.Found = string(wire.Append(nil, &found))
		j.LookedAt = found.At
		j.ChangedAt = found.At
	}
}

// joinStatus shows the state of a request. A wrong or expired address is
// answered like one at which there is nothing.
func (s *Service) joinStatus(ctx context.Context, c *request.Call, secret string) (*edge.Response, error) {
	j, err := s.Keys.Join(ctx, secret)
	if err != nil {
		return nil, s.Limits.Refuse(ctx, c.Remote, err)
	}
	if c.Method != "POST" || s.Look == nil || j.State != origin.JoinWaiting {
		return s.Pages.Respond(ctx, 200, "Listing "+j.Host, page.Join(s.joinPage(j, secret))), nil
	}
	return s.Limits.Answer(ctx, s.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) {
		s.look(ctx, j)
		if err := s.Joins.PutJoin(ctx, *j); err != nil {
			return nil, err
		}
		return request.SeeOther(exports.PathJoin + secret), nil
	})
}

var joinStates = map[string]string{
	origin.JoinWaiting:  "Waiting for the operator. Nothing is public yet.",
	origin.JoinApproved: "Approved. It is public with the next build.",
	origin.JoinDeclined: "Declined.",
}

func (s *Service) joinPage(j *origin.Join, secret string) page.JoinPage {
	v := page.JoinPage{
		Until: prose.Moment(j.ExpiresAt), Host: j.Host, State: joinStates[j.State], Reason: prose.CleanLines(j.Reason),
		SiteID: j.SiteID, PublisherPath: exports.PublisherPage(j.SiteID),
	}
	var found exports.JoinFound
	if j.Found != "" && wire.Decode([]byte(j.Found), &found, wire.Trusted) == nil {
		v.Found = joinFound(&found)
	}
	if j.State != origin.JoinWaiting {
		return v
	}
	place := joinText(j.Host, cmp.Or(prose.Clean(found.Name, 120), j.Host))
	v.Place = &place
	if s.Look != nil {
		v.LookAgain = exports.PathJoin + secret
	}
	return v
}

// joinFound returns what was found, without what is empty.
func joinFound(f *exports.JoinFound) *page.JoinFound {
	var v page.JoinFound
	for _, row := range []page.Row{
		{Name: "Looked at", Text: prose.Moment(f.At)}, {Name: "File", Text: f.Address}, {Name: "It was", Text: f.File},
		{Name: "Problem", Text: f.Problem}, {Name: "Proof of the host", Text: f.Control}, {Name: "Name", Text: f.Name},
	} {
		if row.Text != "" {
			v.Rows = append(v.Rows, page.Row{Name: row.Name, Text: prose.CleanLines(row.Text)})
		}
	}
	for _, list := range []page.List{
		{Title: "What would be public", Lines: f.Public}, {Title: "What your site says already", Lines: f.Channels}, {Title: "What is missing", Lines: f.Missing},
	} {
		if len(list.Lines) == 0 {
			continue
		}
		view := page.List{Title: list.Title}
		for _, line := range list.Lines {
			view.Lines = append(view.Lines, prose.CleanLines(line))
		}
		v.Lists = append(v.Lists, view)
	}
	return &v
}

// joinText returns the exact text to place for a site with this name, where to
// place it, and the address of the editor filled in with it. The part after "#"
// is never sent to a server.
func joinText(host, name string) page.JoinText {
	file := exports.SmallestFile(name)
	home := "https://" + host + "/"
	return page.JoinText{
		Home: home, File: file, Editor: exports.PathEditor + "#file=" + exports.EscapeQuery(file, "*"),
		Records: "<link rel=\"colophon-publisher\" href=\"" + home + "publisher.json\">\n_colophon." + host + ". TXT \"colophon-publisher=" + home + "publisher.json\"\n",
	}
}
