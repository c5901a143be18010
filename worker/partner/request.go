package partner

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/paging"
	"colophon/internal/wire"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// CreateRequest submits a request. It checks, in this order, header, body,
// replay and publisher before it writes, so that only a request that was
// created takes its key.
func (s *Service) CreateRequest(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error) {
	if err := s.Intake.Ready(); err != nil {
		return nil, err
	}
	key, err := c.IdempotencyKey()
	if err == nil && key == "" {
		err = problem.New("idempotency_key_missing", "")
	}
	if err != nil {
		return nil, err
	}
	body := inquiries.NewPartnerRequest()
	fingerprint, err := c.DecodeBody(&body, exports.MaxBody)
	if err != nil {
		return nil, err
	}
	r := requestOf(&body)
	r.OrgID = p.OrgID
	r.KeyScope = p.OrgID
	r.Key = key
	r.Fingerprint = fingerprint
	token := s.Keys.DeriveToken(r.KeyScope, key, fingerprint)
	r.TokenHash = credential.Digest(token)
	replayed, err := s.Intake.Submit(ctx, &r, func() error { return s.Intake.CheckSite(ctx, r.SiteID) })
	if err != nil {
		return nil, err
	}
	view := inquiry.Created(r, token)
	resp := request.Record(201, &view)
	resp.Header.Set("location", inquiries.PartnerRequestPath(r.RequestID))
	resp.Header.Set("idempotency-replayed", strconv.FormatBool(replayed))
	return resp, nil
}

func requestOf(b *inquiries.PartnerRequest) origin.Request {
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

// GetRequest returns one request of the caller's own organization. It answers for
// another organization's as for a missing one.
func (s *Service) GetRequest(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error) {
	r, err := s.Requests.Request(ctx, c.Params["request_id"])
	if errors.Is(err, origin.ErrNotFound) || err == nil && r.OrgID != p.OrgID {
		return nil, problem.New("request_not_found", "")
	}
	if err != nil {
		return nil, err
	}
	views, err := s.views(ctx, []origin.Request{r})
	if err != nil {
		return nil, err
	}
	return request.Record(200, &views[0]), nil
}

// ListRequests returns the requests of the caller's own organization, newest first.
func (s *Service) ListRequests(ctx context.Context, c *request.Call, p *auth.Partner) (*edge.Response, error) {
	f, err := requestFilter(c, p)
	if err != nil {
		return nil, err
	}
	limit := f.Limit
	f.Limit++
	rows, err := s.Requests.RequestsOf(ctx, f)
	if err != nil {
		return nil, err
	}
	total, err := s.Requests.CountRequests(ctx, f)
	if err != nil {
		return nil, err
	}
	list := inquiries.PartnerList{Limit: int64(limit), Total: total, Self: selfLink(c)}
	if len(rows) > limit {
		rows = rows[:limit]
		if limit > 0 {
			list.NextCursor = paging.Keyset("requests", rows[limit-1].RequestID)
			list.Next = nextLink(c, list.NextCursor)
		}
	}
	if list.Data, err = s.views(ctx, rows); err != nil {
		return nil, err
	}
	resp := request.Record(200, &list)
	request.AddNext(resp, list.Next)
	return resp, nil
}

func requestFilter(c *request.Call, p *auth.Partner) (origin.RequestFilter, error) {
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
			if !slices.Contains(exports.RequestStates, w) {
				return f, problem.InvalidParam("status", "must be one of "+strings.Join(exports.RequestStates, ", "))
			}
		}
		named := inquiry.InternalOf(words)
		if i > 0 {
			named = slices.DeleteFunc(named, func(state string) bool { return !slices.Contains(f.States, state) })
		}
		f.States = named
	}
	if c.Values.Has("status") && len(f.States) == 0 {
		f.States = []string{"none"}
	}
	f.Before, err = c.CursorKey("requests")
	return f, err
}

func (s *Service) views(ctx context.Context, rows []origin.Request) ([]inquiries.PartnerView, error) {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].RequestID
	}
	moves, err := s.Requests.History(ctx, ids...)
	if err != nil {
		return nil, err
	}
	of := map[string][]origin.Move{}
	for _, m := range moves {
		of[m.RequestID] = append(of[m.RequestID], m)
	}
	out := make([]inquiries.PartnerView, len(rows))
	for i, r := range rows {
		out[i] = inquiry.PartnerView(r, of[r.RequestID])
	}
	return out, nil
}

// selfLink returns the address of this call, nextLink that of the following
// page.
func selfLink(c *request.Call) string {
	if c.Query == "" {
		return c.Path
	}
	return c.Path + "?" + c.Query
}

func nextLink(c *request.Call, cursor string) string {
	q := ""
	for _, pair := range strings.Split(c.Query, "&") {
		if name, _, _ := strings.Cut(pair, "="); name != "cursor" && name != "offset" && pair != "" {
			q += pair + "&"
		}
	}
	return c.Path + "?" + q + "cursor=" + cursor
}
