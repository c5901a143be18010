package rightscheck

import (
	"context"
	"errors"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/worker/auth"
	"colophon/worker/problem"
)

// source is where the facts of a rights answer come from: the origin, or what
// was published.
type source interface {
	// findResources lists what a question is about.
	findResources(ctx context.Context, q *Question) ([]match, error)
	// siteDocument returns the facts of a site at the question's instant, nil for a
	// site that may not appear.
	siteDocument(ctx context.Context, q *Question, siteID string) (*rights.RightsDocument, error)
	// sitesOf returns the ids of the sites that have a host, in order.
	sitesOf(ctx context.Context, q *Question, host string) ([]string, error)
}

// located is a resource with its site, how it was found, and where it moved to.
type match struct {
	rights.Resource
	siteID, basis string

	successor, successorURL string // of a page that was withdrawn because it moved
}

// matchPage is a page of the origin.
func matchPage(q *Question, p *origin.Page) match {
	l := match{Resource: rights.ResourceOf(p), siteID: p.SiteID, basis: foundBy(q, p)}
	if l.State == rights.EntryWithdrawn {
		l.successor, l.successorURL = p.Successor, p.SuccessorURL
	}
	return l
}

// maxCandidates bounds the candidates of one answer.
const maxCandidates = origin.MaxFound

// Answer asks the origin, and published files when there is none or it fails.
// An earlier time is only in the origin.
func (s *Service) Answer(ctx context.Context, q *Question) (*exports.RightsAnswer, error) {
	if s.Rights != nil {
		a, err := s.answerFrom(ctx, q, &originSource{rights: s.Rights}, "origin")
		var refused *problem.Failure
		if err == nil || errors.As(err, &refused) || ctx.Err() != nil {
			return a, err
		}
		if s.Log != nil {
			s.Log("rights check " + q.id + ": answered from published files: " + err.Error())
		}
	}
	if q.past {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "Earlier states are not published; leave out at, or retry.", Retry: 30}
	}
	return s.answerFrom(ctx, q, s.published(), "static")
}

func (s *Service) answerFrom(ctx context.Context, q *Question, from source, by string) (*exports.RightsAnswer, error) {
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
		doc := docs[f.siteID]
		standing, end, err := s.evaluateResource(ctx, q, doc, f.Resource)
		if err != nil {
			return nil, err
		}
		standing.Successor, standing.SuccessorURL = f.successor, f.successorURL
		a.Candidates, a.Basis = append(a.Candidates, standing), f.basis
		a.Policy, until = doc.Policy, min(until, end)
	}
	if len(a.Candidates) == 1 && a.Basis == BasisWebsite {
		a.Website, a.Candidates = &a.Candidates[0], nil
	}
	if len(a.Candidates) > 1 {
		a.Policy = nil
	}
	a.ValidUntil = exports.Instant(time.Unix(until, 0))
	if q.past {
		a.ValidUntil = a.EvaluatedAt // the past is settled, but says nothing of now
	}
	return a, nil
}

// evaluateResource asks the one evaluator about a resource of a site.
func (s *Service) evaluateResource(ctx context.Context, q *Question, doc *rights.RightsDocument, r rights.Resource) (exports.RightsStanding, int64, error) {
	var grants []rights.Grant
	buyer := false
	if q.credential != "" {
		var err error
		if grants, buyer, err = s.Grants.GrantsOf(ctx, q.credential, doc.SiteID); err != nil {
			return exports.RightsStanding{}, 0, err
		}
		if !buyer {
			return exports.RightsStanding{}, 0, auth.Challenge(problem.New("credential_invalid", ""))
		}
	}
	j := doc.Evaluate(r, rights.Question{UserType: q.UserType, Territory: q.Territory, Agent: q.Agent, At: q.at.Unix()}, grants, buyer)
	return j.Standing(r, q.Uses, q.full), j.ValidUntil, nil
}
