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
	kept   Documents
	pages  map[string][]origin.Page          // by each of their keys: no two kinds of key look alike
	hosts  map[string][]string               // sites of the hosts that were read
	docs   map[string]*rights.RightsDocument // by site id; nil for a site that may not appear

	reservations map[string][]exports.Reservation // by code; nil until they were read
}

func newOriginSource(from origin.Rights, kept Documents) *originSource {
	return &originSource{rights: from, kept: kept, pages: map[string][]origin.Page{}, hosts: map[string][]string{}, docs: map[string]*rights.RightsDocument{}}
}

// readQuestion reads everything that one question is about.
func (s *Service) readQuestion(ctx context.Context, q *Question) (*originSource, error) {
	l := newOriginSource(s.Rights, s.Documents)
	ask := origin.RightsLookup{}
	switch q.Key {
	case "site_id":
		ask.SiteID = q.Normalized
	case "url":
		ask.URL, ask.SamePage, ask.Host = q.Normalized, q.samePage, urlkey.HostOf(q.Normalized)
	case "fingerprint":
		ask.Fingerprint = q.Normalized
	case "iscc":
		return l, l.readReservations(ctx, q, q.Normalized)
	default:
		ask.EntryID = q.Normalized
	}
	return l, l.readFacts(ctx, q, ask)
}

// maxReads bounds how often a lookup is repeated because facts changed while
// they were read.
const maxReads = 3

// readFacts adds what a lookup finds. If it finds no page, its sites are those
// of the host. Pages and the facts about their sites belong to one moment:
// where the facts have another version than the lookup found, it is repeated.
func (l *originSource) readFacts(ctx context.Context, q *Question, ask origin.RightsLookup) error {
	var found origin.RightsFound
	for range maxReads {
		var err error
		if found, err = l.rights.FindRights(ctx, ask); err != nil {
			return err
		}
		same, err := l.readSites(ctx, found.Sites, q.At, q.past)
		if err != nil {
			return err
		}
		if same {
			break
		}
	}
	if found.Reserved {
		if err := l.readReservations(ctx, q, ask.Fingerprint); err != nil {
			return err
		}
	}
	for i := range found.Pages {
		l.addPage(&found.Pages[i])
	}
	if ask.Host != "" && len(found.Pages) == 0 {
		ids := make([]string, len(found.Sites))
		for i := range found.Sites {
			ids[i] = found.Sites[i].SiteID
		}
		l.hosts[ask.Host] = ids
	}
	return nil
}

// readSites adds the documents of sites: those that were kept under the current
// version, and others after reading the facts that they follow from. It reports
// whether these still had that version.
func (l *originSource) readSites(ctx context.Context, sites []origin.SiteVersion, at string, past bool) (same bool, err error) {
	current := map[string]string{}
	var missing []string
	for _, v := range sites {
		if known := l.kept.Document(v.SiteID, v.Version); known != nil && known.HoldsAt(at) && !past {
			l.docs[v.SiteID] = known.Document
			continue
		}
		current[v.SiteID] = v.Version
		missing = append(missing, v.SiteID)
	}
	if len(missing) == 0 {
		return true, nil
	}
	facts, err := l.rights.RightsOfSites(ctx, missing, at, past)
	if err != nil {
		return false, err
	}
	same = true
	for i := range facts {
		x := &facts[i]
		doc, err := rights.KeptDocumentAt(x, at, past)
		if err != nil {
			return false, err
		}
		if !past && x.Version != "" {
			l.kept.Keep(x.Site.SiteID, x.Version, doc)
		}
		l.docs[x.Site.SiteID] = doc.Document
		same = same && x.Version == current[x.Site.SiteID]
	}
	return same, nil
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

// readReservations adds the reservations for the content with some codes: of the
// present, or those at the instant of a question about the past.
func (l *originSource) readReservations(ctx context.Context, q *Question, codes ...string) error {
	found, err := l.rights.ReservationsByCode(ctx, codes, q.past)
	if err != nil {
		return err
	}
	if len(found) > origin.MaxBatchFound {
		return tooManyFound()
	}
	l.reservations = map[string][]exports.Reservation{}
	for i := range found {
		r := &found[i]
		public, ok := rights.ReservationNow(&r.Site, &r.Reservation)
		if q.past {
			public, ok = rights.Reservation(&r.Site, &r.Reservation, q.At)
		}
		if ok {
			l.reservations[r.Code] = append(l.reservations[r.Code], public)
		}
	}
	return nil
}

func (l *originSource) findReservations(_ context.Context, q *Question) ([]exports.Reservation, error) {
	list := l.reservations[q.Normalized]
	return list[:min(len(list), maxCandidates)], nil
}

// findResources returns pages with exactly the key first, then the others, each
// ordered by entry id.
func (l *originSource) findResources(_ context.Context, q *Question) ([]match, error) {
	if q.Key == "site_id" {
		return []match{{siteID: q.Normalized, basis: "site_id"}}, nil
	}
	var same []origin.Page
	for _, key := range q.samePage {
		same = append(same, l.pages[key]...)
	}
	found := append(matchPages(q, l.pages[q.Normalized]), matchPages(q, same)...)
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

func (l *originSource) siteDocument(_ context.Context, _ *Question, siteID string) (*rights.RightsDocument, error) {
	return l.docs[siteID], nil
}

// sitesOf reads the sites of a host that has not been read yet.
func (l *originSource) sitesOf(ctx context.Context, q *Question, host string) ([]string, error) {
	if _, read := l.hosts[host]; !read {
		if err := l.readFacts(ctx, q, origin.RightsLookup{Host: host}); err != nil {
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
	f, err := s.catalog.Find(ctx, lookupOf(q))
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

func lookupOf(q *Question) lookup.Query {
	switch q.Key {
	case "url":
		return lookup.Query{URL: q.Normalized}
	case "fingerprint":
		return lookup.Query{Fingerprint: q.Normalized}
	case "iscc":
		return lookup.Query{ISCC: q.Normalized}
	}
	return lookup.Query{EntryID: q.Normalized}
}

func (s publishedSource) findReservations(ctx context.Context, q *Question) ([]exports.Reservation, error) {
	f, err := s.catalog.Find(ctx, lookupOf(q))
	if err != nil {
		return nil, err
	}
	return f.Reservations[:min(len(f.Reservations), maxCandidates)], nil
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
		if doc != nil && slices.Contains(doc.Hosts, host) {
			out = append(out, list[i].SiteID)
		}
	}
	return out, nil
}
