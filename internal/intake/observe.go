package intake

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"colophon/internal/channel"
	"colophon/internal/channel/statements"
	"colophon/internal/extract"
	"colophon/internal/origin"
	"colophon/internal/wire"
)

// Limits of one import's observations.
const (
	maxOrigins     = 8  // origins whose site-wide documents are read
	maxLicences    = 12 // RSL documents and policies that others name
	maxAlike       = 3  // pages that say the same
	maxPageRecords = 24
	robotsFresh    = 24 * time.Hour
	othersFresh    = 7 * 24 * time.Hour
)

// observer stores what the site itself states about rights, raw and dated.
type observer struct {
	store    origin.Observations
	fetch    *fetcher
	site     *site
	now      func() time.Time
	origins  map[string]bool
	licences map[string]bool
	alike    map[string]int
	pages    int
	count    int
}

func newObserver(store origin.Observations, f *fetcher, s *site, now func() time.Time) *observer {
	return &observer{store: store, fetch: f, site: s, now: now, origins: map[string]bool{}, licences: map[string]bool{}, alike: map[string]int{}}
}

// wellKnown lists the site-wide documents besides robots.txt.
var wellKnown = []struct{ channel, path string }{
	{"tdmrep", "/.well-known/tdmrep.json"}, {"ai_txt", "/ai.txt"}, {"ai_txt", "/.well-known/ai.txt"}, {"trust_txt", "/trust.txt"}, {"trust_txt", "/.well-known/trust.txt"},
}

// observePage stores what came with a fetched page and, for a new origin, its
// documents.
func (o *observer) observePage(ctx context.Context, at *url.URL, e *evidence) error {
	if err := o.observeOrigin(ctx, at); err != nil || e == nil {
		return err
	}
	for _, r := range []struct{ channel, media, raw string }{{"aipref_header", "message/http", e.header}, {"html_meta", "text/html", e.html}} {
		key := r.channel + " " + r.raw
		if r.raw == "" || o.alike[key] == maxAlike || o.pages == maxPageRecords {
			continue
		}
		o.alike[key]++
		o.pages++
		if err := o.putObservation(ctx, r.channel, at, http.StatusOK, r.media, []byte(r.raw), othersFresh/7); err != nil {
			return err
		}
	}
	for _, link := range e.licences {
		if err := o.observeNamed(ctx, at, "rsl", link); err != nil {
			return err
		}
	}
	return nil
}

func (o *observer) observeOrigin(ctx context.Context, at *url.URL) error {
	name := at.Scheme + "://" + at.Host
	if o.origins[name] || len(o.origins) == maxOrigins || !o.site.ownsAddress(at) && !o.site.private(at) {
		return nil
	}
	o.origins[name] = true
	robots := o.fetch.readRobots(ctx, at)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	where := at.ResolveReference(&url.URL{Path: "/robots.txt"})
	if err := o.keepAnswer(ctx, "robots", where, robots.answer, robotsFresh); err != nil {
		return err
	}
	for _, w := range wellKnown {
		if err := o.readDocument(ctx, w.channel, at.ResolveReference(&url.URL{Path: w.path})); err != nil {
			return err
		}
	}
	return nil
}

// observeNamed reads a document that one at from pointed to, each once. An address
// below the site's home that a private copy states is read from the copy too.
func (o *observer) observeNamed(ctx context.Context, from *url.URL, kind, link string) error {
	at, err := url.Parse(link)
	if err != nil {
		return nil
	}
	at = o.site.copyOf(at, from)
	if o.licences[at.String()] || len(o.licences) == maxLicences {
		return nil
	}
	o.licences[at.String()] = true
	return o.readDocument(ctx, kind, at)
}

// followLinks reads the documents that one names: licences and policies of text and
// data mining.
func (o *observer) followLinks(ctx context.Context, from *url.URL, kind, where, raw string) error {
	r := channel.Parse(statements.Name(kind), channel.Input{URL: where, Body: []byte(raw)})
	for _, l := range r.Links {
		next := map[string]string{"license": "rsl", "tdm-policy": "tdm_policy"}[l.Rel]
		if next == "" {
			continue
		}
		if err := o.observeNamed(ctx, from, next, l.URL); err != nil {
			return err
		}
	}
	return nil
}

// observeFeed stores the RSL in the items of the site's own feed.
func (o *observer) observeFeed(ctx context.Context, a *answer) error {
	if !o.site.ownsAddress(a.url) && !o.site.private(a.url) {
		return nil
	}
	return o.keepAnswer(ctx, "rsl", a.url, a, othersFresh)
}

// readDocument fetches a document; what robots.txt keeps us from leaves no trace.
func (o *observer) readDocument(ctx context.Context, channel string, at *url.URL) error {
	a, p := o.fetch.fetchDocument(ctx, request{url: at, accept: "*/*", limit: maxRaw, truncate: true})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p != nil && p.skip:
		return nil
	case p != nil && strings.HasPrefix(p.code, "http_"):
		status, _ := strconv.Atoi(p.code[len("http_"):])
		a = &answer{status: status, header: http.Header{}}
	case p != nil:
		a = nil
	}
	return o.keepAnswer(ctx, channel, at, a, othersFresh)
}

func (o *observer) keepAnswer(ctx context.Context, channel string, at *url.URL, a *answer, cap time.Duration) error {
	if a == nil {
		return o.putObservation(ctx, channel, at, 0, "", nil, time.Hour)
	}
	body := a.body
	if a.status != http.StatusOK {
		body = nil
	}
	return o.putObservation(ctx, channel, at, a.status, a.header.Get("Content-Type"), body, freshFor(a.header, o.now(), cap))
}

func (o *observer) putObservation(ctx context.Context, kind string, at *url.URL, status int, media string, body []byte, fresh time.Duration) error {
	where, p := o.site.registeredAddress(at)
	if p != nil {
		where = at.String()
	}
	now := o.now()
	raw := extract.CutText(validText(body), maxRaw)
	o.count++
	err := o.store.PutObservation(ctx, origin.Observation{
		SiteID: o.site.id, Channel: kind, URL: where, Status: int64(status), ContentType: extract.CutText(media, 200), Raw: raw,
		SHA256: wire.SHA256Hex([]byte(raw)), FetchedAt: formatInstant(now), ValidUntil: formatInstant(now.Add(fresh)),
	})
	if err != nil || status != http.StatusOK {
		return err
	}
	return o.followLinks(ctx, at, kind, where, raw)
}

// freshFor says how long an answer may be taken for current (RFC 9111,
// section 4.2.1), at most cap; a day when the answer does not say.
func freshFor(h http.Header, now time.Time, cap time.Duration) time.Duration {
	fresh := 24 * time.Hour
	if at, err := http.ParseTime(h.Get("Expires")); err == nil {
		fresh = at.Sub(now)
	}
	for _, d := range strings.Split(strings.ToLower(strings.Join(h.Values("Cache-Control"), ",")), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(d), "=")
		switch name {
		case "no-store", "no-cache":
			return 0
		case "max-age":
			if s, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32); err == nil {
				fresh = time.Duration(s) * time.Second
			}
		}
	}
	return min(max(fresh, 0), cap)
}
