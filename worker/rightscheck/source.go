package rightscheck

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/files"
)

// originSource answers from the origin, from which it reads everything that its
// questions are about at once.
type originSource struct {
	rights origin.Rights
	pages  map[string][]origin.Page      // by each of their keys: no two kinds of key look alike
	hosts  map[string][]string           // sites of the hosts that were read
	sites  map[string]*origin.SiteRights // by site id
}

func newOriginSource(rights origin.Rights) *originSource {
	return &originSource{rights, map[string][]origin.Page{}, map[string][]string{}, map[string]*origin.SiteRights{}}
}

// readQuestion reads everything that one question is about, in one statement.
func readQuestion(ctx context.Context, rights origin.Rights, q *Question) (*originSource, error) {
	l := newOriginSource(rights)
	ask := origin.RightsLookup{At: q.At, Past: q.past}
	switch q.Key {
	case "site_id":
		ask.SiteID = q.Normalized
	case "url":
		ask.URL, ask.SamePage, ask.Host = q.Normalized, urlkey.SamePage(q.Normalized), urlkey.HostOf(q.Normalized)
	case "fingerprint":
		ask.Fingerprint = q.Normalized
	default:
		ask.EntryID = q.Normalized
	}
	return l, l.readFacts(ctx, ask)
}

// readFacts adds what a lookup finds. If it finds no page, its sites are those
// of the host.
func (l *originSource) readFacts(ctx context.Context, ask origin.RightsLookup) error {
	found, err := l.rights.RightsFacts(ctx, ask)
	if err != nil {
		return err
	}
	for i := range found.Pages {
		l.addPage(&found.Pages[i])
	}
	ids := make([]string, len(found.Sites))
	for i := range found.Sites {
		ids[i] = found.Sites[i].Site.SiteID
		l.sites[ids[i]] = &found.Sites[i]
	}
	if ask.Host != "" && len(found.Pages) == 0 {
		l.hosts[ask.Host] = ids
	}
	return nil
}

// addPage adds a page under each of its keys.
func (l *originSource) addPage(p *origin.Page) {
	keys := []string{p.CanonicalURL, p.EntryID}
	if p.Portable != "" {
		keys = append(keys, p.Portable)
	}
	if p.Registry != "" && p.Registry != p.Portable {
		keys = append(keys, p.Registry)
	}
	for _, key := range keys {
		l.pages[key] = append(l.pages[key], *p)
	}
}

// findResources returns pages with exactly the key first, then the others, each
// ordered by entry id.
func (l *originSource) findResources(_ context.Context, q *Question) ([]match, error) {
	if q.Key == "site_id" {
		return []match{{siteID: q.Normalized, basis: "site_id"}}, nil
	}
	found := matchPages(q, l.pages[q.Normalized])
	if q.Key == "url" {
		var same []origin.Page
		for _, key := range urlkey.SamePage(q.Normalized) {
			same = append(same, l.pages[key]...)
		}
		found = append(found, matchPages(q, same)...)
	}
	return found[:min(len(found), maxCandidates)], nil
}

// matchPages returns pages of the origin as matches, ordered by entry id.
func matchPages(q *Question, pages []origin.Page) []match {
	out := make([]match, len(pages))
	for i := range pages {
		p := &pages[i]
		out[i] = match{Resource: rights.ResourceOf(p), siteID: p.SiteID, basis: foundBy(q, p)}
		if out[i].State == rights.EntryWithdrawn {
			out[i].successor, out[i].successorURL = p.Successor, p.SuccessorURL
		}
	}
	slices.SortFunc(out, func(a, b match) int { return strings.Compare(a.EntryID, b.EntryID) })
	return out
}

func foundBy(q *Question, p *origin.Page) string {
	switch {
	case q.Key == "url" && p.CanonicalURL == q.Normalized:
		return exports.BasisURL
	case q.Key == "url":
		return exports.BasisSamePage
	case q.Key == "entry_id":
		return exports.BasisEntry
	case q.Normalized == p.Portable:
		return exports.BasisPortable
	}
	return exports.BasisRegistry
}

func (l *originSource) siteDocument(_ context.Context, q *Question, siteID string) (*rights.RightsDocument, error) {
	if x := l.sites[siteID]; x != nil {
		return documentOf(x, q)
	}
	return nil, nil
}

func documentOf(x *origin.SiteRights, q *Question) (*rights.RightsDocument, error) {
	if s, gone := rights.ClosedDocument(&x.Site); gone {
		return s, nil
	}
	if !rights.Public(x.Site) {
		return nil, nil
	}
	f := rights.SiteSnapshot{
		Site: x.Site, Preferences: x.Preferences, Passports: x.Passports, Offers: x.Offers, Evidence: x.Evidence, Policies: x.Policies,
	}
	if q.past {
		s, _, err := rights.RightsDocumentAt(&f, q.At)
		return s, err
	}
	s, _, err := rights.RightsDocumentNow(&f, q.At)
	return s, err
}

// sitesOf reads the sites of a host that has not been read yet.
func (l *originSource) sitesOf(ctx context.Context, q *Question, host string) ([]string, error) {
	if _, read := l.hosts[host]; !read {
		if err := l.readFacts(ctx, origin.RightsLookup{Host: host, At: q.At, Past: q.past}); err != nil {
			return nil, err
		}
	}
	return l.hosts[host], nil
}

// publishedSource reads published files.
type publishedSource struct {
	catalog Catalog
	files   *files.Service
}

func (s *Service) published() publishedSource { return publishedSource{s.Catalog, s.Files} }

func (s publishedSource) findResources(ctx context.Context, q *Question) ([]match, error) {
	if q.Key == "site_id" {
		return []match{{siteID: q.Normalized, basis: "site_id"}}, nil
	}
	l := lookup.Query{}
	switch q.Key {
	case "url":
		l.URL = q.Normalized
	case "fingerprint":
		l.Fingerprint = q.Normalized
	default:
		l.EntryID = q.Normalized
	}
	f, err := s.catalog.Find(ctx, l)
	if err != nil {
		return nil, err
	}
	var out []match
	for i := range f.Candidates[:min(len(f.Candidates), maxCandidates)] {
		x := &f.Candidates[i]
		r := rights.Resource{EntryID: x.EntryID, URL: x.CanonicalURL, ContentFormat: x.ContentFormat, PublishedAt: x.PublishedAt}
		if x.Withdrawn {
			r.State = rights.EntryWithdrawn
		}
		out = append(out, match{Resource: r, siteID: x.SiteID, basis: x.Basis, successor: x.Successor, successorURL: x.SuccessorURL})
	}
	return out, nil
}

func (s publishedSource) siteDocument(ctx context.Context, _ *Question, siteID string) (*rights.RightsDocument, error) {
	body, err := s.files.Read(ctx, string(exports.RightsDocumentKey(siteID)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	doc := new(rights.RightsDocument)
	return doc, wire.Decode(body, doc, wire.Trusted)
}

func (s publishedSource) sitesOf(ctx context.Context, q *Question, host string) ([]string, error) {
	list, err := s.files.ListPublishers(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for i := range list {
		if urlkey.HostOf(list[i].SiteURL) != host {
			continue
		}
		doc, err := s.siteDocument(ctx, q, list[i].SiteID)
		if err != nil {
			return nil, err
		}
		if doc != nil && exports.OneOf(host, doc.Hosts) {
			out = append(out, list[i].SiteID)
		}
	}
	return out, nil
}
