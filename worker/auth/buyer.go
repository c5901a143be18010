package auth

import (
	"context"
	"errors"
	"strings"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/worker/edge"
	"colophon/worker/problem"
)

// Buyer finds the credential in a request, and what it opens.
func (s *Service) Buyer(ctx context.Context, r *edge.Request) (*origin.Access, error) {
	secret, err := bearerToken(r)
	if err != nil {
		return nil, err
	}
	access, err := s.Access(ctx, secret)
	return access, Challenge(err)
}

// bearerToken returns the token in the Authorization header.
func bearerToken(r *edge.Request) (string, error) {
	auth := r.Header.Values("authorization")
	if len(auth) == 0 || strings.TrimSpace(auth[0]) == "" {
		return "", Challenge(problem.New("credential_missing", ""))
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(auth[0]), " ")
	if token = strings.TrimSpace(token); len(auth) > 1 || !strings.EqualFold(scheme, "bearer") || token == "" {
		return "", Challenge(problem.New("credential_invalid", ""))
	}
	return token, nil
}

// Challenge adds to the refusal of a credential how to send one.
func Challenge(err error) error {
	var f *problem.Failure
	if !errors.As(err, &f) || exports.KindOf(f.Code).Status != 401 {
		return err
	}
	f.Header.Set("www-authenticate", problem.ChallengeBuyer(f.Code))
	return f
}

// Access finds the active credential with a secret, and what it opens. It
// returns credential_invalid both for a secret that was never issued and for
// one that was revoked. Only the holder of a suspended or expired credential
// learns that it is: key_disabled, credential_expired.
func (s *Service) Access(ctx context.Context, secret string) (*origin.Access, error) {
	part := func(a *origin.Access) *origin.Credential { return &a.Credential.Credential }
	found, state, err := credential.Find(ctx, s.Buyers.AccessByLookup, part, secret, exports.Instant(s.Now()))
	if err != nil {
		return nil, err
	}
	switch state {
	case "active":
		return found, nil
	case "suspended":
		return nil, problem.New("key_disabled", "The credential is suspended.")
	case "expired":
		return nil, problem.New("credential_expired", "")
	}
	return nil, problem.New("credential_invalid", "")
}

// GrantsOf returns the grants of a credential's holder that concern a site;
// known is false for a credential that opens nothing.
func (s *Service) GrantsOf(ctx context.Context, secret, siteID string) (grants []rights.Grant, known bool, err error) {
	found, err := s.Access(ctx, secret)
	if err != nil {
		var f *problem.Failure
		if errors.As(err, &f) && exports.KindOf(f.Code).Status < 500 {
			err = nil
		}
		return nil, false, err
	}
	return rights.GrantsAt(&found.Buyer, found.Grants, siteID), true, nil
}
