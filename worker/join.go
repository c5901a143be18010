package worker

import (
	"cmp"
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/staticindex"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/page"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// Bounds of the queue of sites that want to join.
const (
	maxJoins   = 1000 // that wait for the operator
	joinDays   = 90   // how long the page of a request can be seen
	prefixJoin = "jn_"
	joinSecret = "jns_"
	maxAddress = 2000
)

// joinPage takes an address, and shows how a request to join stands:
//
//	POST /join/            a request, answered with the address of its page
//	GET  /join/<secret>    what was found, what is missing, and the text to place
//	POST /join/<secret>    look again
//
// Nothing of a request is public. Where this program can reach the network by
// itself the look is made at once, else by the operator's "join check".
func joinPage(ctx context.Context, c *call) (*edge.Response, error) {
	switch c.Method {
	case "GET", "HEAD", "POST":
	default:
		return nil, request.NotAllowed([]string{"GET", "POST"})
	}
	if c.deps.Joins == nil || c.deps.Rand == nil {
		return nil, problem.Unavailable()
	}
	if secret := c.Params["link"]; secret != "" {
		return c.joinStatus(ctx, secret)
	}
	return c.deps.Limits.Answer(ctx, c.deps.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) { return c.joinSend(ctx) })
}

// joinSend puts a site into the queue.
func (c *call) joinSend(ctx context.Context) (*edge.Response, error) {
	f, err := c.ParseForm(2 * maxAddress)
	if err != nil {
		return nil, err
	}
	host := exports.HomeHost(f.Get("address"))
	if host == "" || len(f.Get("address")) > maxAddress || f.Get("website") != "" { // the field that people do not see
		again := page.JoinForm(exports.PathJoin, f.Get("address"))
		return c.respondPage(ctx, 422, "List your site", again), nil
	}
	before, err := c.deps.Joins.JoinsOfHost(ctx, host)
	if err != nil {
		return nil, err
	}
	now := c.deps.Now()
	for i := range before {
		if before[i].State == origin.JoinWaiting && before[i].ExpiresAt > exports.Instant(now) {
			waits := page.JoinWaits(host, joinText(host, host))
			return c.respondPage(ctx, 200, "This site waits already", waits), nil
		}
	}
	waiting, err := c.deps.Joins.JoinsOf(ctx, origin.JoinWaiting, maxJoins)
	if err != nil {
		return nil, err
	}
	if len(waiting) >= maxJoins {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "The queue is full. Try again tomorrow.", Retry: 86400}
	}
	j, secret, err := c.newJoin(host, now)
	if err != nil {
		return nil, err
	}
	c.look(ctx, &j)
	if err := c.deps.Joins.PutJoin(ctx, j); err != nil {
		return nil, err
	}
	resp := &edge.Response{Status: 303}
	resp.Header.Set("location", exports.PathJoin+secret)
	return resp, nil
}

func (c *call) newJoin(host string, now time.Time) (origin.Join, string, error) {
	secret, lookup, hash, err := inquiry.NewSecret(c.deps.Rand, joinSecret)
	if err != nil {
		return origin.Join{}, "", err
	}
	id, err := inquiry.Service{Now: c.deps.Now, Rand: c.deps.Rand}.NewID(prefixJoin)
	at := exports.Instant(now)
	return origin.Join{
		JoinID: id, Host: host, State: origin.JoinWaiting, Lookup: lookup, Hash: hash, CreatedAt: at, ChangedAt: at,
		ExpiresAt: exports.Instant(now.AddDate(0, 0, joinDays)),
	}, secret, err
}

// look fills in what is found at the site, where this program may look.
func (c *call) look(ctx context.Context, j *origin.Join) {
	if c.deps.LookAt == nil {
		return
	}
	found, ok := c.deps.LookAt(ctx, j.Host)
	if ok {
		j.Found = string(wire.Append(nil, &found))
		j.LookedAt = found.At
		j.ChangedAt = found.At
	}
}

// joinStatus shows how a request stands. An address that is wrong or expired
// is answered like one at which there is nothing.
func (c *call) joinStatus(ctx context.Context, secret string) (*edge.Response, error) {
	j, err := c.deps.auth.Join(ctx, secret)
	if err != nil {
		return nil, c.deps.Limits.Refuse(ctx, c.Remote, err)
	}
	if c.Method != "POST" || c.deps.LookAt == nil || j.State != origin.JoinWaiting {
		return c.respondPage(ctx, 200, "Listing "+j.Host, page.Join(c.joinPage(j, secret))), nil
	}
	return c.deps.Limits.Answer(ctx, c.deps.Limits.CallerKey(c.Remote), []string{c.Endpoint.Limits}, func() (*edge.Response, error) {
		c.look(ctx, j)
		if err := c.deps.Joins.PutJoin(ctx, *j); err != nil {
			return nil, err
		}
		resp := &edge.Response{Status: 303}
		resp.Header.Set("location", exports.PathJoin+secret)
		return resp, nil
	})
}

var joinStates = map[string]string{
	origin.JoinWaiting:  "Waits for the operator. Nothing of it is public.",
	origin.JoinApproved: "Approved. It is public with the next build.",
	origin.JoinDeclined: "Declined.",
}

func (c *call) joinPage(j *origin.Join, secret string) page.JoinPage {
	v := page.JoinPage{
		Until: exports.Moment(j.ExpiresAt), Host: j.Host, State: joinStates[j.State], Reason: exports.CleanLines(j.Reason),
		SiteID: j.SiteID, PublisherPath: exports.PublisherPage(j.SiteID),
	}
	var found exports.JoinFound
	if j.Found != "" && wire.Decode([]byte(j.Found), &found, wire.Trusted) == nil {
		v.Found = joinFound(&found)
	}
	if j.State != origin.JoinWaiting {
		return v
	}
	place := joinText(j.Host, cmp.Or(exports.Clean(found.Name, 120), j.Host))
	v.Place = &place
	if c.deps.LookAt != nil {
		v.LookAgain = exports.PathJoin + secret
	}
	return v
}

// joinFound is what was found, without what is empty.
func joinFound(f *exports.JoinFound) *page.JoinFound {
	var v page.JoinFound
	for _, row := range []page.Row{
		{Name: "Looked at", Text: exports.Moment(f.At)}, {Name: "File", Text: f.Address}, {Name: "It was", Text: f.File},
		{Name: "Problem", Text: f.Problem}, {Name: "Proof of the host", Text: f.Control}, {Name: "Name", Text: f.Name},
	} {
		if row.Text != "" {
			v.Rows = append(v.Rows, page.Row{Name: row.Name, Text: exports.CleanLines(row.Text)})
		}
	}
	for _, list := range []page.List{
		{Title: "What would be public", Lines: f.Public}, {Title: "What your site says already", Lines: f.Channels}, {Title: "What is missing", Lines: f.Missing},
	} {
		if len(list.Lines) == 0 {
			continue
		}
		shown := page.List{Title: list.Title}
		for _, line := range list.Lines {
			shown.Lines = append(shown.Lines, exports.CleanLines(line))
		}
		v.Lists = append(v.Lists, shown)
	}
	return &v
}

// joinText is the exact text to place for a site of this name, where, and the
// address of the editor that begins with it. What stands after "#" is sent to
// no server.
func joinText(host, name string) page.JoinText {
	file := exports.SmallestFile(name)
	home := "https://" + host + "/"
	return page.JoinText{
		Home: home, File: file, Editor: exports.PathEditor + "#file=" + string(staticindex.AppendEscaped(nil, file)),
		Records: "<link rel=\"colophon-publisher\" href=\"" + home + "publisher.json\">\n_colophon." + host + ". TXT \"colophon-publisher=" + home + "publisher.json\"\n",
	}
}
