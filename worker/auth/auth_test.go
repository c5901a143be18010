package auth_test

import (
	"context"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/worker/auth"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/problem"
)

const now = "2026-11-20T09:00:00Z"

// store holds a credential of each kind, with this state and end.
type store struct {
	origin.PartnerKeys
	origin.BuyerReader
	origin.InboxLinks
	origin.Joins
	state, expires, org string
}

func (s store) credential() origin.Credential {
	hash := credential.Digest("right")
	return origin.Credential{Lookup: credential.LookupOf(hash), Hash: hash, State: s.state, ExpiresAt: s.expires}
}

func (s store) KeysByLookup(context.Context, string) ([]origin.PartnerKey, error) {
	return []origin.PartnerKey{{OrgID: "org_1", Scopes: []string{"b", "c"}, Credential: s.credential()}}, nil
}

func (s store) Partner(context.Context, string) (origin.Partner, error) {
	return origin.Partner{OrgID: "org_1", State: s.org, Scopes: []string{"a", "b"}}, nil
}

func (s store) AccessByLookup(context.Context, string) ([]origin.Access, error) {
	return []origin.Access{{Credential: origin.BuyerCredential{Credential: s.credential()}}}, nil
}

func (s store) LinksByLookup(context.Context, string) ([]origin.InboxLink, error) {
	return []origin.InboxLink{{Credential: s.credential()}}, nil
}

func (s store) JoinsByLookup(context.Context, string) ([]origin.Join, error) {
	return []origin.Join{{Hash: credential.Digest("right"), ExpiresAt: s.expires}}, nil
}

func (s store) RequestByThread(_ context.Context, threadID string) (origin.Request, error) {
	if threadID != "thr_1" {
		return origin.Request{}, origin.ErrNotFound
	}
	return origin.Request{ThreadID: threadID, TokenHash: credential.Digest("right"), TokenExpires: s.expires}, nil
}

func (s store) ReplaceToken(_ context.Context, _, _, _, _ string) (bool, error) { return true, nil }

func service(s store) *auth.Service {
	at, _ := time.Parse(time.RFC3339, now)
	return &auth.Service{Partners: s, Buyers: s, Inboxes: s, Joins: s, Conversations: s, Limits: &limit.Limits{}, Now: func() time.Time { return at }}
}

func codeOf(err error) string {
	if f := problem.Of(err); f != nil {
		return f.Code
	}
	return ""
}

func TestPartner(t *testing.T) {
	bearer, own := edge.Field{Name: "authorization", Value: "Bearer right"}, edge.Field{Name: "x-service-partner-key", Value: "right"}
	active := store{state: "active", org: "active"}
	for _, c := range []struct {
		name   string
		store  store
		header edge.Header
		code   string
	}{
		{"bearer", active, edge.Header{bearer}, ""},
		{"own header", active, edge.Header{own}, ""},
		{"both", active, edge.Header{bearer, own}, ""},
		{"two keys", active, edge.Header{bearer, {Name: "x-service-partner-key", Value: "other"}}, "conflicting_credentials"},
		{"twice", active, edge.Header{own, own}, "conflicting_credentials"},
		{"none", active, nil, "credential_missing"},
		{"basic", active, edge.Header{{Name: "authorization", Value: "Basic right"}}, "credential_invalid"},
		{"wrong", active, edge.Header{{Name: "authorization", Value: "Bearer wrong"}}, "credential_invalid"},
		{"expired", store{state: "active", org: "active", expires: now}, edge.Header{bearer}, "credential_expired"},
		{"revoked", store{state: "revoked", org: "active"}, edge.Header{bearer}, "key_disabled"},
		{"suspended organization", store{state: "active", org: "suspended"}, edge.Header{bearer}, "partner_suspended"},
	} {
		p, err := service(c.store).Partner(context.Background(), &edge.Request{Header: c.header})
		assert.Equal(t, codeOf(err), c.code, "%s: %v", c.name, err)
		if err == nil && (len(p.Scopes) != 1 || p.Scopes[0] != "b") {
			t.Errorf("%s: scopes %q", c.name, p.Scopes)
		}
	}
}

func TestBuyer(t *testing.T) {
	for _, c := range []struct {
		name   string
		store  store
		bearer string
		code   string
	}{
		{"active", store{state: "active"}, "Bearer right", ""},
		{"none", store{state: "active"}, "", "credential_missing"},
		{"no scheme", store{state: "active"}, "right", "credential_invalid"},
		{"wrong", store{state: "active"}, "Bearer wrong", "credential_invalid"},
		{"revoked", store{state: "revoked"}, "Bearer right", "credential_invalid"},
		{"suspended", store{state: "suspended"}, "Bearer right", "key_disabled"},
		{"expired", store{state: "active", expires: now}, "Bearer right", "credential_expired"},
	} {
		var h edge.Header
		if c.bearer != "" {
			h.Set("authorization", c.bearer)
		}
		_, err := service(c.store).Buyer(context.Background(), &edge.Request{Header: h})
		assert.Equal(t, codeOf(err), c.code, "%s: %v", c.name, err)
	}
}

// TestConversation checks that an expired token, a wrong one and an unknown
// conversation give the same answer, and that using a token extends it.
func TestConversation(t *testing.T) {
	for _, c := range []struct{ thread, token, expires, code, until string }{
		{"thr_1", "right", "2026-11-20T09:00:01Z", "", "2027-05-19T09:00:00Z"},
		{"thr_1", "right", "2027-05-18T09:00:00Z", "", "2027-05-18T09:00:00Z"},
		{"thr_1", "right", now, "thread_not_found", ""},
		{"thr_1", "wrong", "2026-12-01T00:00:00Z", "thread_not_found", ""},
		{"thr_2", "right", "2026-12-01T00:00:00Z", "thread_not_found", ""},
		{"thr_1", "", "2026-12-01T00:00:00Z", "conversation_token_missing", ""},
	} {
		r, err := service(store{expires: c.expires}).Conversation(context.Background(), "192.0.2.1", c.thread, c.token)
		if codeOf(err) != c.code || err == nil && r.TokenExpires != c.until {
			t.Errorf("%s with %q until %s: %v, until %s", c.thread, c.token, c.expires, err, r.TokenExpires)
		}
	}
}

// TestLinks checks that a link expires, and that an expired link opens as
// little as a wrong one.
func TestLinks(t *testing.T) {
	for _, c := range []struct {
		secret, expires string
		opens           bool
	}{
		{"right", "2026-12-01T00:00:00Z", true}, {"wrong", "2026-12-01T00:00:00Z", false}, {"right", now, false}, {"right", "", false},
	} {
		s := service(store{state: "active", expires: c.expires})
		_, inbox := s.InboxLink(context.Background(), c.secret)
		_, join := s.Join(context.Background(), c.secret)
		for _, err := range []error{inbox, join} {
			if (err == nil) != c.opens || !c.opens && codeOf(err) != "not_found" {
				t.Errorf("%s until %s: %v", c.secret, c.expires, err)
			}
		}
	}
}
