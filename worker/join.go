package worker

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/edge"
)

// Bounds of the queue of sites that want to join.
const (
	maxJoins   = 1000 // that wait for the operator
	joinDays   = 90   // how long the page of a request can be seen
	prefixJoin = "jn_"
	joinSecret = "jns_"
	joinPolicy = "join"
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
	secret := c.Path[len(exports.PathJoin):]
	switch {
	case c.Method == "POST":
	case c.Method != "GET" && c.Method != "HEAD":
		return nil, notAllowed([]string{"GET", "POST"})
	}
	if c.deps.Joins == nil || c.deps.Rand == nil {
		return nil, unavailableError()
	}
	if secret != "" {
		return c.joinStatus(ctx, secret)
	}
	return c.answerLimited(ctx, c.remoteKey(), []string{joinPolicy}, func() (*edge.Response, error) { return c.joinSend(ctx) })
}

// joinSend puts a site into the queue.
func (c *call) joinSend(ctx context.Context) (*edge.Response, error) {
	f, err := c.parseForm(2 * maxAddress)
	if err != nil {
		return nil, err
	}
	host := exports.HomeHost(f.get("address"))
	if host == "" || len(f.get("address")) > maxAddress || f.get("website") != "" { // the field that people do not see
		m := &markup{}
		m.addTag(`<p class="warn" role="alert">`).addText("That is not the address of a site. Enter its home, such as https://site.example/.").addTag("</p>")
		joinForm(m, f.get("address"))
		return c.respondPage(ctx, 422, "List your site", m), nil
	}
	before, err := c.deps.Joins.JoinsOfHost(ctx, host)
	if err != nil {
		return nil, err
	}
	now := c.deps.Now()
	for i := range before {
		if before[i].State == origin.JoinWaiting && before[i].ExpiresAt > exports.Instant(now) {
			return c.respondPage(ctx, 200, "This site waits already", joinWaits(host)), nil
		}
	}
	waiting, err := c.deps.Joins.JoinsOf(ctx, origin.JoinWaiting, maxJoins)
	if err != nil {
		return nil, err
	}
	if len(waiting) >= maxJoins {
		return nil, &failure{code: "origin_unavailable", detail: "The queue is full. Try again tomorrow.", retry: 86400}
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
	hash := inquiry.Digest(secret)
	list, err := c.deps.Joins.JoinsByLookup(ctx, inquiry.LookupOf(hash))
	if err != nil {
		return nil, err
	}
	for i := range list {
		j := &list[i]
		if !inquiry.Same(j.Hash, hash) || j.ExpiresAt <= exports.Instant(c.deps.Now()) {
			continue
		}
		if c.Method != "POST" || c.deps.LookAt == nil || j.State != origin.JoinWaiting {
			return c.respondPage(ctx, 200, "Listing "+j.Host, c.joinMarkup(j, secret)), nil
		}
		return c.answerLimited(ctx, c.remoteKey(), []string{joinPolicy}, func() (*edge.Response, error) {
			c.look(ctx, j)
			if err := c.deps.Joins.PutJoin(ctx, *j); err != nil {
				return nil, err
			}
			resp := &edge.Response{Status: 303}
			resp.Header.Set("location", exports.PathJoin+secret)
			return resp, nil
		})
	}
	return nil, c.limitRefusal(ctx, newFailure("not_found", ""))
}

func joinForm(m *markup, typed string) {
	m.addTag(`<form class="form" method="post" action="` + exports.PathJoin + `"><p><label for="address">Address of your site</label> `)
	m.addTag(`<input id="address" name="address" required maxlength="2000" placeholder="https://site.example/" value="`).addText(typed).addTag(`"></p>`)
	m.addTag(`<p class="trap" aria-hidden="true"><label for="website">Leave this empty</label><input id="website" name="website" tabindex="-1" autocomplete="off"></p>`)
	m.addTag(`<p><button type="submit">Look at it, and send it to the operator</button></p></form>`)
}

func joinWaits(host string) *markup {
	m := &markup{}
	m.addElement("p", host+" is in the queue of the operator already. The page whose address was shown when it was sent tells how it stands.")
	joinText(m, host)
	return m
}

var joinStates = map[string]string{
	origin.JoinWaiting:  "Waits for the operator. Nothing of it is public.",
	origin.JoinApproved: "Approved. It is public with the next build.",
	origin.JoinDeclined: "Declined.",
}

func (c *call) joinMarkup(j *origin.Join, secret string) *markup {
	m := &markup{}
	m.addTag(`<p class="note">Keep the address of this page: it tells how your request stands until `).addText(exports.Moment(j.ExpiresAt)).addTag(`, and only whoever has it can see it.</p>`)
	m.addTag(`<dl class="facts wide">`).addElement("dt", "Site").addElement("dd", "https://"+j.Host+"/").addElement("dt", "State").addElement("dd", joinStates[j.State])
	if j.Reason != "" {
		m.addElement("dt", "Why").addTag(`<dd dir="auto">`).addLines(exports.CleanLines(j.Reason)).addTag("</dd>")
	}
	if j.SiteID != "" {
		m.addElement("dt", "Publisher").addTag(`<dd><a href="`).addText(exports.PublisherPage(j.SiteID)).addTag(`">`).addText(j.SiteID).addTag("</a></dd>")
	}
	m.addTag("</dl>")
	var found exports.JoinFound
	if j.Found == "" || wire.Decode([]byte(j.Found), &found, wire.Trusted) != nil {
		m.addElement("p", "Nobody has looked at the site yet. The operator's next check does.")
	} else {
		foundMarkup(m, &found)
	}
	if j.State == origin.JoinWaiting {
		if c.deps.LookAt != nil {
			m.addTag(`<form class="form" method="post" action="`).addText(exports.PathJoin + secret).addTag(`"><p><button type="submit" class="plain">Look again</button></p></form>`)
		}
		joinText(m, j.Host)
	}
	return m
}

func foundMarkup(m *markup, f *exports.JoinFound) {
	m.addElement("h2", "What was found").addTag(`<dl class="facts wide">`)
	for _, row := range [][2]string{
		{"Looked at", exports.Moment(f.At)}, {"File", f.Address}, {"It was", f.File}, {"Problem", f.Problem}, {"Proof of the host", f.Control}, {"Name", f.Name},
	} {
		if row[1] != "" {
			m.addElement("dt", row[0]).addTag(`<dd dir="auto">`).addText(exports.CleanLines(row[1])).addTag("</dd>")
		}
	}
	m.addTag("</dl>")
	for _, list := range []struct {
		title string
		lines []string
	}{{"What would be public", f.Public}, {"What your site says already", f.Channels}, {"What is missing", f.Missing}} {
		if len(list.lines) == 0 {
			continue
		}
		m.addElement("h3", list.title).addTag("<ul>")
		for _, line := range list.lines {
			m.addTag(`<li dir="auto">`).addText(exports.CleanLines(line)).addTag("</li>")
		}
		m.addTag("</ul>")
	}
}

// joinText is the exact text to place, and where.
func joinText(m *markup, host string) {
	m.addElement("h2", "What to place on your site")
	m.addElement("p", "Serve this, with your own words, from https://"+host+"/.well-known/colophon-publisher.json:")
	m.addTag("<pre><code>").addText(exports.SmallestFile(host)).addTag("</code></pre>")
	m.addElement("p", "If you cannot serve a file there, keep it elsewhere on the same host over https, and name it in the head of your home page or in DNS:")
	m.addTag("<pre><code>").addText("<link rel=\"colophon-publisher\" href=\"https://" + host + "/publisher.json\">\n").addText("_colophon." + host + ". TXT \"colophon-publisher=https://" + host + "/publisher.json\"\n").addTag("</code></pre>")
	m.addTag(`<p><a href="/developers/list-your-site/">All that the file can say</a></p>`)
}
