package worker

import (
	"context"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
	"colophon/worker/request"
)

// createRequest takes a public licensing request, as JSON or from a form.
func createRequest(ctx context.Context, c *call) (*edge.Response, error) {
	return c.deps.Limits.Answer(ctx, "request "+c.deps.Limits.CallerKey(c.Remote), []string{"prepare"}, func() (*edge.Response, error) { return c.createRequest(ctx) })
}

func (c *call) createRequest(ctx context.Context) (*edge.Response, error) {
	if c.BodyType() == "application/x-www-form-urlencoded" {
		return c.createFromForm(ctx)
	}
	var body exports.PublicRequest
	fingerprint, err := c.DecodeBody(&body, exports.MaxBody)
	if err != nil {
		return nil, err
	}
	s := submission{body: &body, fingerprint: fingerprint}
	if s.key, err = c.IdempotencyKey(); err != nil {
		return nil, err
	}
	done, err := c.submitPublic(ctx, &s)
	if err != nil {
		return nil, err
	}
	receipt := inquiry.Receipt(done.request, done.token)
	resp := request.Record(201, &receipt)
	resp.Header = append(resp.Header, done.header...)
	if s.key != "" {
		resp.Header.Set("idempotency-replayed", yesNo(done.replayed))
	}
	return resp, nil
}

// submission is a public request on its way.
type submission struct {
	body        *exports.PublicRequest
	fingerprint string
	key         string // Idempotency-Key, "" none
	form        bool   // a browser sent it, which proves work by a script or not at all
	proof       string // of work, from a form: as in Service-Proof, "" none
	counted     bool   // the caller was counted for it already
	token       string // of the conversation, "" a new one
	doubt       string // private: why it should be held, "" no doubt
	group       string // what is sent together, "" it is sent alone
	letters     string // what is with letters to the sender, "" to be chosen
}

// submitted is what became of it.
type submitted struct {
	request  origin.Request
	token    string
	replayed bool
	header   edge.Header
}

// submitPublic checks, stores and delivers. What is suspicious is stored like
// anything else and held, so that nothing is lost and nothing is learned.
func (c *call) submitPublic(ctx context.Context, s *submission) (submitted, error) {
	desk, err := c.inquiryService()
	if err != nil {
		return submitted{}, err
	}
	r := publicRequest(s.body)
	token, err := c.publicToken(s, &r)
	if err != nil {
		return submitted{}, err
	}
	r.TokenHash, r.HeldFor = inquiry.Digest(token), s.doubt
	r.GroupID = s.group
	var header edge.Header
	replayed, err := c.submitRequest(ctx, desk, &r, func() error { return c.admitPublic(ctx, s, &r, &header) })
	if err != nil {
		if f := problem.Of(err); f != nil {
			f.Header = append(f.Header, header...)
			return submitted{}, f
		}
		return submitted{}, err
	}
	header.Set("location", exports.ConversationPath(r.ThreadID))
	return submitted{r, token, replayed, header}, nil
}

// admitPublic checks a public request that is no retry, counts it, and decides
// whether it is held and whether its sender gets letters.
func (c *call) admitPublic(ctx context.Context, s *submission, r *origin.Request, header *edge.Header) error {
	if err := siteRefused(c.openSite(ctx, r.SiteID)); err != nil {
		return err
	}
	doubt, err := c.countPublicRequest(ctx, s, header)
	if err != nil {
		return err
	}
	if r.HeldFor == "" {
		r.HeldFor = doubt
	}
	r.Letters, err = c.chooseLetters(ctx, s)
	return err
}

// chooseLetters tells whether the sender's address is asked to confirm itself.
// One that was asked often today is left alone: it may be somebody else's.
func (c *call) chooseLetters(ctx context.Context, s *submission) (string, error) {
	if s.letters != "" || !c.deps.Letters || c.deps.Counters == nil {
		return s.letters, nil
	}
	who := inquiry.Sealed(c.deps.Secret, "letters", strings.ToLower(s.body.RequesterEmail))[:22]
	windows := limit.Windows(c.deps.Limits.Quotas("letters"), who, c.deps.Now())
	if err := limit.Bump(ctx, c.deps.Counters, windows); err != nil {
		return "", err
	}
	for _, w := range windows {
		if w.Counter.Count > w.Quota.Calls {
			return origin.LettersNone, nil
		}
	}
	s.letters = origin.LettersUnconfirmed
	return s.letters, nil
}

// siteRefused is how the public endpoint tells of a publisher that is not
// there: as a field to correct.
func siteRefused(err error) error {
	if errors.Is(err, errNoSite) {
		return problem.Reject("/site_id", "site_not_found", "No such publisher.")
	}
	return siteMissing(err)
}

func publicRequest(b *exports.PublicRequest) origin.Request {
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
	r.Dedupe = inquiry.Digest("dedupe", r.SiteID, strings.ToLower(r.BuyerEmail), r.IntendedUse, r.RequestedScope)
	return r
}

// publicToken makes the conversation token and, with an Idempotency-Key,
// claims the key for the caller's e-mail address: another caller who happens
// to choose the same key is another caller.
func (c *call) publicToken(s *submission, r *origin.Request) (string, error) {
	if s.token != "" {
		return s.token, nil
	}
	if s.key == "" {
		token, _, _, err := inquiry.NewSecret(c.deps.Rand, inquiry.PrefixToken)
		return token, err
	}
	r.KeyScope = "public:" + inquiry.Digest(strings.ToLower(r.BuyerEmail))
	r.Key = s.key
	r.Fingerprint = s.fingerprint
	return inquiry.TokenFor(c.deps.Secret, r.KeyScope, r.Key, r.Fingerprint), nil
}
