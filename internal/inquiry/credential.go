package inquiry

import (
	"errors"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// Prefixes of the credentials that operators issue, so that a leaked one is
// recognized for what it is.
const (
	PrefixLive      = "ptk_live_" // partner key
	PrefixTest      = "ptk_test_" // partner key for tests
	PrefixBuyerLive = "byr_live_" // credential of a buyer
	PrefixBuyerTest = "byr_test_" // credential of a buyer for tests
	PrefixInbox     = "ibx_"      // inbox link
)

// ErrRevoked says that a credential was revoked, which is for good.
var ErrRevoked = errors.New("the credential is revoked for good")

// IssueCredential makes a credential that is active from now on, and its secret,
// 32 random bytes behind a prefix. Its end is days later, or never when days is
// 0 or less. The secret is to be shown once and not stored. An error is of rand.
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

// CompareAbsent compares a digest with one that no secret has. It is for where
// nothing is found to compare with, so that an unknown secret takes as long as a
// wrong one.
func CompareAbsent(hash string) {
	Same("0000000000000000000000000000000000000000000000000000000000000000", hash)
}

// CheckCredential finds the holder of a secret, given as its hex SHA-256, among
// those with its lookup text (see LookupOf). Digests are compared whole, in
// constant time. state is that of CredentialState at an instant, or "" with a
// nil holder when none has the secret. Only "active" opens anything; whether a
// refusal may distinguish the other states is the caller's decision.
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

// RevokeCredential ends a credential for good, at an instant.
func RevokeCredential(c *origin.Credential, at string) {
	c.State = "revoked"
	c.ChangedAt = at
}

// SetCredentialState makes a credential active, suspended or revoked, at an
// instant. It is ErrRevoked, and changes nothing, when the credential was revoked
// and must be another thing.
func SetCredentialState(c *origin.Credential, to, at string) error {
	if c.State == "revoked" && to != "revoked" {
		return ErrRevoked
	}
	c.State = to
	c.ChangedAt = at
	return nil
}
