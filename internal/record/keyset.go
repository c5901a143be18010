package record

import (
	"slices"

	"colophon/internal/outcome"
	"colophon/internal/wire"
)

// KeySet holds the public keys that signed records, including past ones,
// because old keys are never removed. The zero KeySet is empty.
type KeySet struct{ keys []Key }

var keySetLimits = wire.Limits{Bytes: 256 << 10, Depth: 8, Members: 64}

// NewKeySet returns a set of the keys, ordered by NotBefore and then by id. It
// returns a Code if a key is not valid.
func NewKeySet(keys ...Key) (KeySet, error) {
	var set KeySet
	for _, k := range keys {
		if err := k.validate(); err != nil {
			return KeySet{}, err
		}
		at := 0
		for i, earlier := range set.keys {
			if earlier.ID == k.ID {
				return KeySet{}, outcome.KeyDuplicate
			}
			if earlier.NotBefore < k.NotBefore || earlier.NotBefore == k.NotBefore && earlier.ID < k.ID {
				at = i + 1
			}
		}
		set.keys = slices.Insert(set.keys, at, k)
	}
	return set, nil
}

// ParseKeySet parses a JWK set document. It skips keys of kinds other than
// Ed25519 and unknown members; one bad Ed25519 key makes it refuse the
// document. The error is a Code or a *wire.Error.
func ParseKeySet(document []byte) (KeySet, error) {
	v, err := wire.Parse(document, keySetLimits)
	if err != nil {
		return KeySet{}, err
	}
	list := v.Get("keys")
	if list == nil || list.Kind != wire.KindArray {
		return KeySet{}, outcome.KeyDocumentInvalid
	}
	var keys []Key
	for i := range list.Items {
		item := &list.Items[i]
		if stringOrEmpty(item.Get("kty")) != "OKP" || stringOrEmpty(item.Get("crv")) != "Ed25519" {
			continue
		}
		key, err := parseJWK(item)
		if err != nil {
			return KeySet{}, err
		}
		keys = append(keys, key)
	}
	return NewKeySet(keys...)
}

func parseJWK(v *wire.Value) (Key, error) {
	key := Key{ID: stringOrEmpty(v.Get("kid"))}
	x, okX := decodeB64u(stringOrEmpty(v.Get("x")), PublicKeySize)
	copy(key.Public[:], x)
	notBefore, okFrom := v.Get("nbf").Int()
	notAfter, okTo := v.Get("exp").Int()
	key.NotBefore, key.NotAfter = notBefore, notAfter
	if !okX || !okFrom || !okTo || !isConst(v.Get("alg"), "Ed25519") || !isConst(v.Get("use"), "sig") || v.Get("d") != nil {
		return Key{}, outcome.KeyMalformed
	}
	revoked := v.Get("revoked")
	if revoked == nil {
		return key, nil
	}
	at, okAt := revoked.Get("revoked_at").Int()
	size, okSize := revoked.Get("trusted_tree_size").Int()
	if !okAt || !okSize {
		return Key{}, outcome.KeyMalformed
	}
	key.Revoked = &Revocation{At: at, Reason: stringOrEmpty(revoked.Get("reason")), TrustedTreeSize: size}
	return key, nil
}

// Find returns the key of that id, or nil.
func (s KeySet) Find(id string) *Key {
	for i := range s.keys {
		if s.keys[i].ID == id {
			return &s.keys[i]
		}
	}
	return nil
}

// Keys returns the keys in the order of the document.
func (s KeySet) Keys() []Key { return slices.Clone(s.keys) }

// Value returns the set as a JWK set document.
func (s KeySet) Value() wire.Value {
	keys := wire.Array()
	for i := range s.keys {
		keys.Items = append(keys.Items, s.keys[i].toJWK())
	}
	return wire.Object(wire.M("keys", keys))
}

// Append appends the canonical JWK set document to dst.
func (s KeySet) Append(dst []byte) []byte { return s.Value().Append(dst) }
