package intake

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"colophon/internal/channel/publisherfile"
	"colophon/internal/channel/statements"
	"colophon/internal/extract"
	"colophon/internal/origin"
)

// Look returns what a page, the answer that it came with and the documents of
// its origin state about rights. It obeys robots.txt and all limits of an
// import. If the page itself is missing, the result has only the origin's
// documents.
func (p *Prover) Look(ctx context.Context, page string) ([]origin.Observation, error) {
	at, err := parseAddress(page, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrUsage, page, err)
	}
	s := &site{id: p.opt.SiteID, home: at, hosts: map[string]bool{at.Host: true}, private: p.fetch.guard.ledToPrivate}
	kept := &memory{}
	watch := newObserver(kept, p.fetch, s, p.opt.Now)
	a, err := watch.fetchPage(ctx, at, p.opt.MaxBytes)
	if err != nil {
		return nil, err
	}
	var said *evidence
	if a != nil {
		s.hosts[a.url.Host] = true
		at = a.url
		said, _ = statedEvidence(a)
	}
	if err := watch.observePage(ctx, at, said); err != nil {
		return nil, err
	}
	file := at.ResolveReference(&url.URL{Path: publisherfile.WellKnown})
	if err := watch.readDocument(ctx, string(statements.PublisherFile), file); err != nil {
		return nil, err
	}
	return kept.list, nil
}

// Channels reads again what the home page of each host of a registered site, the
// answer that it came with and the documents of its origin state about rights.
// home is the address of the site, others are its other hosts, which are asked by the
// same scheme, and known is what was observed of it before. The publisher's own file is
// left to Find.
func (p *Prover) Channels(ctx context.Context, siteID string, home *url.URL, others []string, known []origin.Observation) ([]origin.Observation, error) {
	kept := &memory{}
	s := &site{id: siteID, home: home, hosts: map[string]bool{}, private: p.fetch.guard.ledToPrivate}
	hosts := append([]string{home.Host}, others...)
	for _, host := range hosts {
		s.hosts[host] = true
	}
	watch := newObserver(kept, p.fetch, s, p.opt.Now)
	for _, host := range hosts[:min(len(hosts), maxOrigins)] {
		at := &url.URL{Scheme: home.Scheme, Host: host, Path: "/"}
		a, err := watch.fetchPage(ctx, at, p.opt.MaxBytes)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue // at a private address, which Find reports
		}
		if a == nil || !s.ownsAddress(a.url) && !s.private(a.url) { // its documents may be there without it
			if err := watch.observePage(ctx, at, nil); err != nil {
				return nil, err
			}
			continue
		}
		said, all := statedEvidence(a)
		if err := watch.observePage(ctx, a.url, said); err != nil {
			return nil, err
		}
		if !all {
			continue // what it was known to say may still be there
		}
		if err := watch.observeSilence(ctx, a.url, said, known); err != nil {
			return nil, err
		}
	}
	return kept.list, nil
}

// fetchPage fetches a page. It returns nil for one that is missing, and an error that
// wraps ErrSource for one at a private address.
func (o *observer) fetchPage(ctx context.Context, at *url.URL, limit int64) (*answer, error) {
	a, p := o.fetch.fetchDocument(ctx, request{url: at, accept: acceptPages, limit: limit})
	switch {
	case p == nil:
		return a, nil
	case p.code == "private_address" || ctx.Err() != nil:
		return nil, fmt.Errorf("%w: %w", ErrSource, p)
	}
	return nil, nil
}

// observeSilence takes in that a page which was read says nothing any more in a form in
// which it is known to have spoken.
func (o *observer) observeSilence(ctx context.Context, at *url.URL, said *evidence, known []origin.Observation) error {
	where, p := o.site.registeredAddress(at)
	if p != nil {
		return nil
	}
	for _, form := range []struct{ channel, raw string }{{"aipref_header", said.header}, {"html_meta", said.html}} {
		spoke := func(r origin.Observation) bool {
			return r.Channel == form.channel && r.URL == where && r.Status == http.StatusOK
		}
		if form.raw != "" || !slices.ContainsFunc(known, spoke) {
			continue
		}
		if err := o.putObservation(ctx, form.channel, at, http.StatusNotFound, "", nil, othersFresh/7); err != nil {
			return err
		}
	}
	return nil
}

// statedEvidence returns what a page says about rights, whatever its text and the
// number of its elements. Bytes that look like HTML are read as such under any media
// type. all is false for HTML that cannot be read: it may say more.
func statedEvidence(a *answer) (e *evidence, all bool) {
	e = &evidence{header: rightsFields(a.header)}
	media := a.header.Get("Content-Type")
	if !looksLikeHTML(a.body) && !strings.Contains(media, "html") {
		return e, true
	}
	decoded, err := extract.Decode(a.body, media)
	if err != nil {
		return e, false
	}
	recoverPanic("HTML reader", func() *problem { //nolint:errcheck // all is false then
		doc, err := extract.Parse(decoded.Text, nil)
		if err == nil {
			e.readPage(doc, doc.Base(a.url))
			all = true
		}
		return nil
	})
	return e, all
}

// memory holds the observations of one Look in memory.
type memory struct{ list []origin.Observation }

func (m *memory) Observations(context.Context, string) ([]origin.Observation, error) {
	return m.list, nil
}

func (m *memory) PutObservation(_ context.Context, o origin.Observation) error {
	i, found := slices.BinarySearchFunc(m.list, o, func(a, b origin.Observation) int {
		return strings.Compare(a.Channel+" "+a.URL, b.Channel+" "+b.URL)
	})
	if found {
		m.list[i] = o
		return nil
	}
	m.list = slices.Insert(m.list, i, o)
	return nil
}
