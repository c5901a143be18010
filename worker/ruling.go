package worker

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"colophon/exports"
	"colophon/internal/lookup"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
	"colophon/worker/auth"
	"colophon/worker/problem"
)

// record is where the facts of a rights answer come from: the origin, or what
// was published.
type record interface {
	// find lists what a question is about.
	findResources(ctx context.Context, q *rightsQuestion) ([]located, error)
	// siteDocument returns the facts of a site at the question's instant, nil for a
	// site that may not appear.
	siteDocument(ctx context.Context, q *rightsQuestion, siteID string) (*rights.RightsDocument, error)
	// sitesOf returns the ids of the sites that have a host, in order.
	sitesOf(ctx context.Context, q *rightsQuestion, host string) ([]string, error)
}

// located is a resource with its site, how it was found, and where it moved to.
type located struct {
	rights.Resource
	siteID, basis string

	successor, successorURL string // of a page that was withdrawn because it moved
}

// locatedPage is a page of the origin.
func locatedPage(q *rightsQuestion, p *origin.Page) located {
	l := located{Resource: rights.ResourceOf(p), siteID: p.SiteID, basis: foundBy(q, p)}
	if l.State == rights.EntryWithdrawn {
		l.successor, l.successorURL = p.Successor, p.SuccessorURL
	}
	return l
}

// maxCandidates bounds the candidates of one answer.
const maxCandidates = origin.MaxFound

// answerQuestion asks the origin, and published files when there is none or it fails.
// An earlier time is only in the origin.
func (q *rightsQuestion) answerQuestion(ctx context.Context) (*exports.RightsAnswer, error) {
	d := q.call.deps
	if d.Rights != nil {
		a, err := q.answerFrom(ctx, &live{rights: d.Rights}, "origin")
		var refused *problem.Failure
		if err == nil || errors.As(err, &refused) || ctx.Err() != nil {
			return a, err
		}
		if d.Log != nil {
			d.Log("rights check " + q.call.ID + ": answered from published files: " + err.Error())
		}
	}
	if q.isPast() {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "Earlier states are not published; leave out at, or retry.", Retry: 30}
	}
	return q.answerFrom(ctx, static{d}, "static")
}

func (q *rightsQuestion) answerFrom(ctx context.Context, from record, by string) (*exports.RightsAnswer, error) {
	a := &exports.RightsAnswer{Query: q.RightsQuery, Basis: "none", EvaluatedAt: exports.Instant(q.now), AnsweredBy: by}
	until := q.at.Unix() + 7*24*60*60
	found, err := from.findResources(ctx, q)
	if err != nil {
		return nil, err
	}
	docs := map[string]*rights.RightsDocument{}
	known := func(siteID string) (bool, error) {
		if _, read := docs[siteID]; !read {
			doc, err := from.siteDocument(ctx, q, siteID)
			if err != nil {
				return false, err
			}
			docs[siteID] = doc
		}
		return docs[siteID] != nil, nil
	}
	if found, err = q.matchResources(ctx, from, found, known); err != nil {
		return nil, err
	}
	for _, f := range found {
		s := docs[f.siteID]
		standing, end, err := q.evaluateResource(ctx, s, f.Resource)
		if err != nil {
			return nil, err
		}
		standing.Successor, standing.SuccessorURL = f.successor, f.successorURL
		a.Candidates, a.Basis = append(a.Candidates, standing), f.basis
		a.Policy, until = s.Policy, min(until, end)
	}
	if len(a.Candidates) == 1 && a.Basis == basisWebsite {
		a.Website, a.Candidates = &a.Candidates[0], nil
	}
	if len(a.Candidates) > 1 {
		a.Policy = nil
	}
	a.ValidUntil = exports.Instant(time.Unix(until, 0))
	if q.isPast() {
		a.ValidUntil = a.EvaluatedAt // the past is settled, but says nothing of now
	}
	return a, nil
}

// evaluateResource asks the one evaluator about a resource of a site.
func (q *rightsQuestion) evaluateResource(ctx context.Context, s *rights.RightsDocument, r rights.Resource) (exports.RightsStanding, int64, error) {
	var grants []rights.Grant
	buyer := false
	if q.credential != "" {
		var err error
		if grants, buyer, err = q.call.deps.Grants.GrantsOf(ctx, q.credential, s.SiteID); err != nil {
			return exports.RightsStanding{}, 0, err
		}
		if !buyer {
			return exports.RightsStanding{}, 0, auth.Challenge(problem.New("credential_invalid", ""))
		}
	}
	j := s.Evaluate(r, rights.Question{UserType: q.UserType, Territory: q.Territory, Agent: q.Agent, At: q.at.Unix()}, grants, buyer)
	return j.Standing(r, q.Uses, q.full), j.ValidUntil, nil
}

// live answers from the origin, of which it reads everything at once.
type live struct {
	rights origin.Rights
	found  origin.RightsFacts
	host   string // whose sites were found, unless pages were
}

func (l *live) findResources(ctx context.Context, q *rightsQuestion) ([]located, error) {
	ask := origin.RightsLookup{At: q.At, Past: q.isPast()}
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
		return []located{{siteID: q.Normalized, basis: "site_id"}}, nil
	}
	out := make([]located, len(l.found.Pages))
	for i := range l.found.Pages {
		out[i] = locatedPage(q, &l.found.Pages[i])
	}
	return out, nil
}

func (l *live) readLookup(ctx context.Context, ask origin.RightsLookup) error {
	found, err := l.rights.RightsFacts(ctx, ask)
	l.found, l.host = found, ask.Host
	return err
}

func foundBy(q *rightsQuestion, p *origin.Page) string {
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

func (l *live) siteDocument(_ context.Context, q *rightsQuestion, siteID string) (*rights.RightsDocument, error) {
	for i := range l.found.Sites {
		if l.found.Sites[i].Site.SiteID == siteID {
			return documentOf(&l.found.Sites[i], q)
		}
	}
	return nil, nil
}

func documentOf(x *origin.SiteRights, q *rightsQuestion) (*rights.RightsDocument, error) {
	if s, gone := rights.ClosedDocument(&x.Site); gone {
		return s, nil
	}
	if !rights.Public(x.Site) {
		return nil, nil
	}
	f := rights.SiteSnapshot{
		Site: x.Site, Preferences: x.Preferences, Passports: x.Passports, Offers: x.Offers, Evidence: x.Evidence, Policies: x.Policies,
	}
	if q.isPast() {
		s, _, err := rights.RightsDocumentAt(&f, q.At)
		return s, err
	}
	s, _, err := rights.RightsDocumentNow(&f, q.At)
	return s, err
}

// sitesOf lists the sites of a host. Those of the host that was asked about are
// known already where no page was found.
func (l *live) sitesOf(ctx context.Context, q *rightsQuestion, host string) ([]string, error) {
	sites := l.found.Sites
	if len(l.found.Pages) > 0 || host != l.host {
		more, err := l.rights.RightsFacts(ctx, origin.RightsLookup{Host: host, At: q.At, Past: q.isPast()})
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

// static reads published files.
type static struct{ deps *Deps }

func (s static) findResources(ctx context.Context, q *rightsQuestion) ([]located, error) {
	if q.Key == "site_id" {
		return []located{{siteID: q.Normalized, basis: "site_id"}}, nil
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
	f, err := s.deps.catalog.Find(ctx, l)
	if err != nil {
		return nil, err
	}
	var out []located
	for i := range f.Candidates[:min(len(f.Candidates), maxCandidates)] {
		x := &f.Candidates[i]
		r := rights.Resource{EntryID: x.EntryID, URL: x.CanonicalURL, ContentFormat: x.ContentFormat, PublishedAt: x.PublishedAt}
		if x.Withdrawn {
			r.State = rights.EntryWithdrawn
		}
		out = append(out, located{Resource: r, siteID: x.SiteID, basis: x.Basis, successor: x.Successor, successorURL: x.SuccessorURL})
	}
	return out, nil
}

func (s static) siteDocument(ctx context.Context, _ *rightsQuestion, siteID string) (*rights.RightsDocument, error) {
	body, err := s.deps.Assets.Read(ctx, string(exports.RightsDocumentKey(siteID)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	doc := new(rights.RightsDocument)
	return doc, wire.Decode(body, doc, wire.Trusted)
}

func (s static) sitesOf(ctx context.Context, q *rightsQuestion, host string) ([]string, error) {
	list, err := published{s.deps.Assets}.listPublishers(ctx)
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
