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
	if err := limit.Read(ctx, s.Counters, windows); err != nil {
		return "", err
	}
	if err := limit.Exceeded(windows, header, 1); err != nil {
		return "", err
	}
	if isBusy(windows) {
		switch {
		case sub.form:
			ok, err := s.spendWork(ctx, sub.proof, 0)
			if err != nil {
				return "", err
			}
			if !ok {
				doubt = "many requests from one address, by form"
			}
		case s.isSigned(ctx, c):
		default:
			if err := s.proven(ctx, c); err != nil {
				return "", err
			}
		}
	}
	if len(windows) == 0 {
		return doubt, nil
	}
	if err := limit.Bump(ctx, s.Counters, windows); err != nil {
		return "", err
	}
	return doubt, limit.Exceeded(windows, header, 0)
}

// countShortlist counts a form to n publishers against the quotas of its
// address, five publishers as one request. It must prove some work, or is held.
func (s *AntiSpam) countShortlist(ctx context.Context, c *request.Call, sub *submission, n int, header *edge.Header) (doubt string, err error) {
	if c.Remote == "" {
		return "", nil
	}
	all := s.quotaWindows(c, sub.body)
	windows := all[:len(all)-len(s.Limits.Quotas("inquiry-email"))]
	if err := limit.Read(ctx, s.Counters, windows); err != nil {
		return "", err
	}
	calls := (n + sharedCall - 1) / sharedCall
	if err := limit.Exceeded(windows, header, int64(calls)); err != nil {
		return "", err
	}
	if n > 1 || isBusy(windows) {
		ok, err := s.spendWork(ctx, sub.proof, groupBits)
		if err != nil {
			return "", err
		}
		if !ok {
			doubt = "several publishers at once, without a proof of work"
		}
	}
	for range calls {
		if err := limit.Bump(ctx, s.Counters, windows); err != nil {
			return "", err
		}
	}
	return doubt, limit.Exceeded(windows, header, 0)
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
