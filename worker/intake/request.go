package intake

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// CreateRequest accepts a public licensing request, as JSON or from a form.
func (s *Forms) CreateRequest(ctx context.Context, c *request.Call) (*edge.Response, error) {
	return s.Limits.Answer(ctx, "request "+s.Limits.CallerKey(c.Remote), []string{"prepare"}, func() (*edge.Response, error) { return s.createRequest(ctx, c) })
}

func (s *Forms) createRequest(ctx context.Context, c *request.Call) (*edge.Response, error) {
	if c.BodyType() == "application/x-www-form-urlencoded" {
		return s.createFromForm(ctx, c)
	}
	var body inquiries.PublicRequest
	fingerprint, err := c.DecodeBody(&body, exports.MaxBody)
	if err != nil {
		return nil, err
	}
	sub := submission{body: &body, fingerprint: fingerprint}
	if sub.key, err = c.IdempotencyKey(); err != nil {
		return nil, err
	}
	done, err := s.submitPublic(ctx, c, &sub)
	if err != nil {
		return nil, err
	}
	receipt := inquiry.Receipt(done.request, done.token)
	resp := request.Record(201, &receipt)
	resp.Header = append(resp.Header, done.header...)
	if sub.key != "" {
		resp.Header.Set("idempotency-replayed", strconv.FormatBool(done.replayed))
	}
	return resp, nil
}

// submission is a public request being submitted.
type submission struct {
	body        *inquiries.PublicRequest
	fingerprint string
	key         string // Idempotency-Key, "" if none
	form        bool   // sent by a browser, which proves work by a script or not at all
	proof       string // of work, from a form: as in Service-Proof, "" if none
	counted     bool   // the caller was counted for it already
	token       string // of the conversation, "" for a new one
	doubt       string // private: why it should be held, "" if there is no doubt
	group       string // id of what is sent together, "" if it is sent alone
	letters     string // state of letters to the sender, "" if still to be chosen
}

// submitted is what became of it.
type submitted struct {
	request  origin.Request
	token    string
	replayed bool
	header   edge.Header
}

// submitPublic checks, stores and delivers a request. A suspicious request is
// stored like any other and held, so that nothing is lost and its sender learns
// nothing.
func (s *Service) submitPublic(ctx context.Context, c *request.Call, sub *submission) (submitted, error) {
	if err := s.Ready(); err != nil {
		return submitted{}, err
	}
	r := publicRequest(sub.body)
	token, err := s.publicToken(sub, &r)
	if err != nil {
		return submitted{}, err
	}
	r.TokenHash, r.HeldFor = credential.Digest(token), sub.doubt
	r.GroupID = sub.group
	var header edge.Header
	replayed, err := s.Submit(ctx, &r, func() error { return s.admitPublic(ctx, c, sub, &r, &header) })
	if err != nil {
		if f := problem.Of(err); f != nil {
			f.Header = append(f.Header, header...)
			return submitted{}, f
		}
		return submitted{}, err
	}
	header.Set("location", inquiries.ConversationPath(r.ThreadID))
	return submitted{r, token, replayed, header}, nil
}

// admitPublic checks a public request that is not a retry, counts it, and decides
// whether it is held and whether its sender gets letters.
func (s *Service) admitPublic(ctx context.Context, c *request.Call, sub *submission, r *origin.Request, header *edge.Header) error {
	if err := siteRefused(s.openSite(ctx, r.SiteID)); err != nil {
		return err
	}
	doubt, err := s.Spam.countPublicRequest(ctx, c, sub, header)
	if err != nil {
		return err
	}
	if r.HeldFor == "" {
		r.HeldFor = doubt
	}
	r.Letters, err = s.chooseLetters(ctx, sub)
	return err
}

// chooseLetters reports whether the sender's address is asked to confirm
// itself. An address that was asked often today is left alone, because it may
// be someone else's.
func (s *Service) chooseLetters(ctx context.Context, sub *submission) (string, error) {
	if sub.letters != "" || !s.Letters {
		return sub.letters, nil
	}
	exceeded, err := s.Spam.countLetters(ctx, sub.body.RequesterEmail)
	if exceeded || err != nil {
		return origin.LettersNone, err
	}
	sub.letters = origin.LettersUnconfirmed
	return sub.letters, nil
}

// Ready returns an error if this server stores no inquiries.
func (s *Service) Ready() error {
	if s.Inquiries.Store == nil {
		return problem.Unavailable()
	}
	return nil
}

// Submit answers a retry from what is stored; a new request must pass check,
// and is stored and delivered. The stored request replaces r.
func (s *Service) Submit(ctx context.Context, r *origin.Request, check func() error) (replayed bool, err error) {
	if r.Key != "" {
		first, err := s.Inquiries.Store.RequestByKey(ctx, r.KeyScope, r.Key)
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
	if *r, replayed, err = s.Inquiries.Submit(ctx, *r); err != nil || replayed {
		return replayed, err
	}
	if err := s.Inquiries.Deliver(ctx, *r); err != nil && s.Log != nil {
		s.Log("deliver " + r.RequestID + " later: " + err.Error())
	}
	return false, nil
}

var (
	errNoSite     = errors.New("no such publisher")
	errSiteClosed = errors.New("the publisher takes no inquiries")
)

// openSite checks that a publisher is public and takes inquiries. A private or
// unapproved publisher is answered like a missing one.
func (s *Service) openSite(ctx context.Context, siteID string) error {
	site, err := s.Sites.Site(ctx, siteID)
	switch {
	case errors.Is(err, origin.ErrNotFound):
		return errNoSite
	case err != nil:
		return err
	case site.State != origin.Approved || site.Visibility != "public":
		return errNoSite
	case !site.AcceptsInquiries:
		return errSiteClosed
	}
	return nil
}

// siteMissing returns the partner API's answer about a publisher that does not
// exist.
func siteMissing(err error) error {
	switch {
	case errors.Is(err, errNoSite):
		return problem.New("site_not_found", "")
	case errors.Is(err, errSiteClosed):
		return problem.New("site_not_accepting_inquiries", "")
	}
	return err
}

// siteRefused returns the public endpoint's answer about a publisher that is
// not there: as a field to correct.
func siteRefused(err error) error {
	if errors.Is(err, errNoSite) {
		return problem.Reject("/site_id", "site_not_found", "No such publisher.")
	}
	return siteMissing(err)
}

func publicRequest(b *inquiries.PublicRequest) origin.Request {
	r := origin.Request{
		SiteID: b.SiteID, Channel: "public", BuyerName: b.RequesterName, BuyerEmail: b.RequesterEmail, BuyerCompany: b.Company,
		IntendedUse: b.IntendedUse, RequestedScope: b.RequestedScope, RequestedUse: b.RequestedUse, BudgetRange: b.BudgetRange,
		Timeline: b.RequestedTimeline, Message: b.Message, BudgetCents: -1, TermMonths: -1, IntentDigest: b.IntentDigest, Locale: b.Locale,
	}
	if b.Agent != nil {
		r.Agent = string(wire.Append(nil, b.Agent))
	}
	if b.Ext.Kind != wire.KindNull {
		r.Ext = string(b.Ext.Append(nil))
	}
	r.Dedupe = credential.Digest("dedupe", r.SiteID, strings.ToLower(r.BuyerEmail), r.IntendedUse, r.RequestedScope)
	return r
}

// publicToken returns a conversation token and, with an Idempotency-Key, claims
// the key for the caller's e-mail address, so that callers who happen to choose
// the same key do not meet.
func (s *Service) publicToken(sub *submission, r *origin.Request) (string, error) {
	if sub.token != "" {
		return sub.token, nil
	}
	if sub.key == "" {
		token, err := credential.Conversation.New(s.Inquiries.Rand)
		return token, err
	}
	r.KeyScope = "public:" + credential.Digest(strings.ToLower(r.BuyerEmail))
	r.Key = sub.key
	r.Fingerprint = sub.fingerprint
	return s.Tokens.DeriveToken(r.KeyScope, r.Key, r.Fingerprint), nil
}

// CheckSite checks that a publisher takes inquiries. It returns the problem
// site_not_found or site_not_accepting_inquiries if it does not.
func (s *Service) CheckSite(ctx context.Context, siteID string) error {
	return siteMissing(s.openSite(ctx, siteID))
}
