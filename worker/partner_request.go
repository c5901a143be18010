package worker

import (
	"context"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// partnerCreate submits a request. The order of checks: header, body, replay,
// publisher, write; so only a request that was created takes its key.
func partnerCreate(ctx context.Context, c *call, p *auth.Partner) (*edge.Response, error) {
	desk, err := c.inquiryService()
	if err != nil {
		return nil, err
	}
	key, err := c.IdempotencyKey()
	if err == nil && key == "" {
		err = problem.New("idempotency_key_missing", "")
	}
	if err != nil {
		return nil, err
	}
	body := exports.NewPartnerRequest()
	fingerprint, err := c.DecodeBody(&body, exports.MaxBody)
	if err != nil {
		return nil, err
	}
	r := requestOf(&body)
	r.OrgID = p.OrgID
	r.KeyScope = p.OrgID
	r.Key = key
	r.Fingerprint = fingerprint
	token := inquiry.TokenFor(c.deps.Secret, r.KeyScope, key, fingerprint)
	r.TokenHash = inquiry.Digest(token)
	replayed, err := c.submitRequest(ctx, desk, &r, func() error {
		return siteMissing(c.openSite(ctx, r.SiteID))
	})
	if err != nil {
		return nil, err
	}
	view := inquiry.Created(r, token)
	resp := request.Record(201, &view)
	resp.Header.Set("location", exports.PartnerRequestPath(r.RequestID))
	resp.Header.Set("idempotency-replayed", yesNo(replayed))
	return resp, nil
}

func requestOf(b *exports.PartnerRequest) origin.Request {
	r := origin.Request{
		SiteID: b.SiteID, Channel: "partner", BuyerName: b.BuyerName, BuyerEmail: b.BuyerEmail, BuyerCompany: b.BuyerCompany,
		IntendedUse: b.IntendedUse, RequestedScope: b.RequestedScope, BudgetRange: b.BudgetRange, Timeline: b.RequestedTimeline,
		Message: b.Message, Currency: b.Currency, BudgetCents: b.BudgetCents, TermMonths: b.TermMonths,
	}
	if b.Ext.Kind != wire.KindNull {
		r.Ext = string(b.Ext.Append(nil))
	}
	return r
}

// submitRequest answers a retry from what is stored; a new request passes check,
// is stored and delivered. What is stored takes the place of r.
func (c *call) submitRequest(ctx context.Context, desk inquiry.Service, r *origin.Request, check func() error) (replayed bool, err error) {
	if r.Key != "" {
		first, err := c.deps.Inquiries.RequestByKey(ctx, r.KeyScope, r.Key)
		switch {
		case err == nil:
			return inquiry.Replay(r, &first)
		case !errors.Is(err, origin.ErrNotFound):
			return false, err
		}
	}
	if err := check(); err != nil {
		return false, err
	}
	if *r, replayed, err = desk.Submit(ctx, *r); err != nil || replayed {
		return replayed, err
	}
	if err := desk.Deliver(ctx, *r); err != nil && c.deps.Log != nil {
		c.deps.Log("deliver " + r.RequestID + " later: " + err.Error())
	}
	return false, nil
}

var (
	errNoSite     = errors.New("no such publisher")
	errSiteClosed = errors.New("the publisher takes no inquiries")
)

// openSite checks that a publisher is public and takes inquiries. A private
// or unapproved one is answered like a missing one.
func (c *call) openSite(ctx context.Context, siteID string) error {
	s, err := c.deps.Sites.Site(ctx, siteID)
	switch {
	case errors.Is(err, origin.ErrNotFound):
		return errNoSite
	case err != nil:
		return err
	case s.State != origin.Approved || s.Visibility != "public":
		return errNoSite
	case !s.AcceptsInquiries:
		return errSiteClosed
	}
	return nil
}

// siteMissing is how the partner API tells of a publisher that is not there.
func siteMissing(err error) error {
	switch {
	case errors.Is(err, errNoSite):
		return problem.New("site_not_found", "")
	case errors.Is(err, errSiteClosed):
		return problem.New("site_not_accepting_inquiries", "")
	}
	return err
}

func yesNo(b bool) string { return choose(b, "true", "false") }

// choose is one of two texts.
func choose(first bool, yes, no string) string {
	if first {
		return yes
	}
	return no
}

// partnerGet shows one request of the caller's own organization. Another's is
// answered like a missing one.
func partnerGet(ctx context.Context, c *call, p *auth.Partner) (*edge.Response, error) {
	if c.deps.Inquiries == nil {
		return nil, problem.Unavailable()
	}
	r, err := c.deps.Inquiries.Request(ctx, c.Params["request_id"])
	if errors.Is(err, origin.ErrNotFound) || err == nil && r.OrgID != p.OrgID {
		return nil, problem.New("request_not_found", "")
	}
	if err != nil {
		return nil, err
	}
	moves, err := c.deps.Inquiries.History(ctx, r.RequestID)
	if err != nil {
		return nil, err
	}
	view := inquiry.PartnerView(r, moves)
	return request.Record(200, &view), nil
}

// partnerList lists the requests of the caller's own organization, newest
// first.
func partnerList(ctx context.Context, c *call, p *auth.Partner) (*edge.Response, error) {
	if c.deps.Inquiries == nil {
		return nil, problem.Unavailable()
	}
	f, err := c.partnerFilter(p)
	if err != nil {
		return nil, err
	}
	limit := f.Limit
	f.Limit++
	rows, err := c.deps.Inquiries.RequestsOf(ctx, f)
	if err != nil {
		return nil, err
	}
	total, err := c.deps.Inquiries.CountRequests(ctx, f)
	if err != nil {
		return nil, err
	}
	list := exports.PartnerList{Limit: int64(limit), Total: total, Self: c.selfLink()}
	if len(rows) > limit {
		rows = rows[:limit]
		if limit > 0 {
			list.NextCursor = placeAfter("requests", rows[limit-1].RequestID)
			list.Next = c.nextLink(list.NextCursor)
		}
	}
	if list.Data, err = c.partnerViews(ctx, rows); err != nil {
		return nil, err
	}
	resp := request.Record(200, &list)
	if list.Next != "" {
		resp.Header.Set("link", "<"+list.Next+">; rel=\"next\"")
	}
	return resp, nil
}

func (c *call) partnerFilter(p *auth.Partner) (origin.RequestFilter, error) {
	f := origin.RequestFilter{OrgID: p.OrgID, SiteID: c.Values.Get("site_id"), Limit: int(c.Values.Integer("limit", 25))}
	var err error
	if f.CreatedAfter, err = c.Instant("created_after"); err != nil {
		return f, err
	}
	if f.UpdatedAfter, err = c.Instant("updated_after"); err != nil {
		return f, err
	}
	for i, words := range c.Values.List("status") {
		for _, w := range words {
			if !exports.OneOf(w, exports.RequestStates) {
				return f, problem.InvalidParam("status", "must be one of "+strings.Join(exports.RequestStates, ", "))
			}
		}
		if i == 0 {
			f.States = inquiry.InternalOf(words)
		} else {
			f.States = intersectWords(f.States, inquiry.InternalOf(words))
		}
	}
	if c.Values.Has("status") && len(f.States) == 0 {
		f.States = []string{"none"}
	}
	f.Before, err = c.cursorKey("requests")
	return f, err
}

func (c *call) partnerViews(ctx context.Context, rows []origin.Request) ([]exports.PartnerView, error) {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].RequestID
	}
	moves, err := c.deps.Inquiries.Histories(ctx, ids)
	if err != nil {
		return nil, err
	}
	of := map[string][]origin.Move{}
	for _, m := range moves {
		of[m.RequestID] = append(of[m.RequestID], m)
	}
	out := make([]exports.PartnerView, len(rows))
	for i, r := range rows {
		out[i] = inquiry.PartnerView(r, of[r.RequestID])
	}
	return out, nil
}

// selfLink is the address of this call, next that of the following page.
func (c *call) selfLink() string {
	if c.Query == "" {
		return c.Path
	}
	return c.Path + "?" + c.Query
}

func (c *call) nextLink(cursor string) string {
	q := ""
	for _, pair := range strings.Split(c.Query, "&") {
		if name, _, _ := strings.Cut(pair, "="); name != "cursor" && name != "offset" && pair != "" {
			q += pair + "&"
		}
	}
	return c.Path + "?" + q + "cursor=" + cursor
}
