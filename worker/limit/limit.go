// Package limit counts calls against rate policies, and informs callers of
// them.
package limit

import (
	"context"
	"strconv"
	"strings"

	"colophon/internal/credential"
	"colophon/internal/wire"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// Limiter counts calls against a named rate policy.
type Limiter interface {
	// Allow counts one call of key against policy. It returns the quotas that
	// refuse it, none if it is allowed, and in how many seconds a retry makes
	// sense.
	Allow(ctx context.Context, policy, key string) (over []Quota, wait int64)
}

// Meter is a Limiter that also knows what is left. If the limiter is not a
// Meter, as at the edge, answers carry only RateLimit-Policy.
type Meter interface {
	// Left returns how many calls of a quota key still has, and in how many
	// seconds the quota is full again.
	Left(ctx context.Context, policy, key string, q Quota) (calls, reset int64)
}

// Limits are the policies of a service and what counts against them.
type Limits struct {
	Limiter  Limiter  // nil: nothing is limited
	Policies []Policy // nil: DefaultPolicies
	Secret   []byte   // key of Seal
}

// Quotas returns those of a policy, as configured.
func (l *Limits) Quotas(policy string) []Quota {
	if l.Policies == nil {
		return QuotasOf(DefaultPolicies(), policy)
	}
	return QuotasOf(l.Policies, policy)
}

// Answer calls h if the policies allow one more call of key, and adds the
// RateLimit headers to the answer.
func (l *Limits) Answer(ctx context.Context, key string, policies []string, h func() (*edge.Response, error)) (*edge.Response, error) {
	header, err := l.Count(ctx, key, policies)
	if err != nil {
		return nil, err
	}
	resp, err := h()
	if err == nil {
		resp.Header = append(resp.Header, header...)
		return resp, nil
	}
	if f := problem.Of(err); f != nil {
		f.Header = append(f.Header, header...)
		return nil, f
	}
	return nil, err
}

// Count counts one call against each policy.
func (l *Limits) Count(ctx context.Context, key string, policies []string) (edge.Header, error) {
	if l.Limiter == nil {
		return nil, nil
	}
	var header edge.Header
	for _, p := range policies {
		quotas := l.Quotas(p)
		if len(quotas) == 0 {
			continue
		}
		over, wait := l.Limiter.Allow(ctx, p, key)
		header = l.rateHeaders(ctx, header, p, key, quotas)
		if len(over) > 0 {
			return nil, tooMany(header, over, wait)
		}
	}
	return header, nil
}

// Allow counts one call of a key or, if the key is "", of the caller's address.
// If it is refused, wait is the number of seconds until a retry makes sense.
func (l *Limits) Allow(ctx context.Context, r *edge.Request, policy, key string) (ok bool, wait int64) {
	if l.Limiter == nil {
		return true, 0
	}
	if key == "" {
		key = l.CallerKey(r.Remote)
	}
	over, wait := l.Limiter.Allow(ctx, policy, key)
	return len(over) == 0, wait
}

// Refuse counts a presented credential that was refused against its caller, in
// quotas shared with no owner of a credential: a caller that guesses uses up
// only its own. It returns err, or quota_exceeded once the caller has no
// refusals left. It does not count other errors, such as a missing credential.
func (l *Limits) Refuse(ctx context.Context, remote string, err error) error {
	f := problem.Of(err)
	if f == nil || !refusesCredential(f.Code) {
		return err
	}
	header, full := l.Count(ctx, l.CallerKey(remote), []string{PolicyCredential})
	if full != nil {
		return full
	}
	f.Header = append(f.Header, header...)
	return f
}

// refusesCredential reports whether a code means that a credential was sent and
// is not accepted.
func refusesCredential(code string) bool {
	switch code {
	case "credential_invalid", "credential_expired", "conflicting_credentials", "key_disabled", "partner_suspended":
		return true
	case "thread_not_found", "not_found": // a token or an inbox link that opens nothing
		return true
	}
	return false
}

// tooMany returns the refusal of a call by the quotas that are used up.
func tooMany(header edge.Header, over []Quota, wait int64) error {
	names := make([]string, len(over))
	for i, q := range over {
		names[i] = q.Name
	}
	return &problem.Failure{Code: "quota_exceeded", Retry: max(wait, 1), Header: header, More: []wire.Member{wire.M("violated-policies", wire.Strings(names...))}}
}

// rateHeaders adds a policy to the two headers.
func (l *Limits) rateHeaders(ctx context.Context, h edge.Header, policy, key string, quotas []Quota) edge.Header {
	joinHeader(&h, "ratelimit-policy", policyHeader(quotas))
	if m, ok := l.Limiter.(Meter); ok {
		for _, q := range quotas {
			left, reset := m.Left(ctx, policy, key, q)
			joinHeader(&h, "ratelimit", rateLimit(q, left, reset))
		}
	}
	return h
}

func rateLimit(q Quota, left, reset int64) string {
	return "\"" + q.Name + "\";r=" + strconv.FormatInt(max(left, 0), 10) + ";t=" + strconv.FormatInt(reset, 10)
}

func joinHeader(h *edge.Header, name, value string) {
	if have := h.Get(name); have != "" {
		value = have + ", " + value
	}
	h.Set(name, value)
}

// CallerKey returns a key that represents a caller's address without revealing
// it: a digest, keyed by the server, of the /64 of an IPv6 address or of a
// whole IPv4 address.
func (l *Limits) CallerKey(remote string) string { return l.Seal("remote", addressNetwork(remote)) }

// Seal returns a digest of parts, the first of which is its purpose, keyed by
// the server: it reveals nothing of them, and nobody else can make it.
func (l *Limits) Seal(parts ...string) string { return credential.Sealed(l.Secret, parts...)[:22] }

// addressNetwork shortens an IPv6 address to its first four groups.
func addressNetwork(addr string) string {
	if !strings.Contains(addr, ":") {
		return addr
	}
	if v4 := addr[strings.LastIndexByte(addr, ':')+1:]; strings.Contains(v4, ".") {
		return v4 // an IPv4 address in IPv6 form
	}
	head, tail, short := strings.Cut(addr, "::")
	groups := strings.Split(head, ":")
	if head == "" {
		groups = nil
	}
	if short {
		rest := strings.Split(tail, ":")
		if tail == "" {
			rest = nil
		}
		for len(groups)+len(rest) < 8 {
			groups = append(groups, "0")
		}
		groups = append(groups, rest...)
	}
	for i := range groups {
		if groups[i] = strings.TrimLeft(strings.ToLower(groups[i]), "0"); groups[i] == "" {
			groups[i] = "0"
		}
	}
	return strings.Join(groups[:min(4, len(groups))], ":") + "::/64"
}
