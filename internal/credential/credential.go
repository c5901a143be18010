// Package credential creates, stores and checks the secrets by which callers
// are identified: keys of partners and buyers, tokens of conversations, links
// to inboxes, to requests to be listed and to the settings of letters. A store
// keeps only digests.
package credential

import (
	"context"
	"errors"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// ErrRevoked is returned for a credential that was revoked, which cannot be
// undone.
var ErrRevoked = errors.New("the credential is revoked for good")

// Issue returns a credential that is active from now on and expires in days, or
// never if days is 0 or less, and its secret. The secret must be shown once and
// not stored. It returns errors of rand.
func (p Purpose) Issue(rand io.Reader, label string, now time.Time, days int) (c origin.Credential, secret string, err error) {
	if secret, err = p.New(rand); err != nil {
		return c, "", err
	}
	c = Stored(secret, label, now)
	if days > 0 {
		c.ExpiresAt = exports.Instant(now.AddDate(0, 0, days))
	}
	return c, secret, nil
}

// Stored returns what is stored of a secret that is active from now on and never
// expires.
func Stored(secret, label string, now time.Time) origin.Credential {
	hash, at := Digest(secret), exports.Instant(now)
	return origin.Credential{Lookup: LookupOf(hash), Hash: hash, Label: label, State: "active", CreatedAt: at, ChangedAt: at}
}

// LookupOf returns the part of a digest by which secrets are looked up.
func LookupOf(hash string) string { return hash[:16] }

// Last4 returns the last four characters of a secret, by which people recognize
// it.
func Last4(secret string) string { return secret[len(secret)-4:] }

// CompareAbsent compares a digest with one that no secret has. Callers use it
// if they find nothing to compare with, so that an unknown secret takes as long
// as a wrong one.
func CompareAbsent(hash string) {
	Same("0000000000000000000000000000000000000000000000000000000000000000", hash)
}

// Find returns the holder of a secret among those that lookup lists (see
// LookupOf). It compares whole digests in constant time. state is that of
// CredentialState at an instant, or "" with a nil holder if none has the secret.
// Only an "active" credential may open anything; the caller decides whether a
// refusal distinguishes the other states. It returns errors of lookup.
func Find[T any](ctx context.Context, lookup func(context.Context, string) ([]T, error), part func(*T) *origin.Credential, secret, at string) (holder *T, state string, err error) {
	hash := Digest(secret)
	list, err := lookup(ctx, LookupOf(hash))
	if err != nil {
		return nil, "", err
	}
	for i := range list {
		if Same(part(&list[i]).Hash, hash) {
			holder = &list[i]
		}
	}
	if holder == nil {
		CompareAbsent(hash)
		return nil, "", nil
	}
	return holder, CredentialState(part(holder), at), nil
}

// CredentialState returns the state of a credential at an instant: active,
// expired, suspended or revoked.
func CredentialState(c *origin.Credential, at string) string {
	if c.State == "active" && c.ExpiresAt != "" && c.ExpiresAt <= at {
		return "expired"
	}
	return c.State
}

// Revoke revokes a credential at an instant. This cannot be undone.
func Revoke(c *origin.Credential, at string) {
	c.State = "revoked"
	c.ChangedAt = at
}

// SetState sets the state of a credential to active, suspended or
// revoked, at an instant. It returns ErrRevoked, and changes nothing, for
// another state than revoked if the credential is revoked.
func SetState(c *origin.Credential, to, at string) error {
	if c.State == "revoked" && to != "revoked" {
		return ErrRevoked
	}
	c.State = to
	c.ChangedAt = at
	return nil
}
