package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"time"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/origin"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/request"
)

// AntiSpam counts public requests, and asks for proof of work or identity where
// there are many.
type AntiSpam struct {
	BaseURL   string      // absolute, without a final slash
	ProofBits int         // difficulty of a proof of work; 0 means 18
	Keys      access.Keys // of agents that sign their requests; nil: everyone must prove work
	Counters  origin.Counters
	Limits    *limit.Limits
	Now       func() time.Time
	Rand      io.Reader
}

// countPublicRequest counts a public request against the quotas of its address
// and of its e-mail address, which are kept in the origin because they must be
// exact. An address that has used half its quota must prove some work; a
// browser without scripts cannot, and its request is held for review instead.
func (s *AntiSpam) countPublicRequest(ctx context.Context, c *request.Call, sub *submission, header *edge.Header) (doubt string, err error) {
	windows := s.quotaWindows(c, sub.body)
	if sub.counted {
		windows = windows[len(windows)-len(s.Limits.Quotas("inquiry-email")):]
	}
	prove := func() (doubt string, err error) {
		switch {
		case !isBusy(windows) || !sub.form && s.isSigned(ctx, c):
			return "", nil
		case !sub.form:
			return "", s.proven(ctx, c)
		}
		return s.doubtUnless(ctx, sub.proof, 0, "many requests from one address, by form")
	}
	return s.count(ctx, windows, 1, header, prove)
}

// count counts calls against windows that have room for them, once prove has no
// error. It returns the doubt that prove has.
func (s *AntiSpam) count(ctx context.Context, windows []limit.Window, calls int, header *edge.Header, prove func() (string, error)) (doubt string, err error) {
	if err := limit.Read(ctx, s.Counters, windows); err != nil {
		return "", err
	}
	if err := limit.Exceeded(windows, header, int64(calls)); err != nil {
		return "", err
	}
	if doubt, err = prove(); err != nil || len(windows) == 0 {
		return doubt, err
	}
	for range calls {
		if err := limit.Bump(ctx, s.Counters, windows); err != nil {
			return "", err
		}
	}
	return doubt, limit.Exceeded(windows, header, 0)
}

// doubtUnless returns a doubt unless a form has a proof of work, with more bits
// than usual.
func (s *AntiSpam) doubtUnless(ctx context.Context, proof string, more int, doubt string) (string, error) {
	if ok, err := s.spendWork(ctx, proof, more); ok || err != nil {
		return "", err
	}
	return doubt, nil
}

// countShortlist counts a form to n publishers against the quotas of its
// address, five publishers as one request. It must prove some work, or is held.
func (s *AntiSpam) countShortlist(ctx context.Context, c *request.Call, sub *submission, n int, header *edge.Header) (doubt string, err error) {
	if c.Remote == "" {
		return "", nil
	}
	all := s.quotaWindows(c, sub.body)
	windows := all[:len(all)-len(s.Limits.Quotas("inquiry-email"))]
	return s.count(ctx, windows, (n+sharedCall-1)/sharedCall, header, func() (string, error) {
		if n == 1 && !isBusy(windows) {
			return "", nil
		}
		return s.doubtUnless(ctx, sub.proof, groupBits, "several publishers at once, without a proof of work")
	})
}

// isSigned reports whether the caller proves its identity by a signature (Web
// Bot Auth) made for this service.
func (s *AntiSpam) isSigned(ctx context.Context, c *request.Call) bool {
	if !c.Header.Has("signature-input") {
		return false
	}
	if _, own, _ := strings.Cut(s.BaseURL, "://"); !strings.EqualFold(strings.TrimSuffix(c.Header.Get("host"), ":443"), own) {
		return false
	}
	_, ok := access.Signers{Keys: s.Keys, Nonces: nonces{s.Counters}}.Identify(ctx, c.Request, s.Now())
	return ok
}

// nonces are those in the database, which all processes and isolates share.
// Scheduled maintenance removes expired ones.
type nonces struct{ origin.Counters }

// Spend implements access.Nonces.
func (n nonces) Spend(ctx context.Context, host, nonce string, until time.Time) bool {
	sum := sha256.Sum256([]byte(host + "\n" + nonce))
	fresh, err := n.SpendProof(ctx, "signature "+hex.EncodeToString(sum[:]), exports.Instant(until))
	return err == nil && fresh
}

// countLetters counts that an address is asked to confirm itself. It reports
// whether it was asked too often.
func (s *AntiSpam) countLetters(ctx context.Context, email string) (exceeded bool, err error) {
	windows := limit.Windows(s.Limits.Quotas("letters"), s.Limits.Seal("letters", strings.ToLower(email)), s.Now())
	if err := limit.Bump(ctx, s.Counters, windows); err != nil {
		return false, err
	}
	return slices.ContainsFunc(windows, func(w limit.Window) bool { return w.Counter.Count > w.Quota.Calls }), nil
}

// quotaWindows returns the windows that a request counts against. A counter's
// name contains the caller's address only as a keyed digest.
func (s *AntiSpam) quotaWindows(c *request.Call, b *inquiries.PublicRequest) []limit.Window {
	var out []limit.Window
	now := s.Now()
	if c.Remote != "" {
		out = limit.Windows(s.Limits.Quotas("inquiry"), s.Limits.CallerKey(c.Remote), now)
	}
	email := s.Limits.Seal("email", strings.ToLower(b.RequesterEmail), b.SiteID)
	return append(out, limit.Windows(s.Limits.Quotas("inquiry-email"), email, now)...)
}

// isBusy reports whether an address would be over half its shortest quota.
func isBusy(windows []limit.Window) bool {
	for _, w := range windows {
		if w.Quota.Name == "inquiry" {
			return 2*(w.Counter.Count+1) > w.Quota.Calls
		}
	}
	return false
}
