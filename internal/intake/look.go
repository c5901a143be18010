package intake

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"colophon/internal/channel"
	"colophon/internal/channel/publisherfile"
	"colophon/internal/extract"
	"colophon/internal/origin"
)

// Look returns what a page, the answer that it came with and the documents of
// its origin state about rights, without a store. It obeys robots.txt and all
// limits of an import. If the page itself is missing, the result has only the
// origin's documents. It ignores Source and SiteID of opt.
func Look(ctx context.Context, page string, opt Options) ([]origin.Observation, error) {
	opt.SiteID, opt.Source = "looked-at", page
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	at, err := parseAddress(page, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %q: %w", ErrUsage, page, err)
	}
	f := newFetcher(opt)
	defer f.close()
	s := &site{id: opt.SiteID, home: at, hosts: map[string]bool{at.Host: true}, private: f.guard.ledToPrivate}
	kept := &memory{}
	watch := newObserver(kept, f, s, opt.Now)
	var said *evidence
	a, p := f.fetchDocument(ctx, request{url: at, accept: acceptPages, limit: opt.MaxBytes})
	switch {
	case p != nil && (p.code == "private_address" || ctx.Err() != nil):
		return nil, fmt.Errorf("%w: %w", ErrSource, p)
	case p == nil:
		if a.url.Host != at.Host {
			s.hosts[a.url.Host] = true
		}
		at = a.url
		said = statedEvidence(a)
	}
	if err := watch.observePage(ctx, at, said); err != nil {
		return nil, err
	}
	file := at.ResolveReference(&url.URL{Path: publisherfile.WellKnown})
	if err := watch.readDocument(ctx, string(channel.PublisherFile), file); err != nil {
		return nil, err
	}
	return kept.list, nil
}

// statedEvidence returns what a page says about rights, whatever its text.
func statedEvidence(a *answer) *evidence {
	e := &evidence{header: rightsFields(a.header)}
	decoded, err := extract.Decode(a.body, a.header.Get("Content-Type"))
	if err != nil || !looksLikeHTML(a.body) && !strings.Contains(a.header.Get("Content-Type"), "html") {
		return e
	}
	if doc, err := extract.Parse(decoded.Text, nil); err == nil {
		e.takeMeta(readMeta(doc.Root, doc.Schema, doc.UnreadSchema), doc.Base(a.url))
	}
	return e
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
