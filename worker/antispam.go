package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/limit"
)

// countPublicRequest counts a public request against the quotas of its address and of its
// e-mail address, which are kept in the origin because they must be exact. An
// address that is over half its quota proves some work; a browser without
// scripts cannot, and its request is held for a look instead.
func (c *call) countPublicRequest(ctx context.Context, s *submission, header *edge.Header) (doubt string, err error) {
	if c.deps.Counters == nil {
		return "", nil
	}
	windows := c.quotaWindows(s.body)
	if s.counted {
		windows = windows[len(windows)-len(c.deps.Limits.Quotas("inquiry-email")):]
	}
	if err := limit.Read(ctx, c.deps.Counters, windows); err != nil {
		return "", err
	}
	if err := limit.Exceeded(windows, header, 1); err != nil {
		return "", err
	}
	if isBusy(windows) {
		switch {
		case s.form:
			ok, err := c.spendWork(ctx, s.proof, 0)
			if err != nil {
				return "", err
			}
			if !ok {
				doubt = "many requests from one address, by form"
			}
		case c.isSigned(ctx):
		default:
			if err := c.proven(ctx); err != nil {
				return "", err
			}
		}
	}
	if len(windows) == 0 {
		return doubt, nil
	}
	if err := limit.Bump(ctx, c.deps.Counters, windows); err != nil {
		return "", err
	}
	return doubt, limit.Exceeded(windows, header, 0)
}

// countShortlist counts a form to n publishers against the quotas of its
// address, five publishers as one request. It proves some work, or is held.
func (c *call) countShortlist(ctx context.Context, s *submission, n int, header *edge.Header) (doubt string, err error) {
	if c.deps.Counters == nil || c.Remote == "" {
		return "", nil
	}
	all := c.quotaWindows(s.body)
	windows := all[:len(all)-len(c.deps.Limits.Quotas("inquiry-email"))]
	if err := limit.Read(ctx, c.deps.Counters, windows); err != nil {
		return "", err
	}
	calls := (n + sharedCall - 1) / sharedCall
	if err := limit.Exceeded(windows, header, int64(calls)); err != nil {
		return "", err
	}
	if n > 1 || isBusy(windows) {
		ok, err := c.spendWork(ctx, s.proof, groupBits)
		if err != nil {
			return "", err
		}
		if !ok {
			doubt = "several publishers at once, without a proof of work"
		}
	}
	for range calls {
		if err := limit.Bump(ctx, c.deps.Counters, windows); err != nil {
			return "", err
		}
	}
	return doubt, limit.Exceeded(windows, header, 0)
}

// isSigned reports whether the caller proves who it is by a signature (Web Bot
// Auth) made for this service.
func (c *call) isSigned(ctx context.Context) bool {
	if c.deps.Signers == nil || !c.Header.Has("signature-input") {
		return false
	}
	if _, own, _ := strings.Cut(c.deps.BaseURL, "://"); !strings.EqualFold(strings.TrimSuffix(c.Header.Get("host"), ":443"), own) {
		return false
	}
	s, ok := access.VerifySignature(ctx, c.Request, c.deps.Signers, c.deps.Now())
	return ok && c.spendNonce(ctx, &s)
}

// spendNonce reports whether a signature was not brought before. Nonces are in
// the database, so that all processes and isolates share them; the clock of the
// service sweeps those whose time is over.
func (c *call) spendNonce(ctx context.Context, s *access.Signature) bool {
	if s.Nonce == "" {
		return true
	}
	sum := sha256.Sum256([]byte(s.Host + "\n" + s.Nonce))
	fresh, err := c.deps.Counters.SpendProof(ctx, "signature "+hex.EncodeToString(sum[:]), exports.Instant(s.Until))
	return err == nil && fresh
}

// quotaWindows lists what a request counts against. The address of a caller is in
// the name of a counter only as a keyed digest.
func (c *call) quotaWindows(b *exports.PublicRequest) []limit.Window {
	var out []limit.Window
	now := c.deps.Now()
	if c.Remote != "" {
		out = limit.Windows(c.deps.Limits.Quotas("inquiry"), c.deps.Limits.CallerKey(c.Remote), now)
	}
	email := inquiry.Sealed(c.deps.Secret, "email", strings.ToLower(b.RequesterEmail), b.SiteID)[:22]
	return append(out, limit.Windows(c.deps.Limits.Quotas("inquiry-email"), email, now)...)
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
