package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"colophon/exports"
	"colophon/exports/inquiries"
	"colophon/internal/credential"
	"colophon/worker/access"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/request"
)

// countPublicRequest counts a public request against the quotas of its address
// and of its e-mail address, which are kept in the origin because they must be
// exact. An address that has used half its quota must prove some work; a
// browser without scripts cannot, and its request is held for review instead.
func (s *Service) countPublicRequest(ctx context.Context, c *request.Call, sub *submission, header *edge.Header) (doubt string, err error) {
	if s.Counters == nil {
		return "", nil
	}
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
func (s *Service) countShortlist(ctx context.Context, c *request.Call, sub *submission, n int, header *edge.Header) (doubt string, err error) {
	if s.Counters == nil || c.Remote == "" {
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
func (s *Service) isSigned(ctx context.Context, c *request.Call) bool {
	if s.Signers == nil || !c.Header.Has("signature-input") {
		return false
	}
	if _, own, _ := strings.Cut(s.BaseURL, "://"); !strings.EqualFold(strings.TrimSuffix(c.Header.Get("host"), ":443"), own) {
		return false
	}
	signature, ok := access.VerifySignature(ctx, c.Request, s.Signers, s.Inquiries.Now())
	return ok && s.spendNonce(ctx, &signature)
}

// spendNonce reports whether a signature was not used before. Nonces are in the
// database, so that all processes and isolates share them; scheduled
// maintenance removes expired ones.
func (s *Service) spendNonce(ctx context.Context, x *access.Signature) bool {
	if x.Nonce == "" {
		return true
	}
	sum := sha256.Sum256([]byte(x.Host + "\n" + x.Nonce))
	fresh, err := s.Counters.SpendProof(ctx, "signature "+hex.EncodeToString(sum[:]), exports.Instant(x.Until))
	return err == nil && fresh
}

// quotaWindows returns the windows that a request counts against. A counter's
// name contains the caller's address only as a keyed digest.
func (s *Service) quotaWindows(c *request.Call, b *inquiries.PublicRequest) []limit.Window {
	var out []limit.Window
	now := s.Inquiries.Now()
	if c.Remote != "" {
		out = limit.Windows(s.Limits.Quotas("inquiry"), s.Limits.CallerKey(c.Remote), now)
	}
	email := credential.Sealed(s.Secret, "email", strings.ToLower(b.RequesterEmail), b.SiteID)[:22]
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
