package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/worker/access"
	"colophon/worker/edge"
)

// window is one quota of one caller in the window that now falls in.
type window struct {
	quota exports.Quota
	count origin.Counter
	left  int64 // seconds until the window ends
}

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
		windows = windows[len(windows)-len(c.deps.policyQuotas("inquiry-email")):]
	}
	if err := c.readWindows(ctx, windows); err != nil {
		return "", err
	}
	if err := checkExceeded(windows, header, 1); err != nil {
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
	counters := make([]origin.Counter, len(windows))
	for i := range windows {
		counters[i] = windows[i].count
	}
	now, err := c.deps.Counters.Bump(ctx, counters)
	if err != nil {
		return "", err
	}
	takeRoom(windows, now)
	return doubt, checkExceeded(windows, header, 0)
}

// countShortlist counts a form to n publishers against the quotas of its
// address, five publishers as one request. It proves some work, or is held.
func (c *call) countShortlist(ctx context.Context, s *submission, n int, header *edge.Header) (doubt string, err error) {
	if c.deps.Counters == nil || c.Remote == "" {
		return "", nil
	}
	all := c.quotaWindows(s.body)
	windows := all[:len(all)-len(c.deps.policyQuotas("inquiry-email"))]
	if err := c.readWindows(ctx, windows); err != nil {
		return "", err
	}
	calls := (n + sharedCall - 1) / sharedCall
	if err := checkExceeded(windows, header, int64(calls)); err != nil {
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
	counters := make([]origin.Counter, len(windows))
	for i := range windows {
		counters[i] = windows[i].count
	}
	for range calls {
		now, err := c.deps.Counters.Bump(ctx, counters)
		if err != nil {
			return "", err
		}
		takeRoom(windows, now)
	}
	return doubt, checkExceeded(windows, header, 0)
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
func (c *call) quotaWindows(b *exports.PublicRequest) []window {
	var out []window
	add := func(policy, who string) {
		for _, q := range c.deps.policyQuotas(policy) {
			now := c.deps.Now().Unix()
			start := now - now%q.Window
			end := exports.Instant(c.deps.Now().Add(secondsOf(start + q.Window - now)))
			name := q.Name + " " + who + " " + strconv.FormatInt(start, 10)
			out = append(out, window{q, origin.Counter{Name: name, ResetsAt: end}, start + q.Window - now})
		}
	}
	if c.Remote != "" {
		add("inquiry", c.remoteKey())
	}
	add("inquiry-email", inquiry.Sealed(c.deps.Secret, "email", strings.ToLower(b.RequesterEmail), b.SiteID)[:22])
	return out
}

func (c *call) readWindows(ctx context.Context, windows []window) error {
	names := make([]string, len(windows))
	for i := range windows {
		names[i] = windows[i].count.Name
	}
	have, err := c.deps.Counters.Counts(ctx, names)
	takeRoom(windows, have)
	return err
}

func takeRoom(windows []window, counts []origin.Counter) {
	for _, n := range counts {
		for i := range windows {
			if windows[i].count.Name == n.Name {
				windows[i].count.Count = n.Count
			}
		}
	}
}

// checkExceeded refuses when a window has no room for so many more, and writes the
// headers in any case.
func checkExceeded(windows []window, header *edge.Header, room int64) error {
	*header = nil
	var over []exports.Quota
	var wait int64
	for _, w := range windows {
		joinHeader(header, "ratelimit-policy", exports.RateLimitPolicy([]exports.Quota{w.quota}))
		joinHeader(header, "ratelimit", rateLimit(w.quota, w.quota.Calls-w.count.Count, w.left))
		if w.count.Count+room > w.quota.Calls {
			over = append(over, w.quota)
			wait = max(wait, w.left)
		}
	}
	if over == nil {
		return nil
	}
	return tooMany(nil, over, wait)
}

// isBusy reports whether an address would be over half its shortest quota.
func isBusy(windows []window) bool {
	for _, w := range windows {
		if w.quota.Name == "inquiry" {
			return 2*(w.count.Count+1) > w.quota.Calls
		}
	}
	return false
}
