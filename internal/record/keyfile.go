//go:build !tinygo

package record

import (
	"colophon/internal/outcome"
	"colophon/internal/wire"
)

// FormatKeyFile names the form of a private key file.
const FormatKeyFile = "service.signing-key.v1"

// The states of a private key: Next is published before its use, Active
// signs, Retired no longer does.
const (
	KeyNext    = "next"
	KeyActive  = "active"
	KeyRetired = "retired"
)

// KeyFile is a private Ed25519 key as its owner stores it:
//
//	{"exp":1826668800,"format":"service.signing-key.v1","kid":"FtIu-…",
//	 "nbf":1795132800,"seed":"<43 characters of base64url>","status":"active"}
//
// A key that must no longer be trusted keeps its file, with the member
// "revoked" of the public key set. Times are Unix seconds. Callers must check
// where the file lies and who may read it.
type KeyFile struct {
	Seed      [32]byte
	KeyID     string
	NotBefore int64
	NotAfter  int64
	Status    string
	Revoked   *Revocation
}

// String returns the key's id and leaves out the seed, so that it cannot reach
// a log.
func (k KeyFile) String() string { return "key " + k.KeyID }

// NewKeyFile returns the key file of a seed.
func NewKeyFile(seed [32]byte, notBefore, notAfter int64, status string) (KeyFile, error) {
	signer, err := NewSigner(seed[:])
	if err != nil {
		return KeyFile{}, err
	}
	k := KeyFile{Seed: seed, KeyID: signer.KeyID(), NotBefore: notBefore, NotAfter: notAfter, Status: status}
	err = k.validate()
	return k, err
}

func (k *KeyFile) Members(m *wire.Members) {
	seed := encodeBase64URL(k.Seed[:])
	m.Int("exp", &k.NotAfter)
	m.Const("format", FormatKeyFile)
	m.String("kid", &k.KeyID)
	m.Int("nbf", &k.NotBefore)
	wire.Opt(m, "revoked", &k.Revoked)
	m.String("seed", &seed)
	m.Enum("status", &k.Status, KeyNext, KeyActive, KeyRetired)
	if m.Writing() {
		return
	}
	b, ok := decodeB64u(seed, seedSize)
	if !ok {
		m.Refuse("seed", "invalid", "is not 32 bytes of base64url")
	}
	copy(k.Seed[:], b)
}

// ParseKeyFile parses a key file. It refuses one whose kid does not belong to
// its seed. The error, which never contains the seed, is a Code, a *wire.Error
// or a *wire.Invalid.
func ParseKeyFile(file []byte) (KeyFile, error) {
	var k KeyFile
	if err := wire.Decode(file, &k, wire.Limits{Bytes: 4 << 10, Depth: 3, Members: 16}); err != nil {
		return KeyFile{}, err
	}
	if err := k.validate(); err != nil {
		return KeyFile{}, err
	}
	return k, nil
}

// AppendKeyFile appends the file to dst, in canonical form with a final line
// feed.
func AppendKeyFile(dst []byte, k KeyFile) []byte { return append(wire.Append(dst, &k), '\n') }

func (k *KeyFile) validate() error {
	key, err := k.Key()
	if err != nil {
		return err
	}
	switch k.Status {
	case KeyNext, KeyActive, KeyRetired:
		return key.validate()
	}
	return outcome.KeyMalformed
}

// Key returns the public half.
func (k *KeyFile) Key() (Key, error) {
	signer, err := NewSigner(k.Seed[:])
	if err != nil {
		return Key{}, err
	}
	return Key{ID: k.KeyID, Public: signer.Public(), NotBefore: k.NotBefore, NotAfter: k.NotAfter, Revoked: k.Revoked}, nil
}

// Signer signs with the key.
func (k *KeyFile) Signer() (*SeedSigner, error) { return NewSigner(k.Seed[:]) }
