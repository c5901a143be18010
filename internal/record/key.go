package record

import (
	"colophon/internal/outcome"
	"colophon/internal/wire"
)

// Key is a public Ed25519 key with the period in which it may sign, in Unix
// seconds: NotBefore <= created < NotAfter.
type Key struct {
	ID        string // Thumbprint of Public
	Public    [32]byte
	NotBefore int64
	NotAfter  int64
	Revoked   *Revocation // nil while it is trusted
}

// Revocation ends a key by a position in the ledger rather than by a date: a
// thief can write any date into a record, but cannot insert a leaf before an
// index that witnesses have seen. Only records logged at an index below
// TrustedTreeSize still count.
type Revocation struct {
	At              int64 // Unix seconds
	Reason          string
	TrustedTreeSize int64
}

// Members describes the JSON form, as in a public key set.
func (r *Revocation) Members(m *wire.Members) {
	m.String("reason", &r.Reason)
	m.Int("revoked_at", &r.At)
	m.Int("trusted_tree_size", &r.TrustedTreeSize)
}

// NotLogged is the leaf index of a record that is in no ledger.
const NotLogged int64 = -1

// KeyPolicy reports whether key may have signed a record created at that
// instant and logged at leafIndex (or NotLogged): OK, KeyRevokedLater, or the
// reason why not. A nil key is unknown.
func KeyPolicy(key *Key, created string, leafIndex int64) outcome.Code {
	if key == nil {
		return outcome.KeyUnknown
	}
	at, ok := unixSeconds(created)
	switch {
	case !ok:
		return outcome.CreatedNotAnInstant
	case at < key.NotBefore:
		return outcome.KeyNotYetValid
	case at >= key.NotAfter:
		return outcome.KeyExpired
	case key.Revoked == nil:
		return outcome.OK
	case leafIndex >= 0 && leafIndex < key.Revoked.TrustedTreeSize:
		return outcome.KeyRevokedLater
	}
	return outcome.KeyRevoked
}

// validate returns a Code if the key could verify what its owner never signed,
// if its id is not its own, or if its period or revocation is malformed.
func (k *Key) validate() error {
	switch {
	case ForbiddenPoint(k.Public):
		return outcome.KeyForbidden
	case k.ID != Thumbprint(k.Public):
		return outcome.KeyIDMismatch
	case k.NotBefore >= k.NotAfter:
		return outcome.KeyMalformed
	case k.Revoked != nil && k.Revoked.TrustedTreeSize < 0:
		return outcome.KeyMalformed
	}
	return nil
}

// The y coordinates, little-endian, of the points of order 8 (two), 4, 2 and
// 1, in this order, without the sign of x.
const (
	orderEightA = "\xc7\x17\x6a\x70\x3d\x4d\xd8\x4f\xba\x3c\x0b\x76\x0d\x10\x67\x0f\x2a\x20\x53\xfa\x2c\x39\xcc\xc6\x4e\xc7\xfd\x77\x92\xac\x03\x7a"
	orderEightB = "\x26\xe8\x95\x8f\xc2\xb2\x27\xb0\x45\xc3\xf4\x89\xf2\xef\x98\xf0\xd5\xdf\xac\x05\xd3\xc6\x33\x39\xb1\x38\x02\x88\x6d\x53\xfc\x05"
	orderFour   = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	orderTwo    = "\xec\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
	orderOne    = "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
)

// ForbiddenPoint reports whether a key is a point of small order or encodes a y
// not below the field's prime 2^255-19. Common verifiers accept forged
// signatures under such keys.
func ForbiddenPoint(public [32]byte) bool {
	public[31] &= 0x7F // the sign of x
	switch string(public[:]) {
	case orderEightA, orderEightB, orderFour, orderTwo, orderOne:
		return true
	}
	for _, c := range public[1:31] {
		if c != 0xFF {
			return false
		}
	}
	return public[31] == 0x7F && public[0] >= 0xED
}

// toJWK returns the key as a JSON Web Key (RFC 8037, algorithm name of RFC
// 9864).
func (k *Key) toJWK() wire.Value {
	v := wire.Object(
		wire.M("alg", wire.String("Ed25519")),
		wire.M("crv", wire.String("Ed25519")),
		wire.M("exp", wire.Int(k.NotAfter)),
		wire.M("kid", wire.String(k.ID)),
		wire.M("kty", wire.String("OKP")),
		wire.M("nbf", wire.Int(k.NotBefore)),
		wire.M("use", wire.String("sig")),
		wire.M("x", wire.String(encodeBase64URL(k.Public[:]))),
	)
	if k.Revoked == nil {
		return v
	}
	return v.With("revoked", wire.Object(
		wire.M("reason", wire.String(k.Revoked.Reason)),
		wire.M("revoked_at", wire.Int(k.Revoked.At)),
		wire.M("trusted_tree_size", wire.Int(k.Revoked.TrustedTreeSize)),
	))
}
