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

// source provides the facts of a rights answer, from the origin or from
// published files.
type source interface {
	// findResources returns the resources that a question is about.
	findResources(ctx context.Context, q *Question) ([]match, error)
	// findReservations returns the reservations for the content that a question
	// is about.
	findReservations(ctx context.Context, q *Question) ([]exports.Reservation, error)
	// siteDocument returns the facts of a site at the question's instant, or
	// nil for a site that may not appear.
	siteDocument(ctx context.Context, q *Question, siteID string) (*rights.RightsDocument, error)
	// sitesOf returns the ids of the sites that have a host, in order.
	sitesOf(ctx context.Context, q *Question, host string) ([]string, error)
}

// match is a resource with its site, how it was found, and where it moved to.
type match struct {
	rights.Resource
	siteID, basis string

	successor, successorURL string // for a page that was withdrawn because it moved
}

// maxCandidates bounds the candidates of one answer.
const maxCandidates = origin.MaxFound

// longestValidity is how long an answer is valid at most.
const longestValidity = 7 * 24 * time.Hour

// Answer asks the origin, or published files if there is no origin or it fails.
// Only the origin knows earlier times.
func (s *Service) Answer(ctx context.Context, q *Question) (*exports.RightsAnswer, error) {
	if s.Rights != nil {
		a, err := s.askOrigin(ctx, q)
		if !s.originFailed(ctx, "check "+q.id, err) {
			return a, err
		}
	}
	if q.past {
		return nil, &problem.Failure{Code: "origin_unavailable", Detail: "Earlier states are not published; leave out at, or retry.", Retry: 30}
	}
	return newAnswering(s.published(), "static", s.judge).answer(ctx, q)
}

func (s *Service) askOrigin(ctx context.Context, q *Question) (*exports.RightsAnswer, error) {
	from, err := s.readQuestion(ctx, q)
	if err != nil {
		return nil, err
	}
	return newAnswering(from, "origin", s.judge).answer(ctx, q)
}

// originFailed reports whether err is a failure of the origin, for which
// published files must answer, and logs it. A refusal is itself an answer, and
// a caller that has left needs none.
func (s *Service) originFailed(ctx context.Context, what string, err error) bool {
	var refused *problem.Failure
	if err == nil || errors.As(err, &refused) || ctx.Err() != nil {
		return false
	}
	if s.Log != nil {
		s.Log("rights " + what + ": answered from published files: " + err.Error())
	}
	return true
}

// answering answers questions from one source: a single question, or those of a
// batch, which share the documents of sites.
type answering struct {
	source
	by    string // origin, static
	judge judge
	docs  map[string]*rights.RightsDocument // by site id, nil for a site that may not appear
}

// judge returns what a site's document means for a resource.
type judge func(ctx context.Context, q *Question, doc *rights.RightsDocument, r *rights.Resource) (rights.Judgement, error)

func newAnswering(from source, by string, judge judge) *answering {
	return &answering{source: from, by: by, judge: judge, docs: map[string]*rights.RightsDocument{}}
}

// isKnown reports whether a site may appear, and loads its document.
func (x *answering) isKnown(ctx context.Context, q *Question, siteID string) (bool, error) {
	doc, read := x.docs[siteID]
	if !read {
		var err error
		if doc, err = x.siteDocument(ctx, q, siteID); err != nil {
			return false, err
		}
		x.docs[siteID] = doc
	}
	return doc != nil, nil
}

// unanswered returns the answer to a question about whose subject nothing is
// known.
func (x *answering) unanswered(q *Question) *exports.RightsAnswer {
	return &exports.RightsAnswer{
		Query: q.RightsQuery, Basis: "none", AnsweredBy: x.by, EvaluatedAt: exports.Instant(q.now), ValidUntil: exports.Instant(q.at.Add(longestValidity)),
	}
}

func (x *answering) answer(ctx context.Context, q *Question) (*exports.RightsAnswer, error) {
	a := x.unanswered(q)
	found, err := x.matchResources(ctx, q)
	if err != nil {
		return nil, err
	}
	for i := range found {
		f := &found[i]
		doc := x.docs[f.siteID]
		judged, err := x.judge(ctx, q, doc, &f.Resource)
		if err != nil {
			return nil, err
		}
		resource := judged.ResourceRights(f.Resource, q.Uses, q.full)
		resource.Successor, resource.SuccessorURL = f.successor, f.successorURL
		a.Candidates, a.Basis = append(a.Candidates, resource), f.basis
		a.Policy = doc.Policy
		if judged.ValidUntil < q.at.Add(longestValidity).Unix() {
			a.ValidUntil = min(a.ValidUntil, exports.Instant(time.Unix(judged.ValidUntil, 0)))
		}
	}
	if len(a.Candidates) == 1 && a.Basis == BasisWebsite {
		a.Website, a.Candidates = &a.Candidates[0], nil
	}
	if err := x.addReservations(ctx, q, a); err != nil {
		return nil, err
	}
	if len(a.Candidates) > 1 {
		a.Policy = nil
	}
	if q.past {
		a.ValidUntil = a.EvaluatedAt // the past does not change, but says nothing about the present
	}
	return a, nil
}

// addReservations adds the reservations for the content asked about. Each is a
// candidate of its own, as every entry is.
func (x *answering) addReservations(ctx context.Context, q *Question, a *exports.RightsAnswer) error {
	if q.Key != "fingerprint" && q.Key != "iscc" {
		return nil
	}
	list, err := x.findReservations(ctx, q)
	for i := range list {
		if len(a.Candidates) == 0 {
			a.Basis = exports.BasisContent
		}
		a.Candidates = append(a.Candidates, rights.ReservationRights(&list[i], q.Uses))
	}
	return err
}

// judge evaluates a resource for the caller, with the licences of a buyer.
func (s *Service) judge(ctx context.Context, q *Question, doc *rights.RightsDocument, r *rights.Resource) (rights.Judgement, error) {
	var grants []rights.Grant
	buyer := false
	if q.credential != "" {
		var err error
		if grants, buyer, err = s.Grants.GrantsOf(ctx, q.credential, doc.SiteID); err != nil {
			return rights.Judgement{}, err
		}
		if !buyer {
			return rights.Judgement{}, auth.Challenge(problem.New("credential_invalid", ""))
		}
	}
	return doc.Evaluate(*r, rights.Question{UserType: q.UserType, Territory: q.Territory, Agent: q.Agent, At: q.at.Unix()}, grants, buyer), nil
}
