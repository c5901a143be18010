package inquiry

import (
	"errors"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// The prefixes of the credentials that operators issue, by which a leaked one
// is recognized.
const (
	PrefixLive      = "ptk_live_" // partner key
	PrefixTest      = "ptk_test_" // partner key for tests
	PrefixBuyerLive = "byr_live_" // credential of a buyer
	PrefixBuyerTest = "byr_test_" // credential of a buyer for tests
	PrefixInbox     = "ibx_"      // inbox link
)

// ErrRevoked is returned for a credential that was revoked, which cannot be
// undone.
var ErrRevoked = errors.New("the credential is revoked for good")

// IssueCredential returns a credential that is active from now on and expires
// in days, or never if days is 0 or less, and its secret: 32 random bytes
// behind a prefix. The secret must be shown once and not stored. It returns
// errors of rand.
func IssueCredential(rand io.Reader, prefix, label string, now time.Time, days int) (c origin.Credential, secret string, err error) {
	secret, lookup, hash, err := NewSecret(rand, prefix)
	if err != nil {
		return origin.Credential{}, "", err
	}
	at := exports.Instant(now)
	c = origin.Credential{Lookup: lookup, Hash: hash, Label: label, State: "active", CreatedAt: at, ChangedAt: at}
	if days > 0 {
		c.ExpiresAt = exports.Instant(now.AddDate(0, 0, days))
	}
	return c, secret, nil
}

// Last4 returns the last four characters of a secret, by which people recognize
// it.
func Last4(secret string) string { return secret[len(secret)-4:] }

// CompareAbsent compares a digest with one that no secret has. Callers use it
// if they find nothing to compare with, so that an unknown secret takes as long
// as a wrong one.
func CompareAbsent(hash string) {
	Same("0000000000000000000000000000000000000000000000000000000000000000", hash)
}

// CheckCredential finds the holder of a secret, given as its hex SHA-256, among
// those with its lookup text (see LookupOf). It compares whole digests in
// constant time. state is that of CredentialState at an instant, or "" with a
// nil holder if none has the secret. Only an "active" credential may open
// anything; the caller decides whether a refusal distinguishes the other
// states.
func CheckCredential[T any](list []T, part func(*T) *origin.Credential, hash, at string) (holder *T, state string) {
	for i := range list {
		if Same(part(&list[i]).Hash, hash) {
			holder = &list[i]
		}
	}
	if holder == nil {
		CompareAbsent(hash)
		return nil, ""
	}
	return holder, CredentialState(part(holder), at)
}

// CredentialState returns the state of a credential at an instant: active,
// expired, suspended or revoked.
func CredentialState(c *origin.Credential, at string) string {
	if c.State == "active" && c.ExpiresAt != "" && c.ExpiresAt <= at {
		return "expired"
	}
	return c.State
}

// RevokeCredential revokes a credential at an instant. This cannot be undone.
func RevokeCredential(c *origin.Credential, at string) {
	c.State = "revoked"
	c.ChangedAt = at
}

// SetCredentialState sets the state of a credential to active, suspended or
// revoked, at an instant. It returns ErrRevoked, and changes nothing, for
// another state than revoked if the credential is revoked.
func SetCredentialState(c *origin.Credential, to, at string) error {
	if c.State == "revoked" && to != "revoked" {
		return ErrRevoked
	}
	c.State = to
	c.ChangedAt = at
	return nil
}
