package auth

import (
	"context"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// Partner is an organization with the key that it presented.
type Partner struct {
	origin.Partner
	Key    origin.PartnerKey
	Scopes []string // of the organization and the key alike
}

// Partner finds the organization to which the caller's key belongs. A key that
// was never issued is answered with 401, one that may not be used with 403.
func (s *Service) Partner(ctx context.Context, r *edge.Request) (*Partner, error) {
	secret, err := partnerSecret(r)
	if err != nil {
		return nil, err
	}
	if s.Partners == nil {
		return nil, problem.Unavailable()
	}
	key, state, err := s.findKey(ctx, secret)
	if err != nil {
		return nil, err
	}
	p, err := s.Partners.Partner(ctx, key.OrgID)
	if err != nil {
		return nil, err
	}
	switch {
	case p.State != "active":
		return nil, problem.New("partner_suspended", "")
	case state == "expired":
		return nil, unauthorizedError("credential_expired", `, error="invalid_token"`)
	case state != "active":
		return nil, problem.New("key_disabled", "The key is "+state+".")
	}
	return &Partner{p, *key, commonScopes(p.Scopes, key.Scopes)}, nil
}

// partnerSecret returns the key from either header.
func partnerSecret(r *edge.Request) (string, error) {
	own := strings.TrimSpace(r.Header.Get("x-service-partner-key"))
	auth := strings.TrimSpace(r.Header.Get("authorization"))
	scheme, bearer, _ := strings.Cut(auth, " ")
	bearer = strings.TrimSpace(bearer)
	if auth != "" && (!strings.EqualFold(scheme, "bearer") || bearer == "") {
		return "", unauthorizedError("credential_invalid", `, error="invalid_token"`)
	}
	switch {
	case own == "" && bearer == "":
		return "", unauthorizedError("credential_missing", "")
	case own != "" && bearer != "" && !credential.Same(own, bearer), len(r.Header.Values("authorization")) > 1, len(r.Header.Values("x-service-partner-key")) > 1:
		return "", problem.New("conflicting_credentials", "")
	case own != "":
		return own, nil
	}
	return bearer, nil
}

func unauthorizedError(code, more string) error {
	f := problem.New(code, "")
	f.Header.Set("www-authenticate", `Bearer realm="partner"`+more)
	return f
}

// findKey returns the key with a secret, and its present state.
func (s *Service) findKey(ctx context.Context, secret string) (key *origin.PartnerKey, state string, err error) {
	part := func(k *origin.PartnerKey) *origin.Credential { return &k.Credential }
	key, state, err = credential.Find(ctx, s.Partners.KeysByLookup, part, secret, exports.Instant(s.Now()))
	if err != nil {
		return nil, "", err
	}
	if key == nil {
		return nil, "", unauthorizedError("credential_invalid", `, error="invalid_token"`)
	}
	return key, state, nil
}

// commonScopes returns the scopes of an organization that a key has too; a key
// without scopes of its own has all of them.
func commonScopes(org, key []string) []string {
	if len(key) == 0 {
		return org
	}
	return slices.DeleteFunc(slices.Clone(org), func(scope string) bool { return !slices.Contains(key, scope) })
}
