package rightscheck

import (
	"context"
	"errors"
	"io/fs"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/files"
)

// originSource answers from the origin, of which it reads everything at once.
type originSource struct {
	rights origin.Rights
	found  origin.RightsFacts
	host   string // whose sites were found, unless pages were
}

func (l *originSource) findResources(ctx context.Context, q *Question) ([]match, error) {
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
	if err := l.readLookup(ctx, ask); err != nil {
		return nil, err
	}
	if q.Key == "site_id" {
		return []match{{siteID: q.Normalized, basis: "site_id"}}, nil
	}
	out := make([]match, len(l.found.Pages))
	for i := range l.found.Pages {
		out[i] = matchPage(q, &l.found.Pages[i])
	}
	return out, nil
}

func (l *originSource) readLookup(ctx context.Context, ask origin.RightsLookup) error {
	found, err := l.rights.RightsFacts(ctx, ask)
	l.found, l.host = found, ask.Host
	return err
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
	for i := range l.found.Sites {
		if l.found.Sites[i].Site.SiteID == siteID {
			return documentOf(&l.found.Sites[i], q)
		}
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

// sitesOf lists the sites of a host. Those of the host that was asked about are
// known already where no page was found.
func (l *originSource) sitesOf(ctx context.Context, q *Question, host string) ([]string, error) {
	sites := l.found.Sites
	if len(l.found.Pages) > 0 || host != l.host {
		more, err := l.rights.RightsFacts(ctx, origin.RightsLookup{Host: host, At: q.At, Past: q.past})
		if err != nil {
			return nil, err
		}
		sites = more.Sites
		l.found.Sites = append(l.found.Sites, sites...)
	}
	ids := make([]string, len(sites))
	for i := range sites {
		ids[i] = sites[i].Site.SiteID
	}
	return ids, nil
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
	l := lookup.Lookup{}
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
