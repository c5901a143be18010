package colophon

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"colophon/clients/go/api"
)

// These are the errors of a verification that failed. Neither a failure nor a
// success says that anything is permitted.
var (
	ErrMalformed   = errors.New("colophon: this is not a signed document of the service")
	ErrUnknownKey  = errors.New("colophon: the key is not one of the registry's")
	ErrKeyPeriod   = errors.New("colophon: the key did not count at that time")
	ErrKeyRevoked  = errors.New("colophon: the key was revoked")
	ErrSignature   = errors.New("colophon: the signature does not fit")
	ErrOtherAnswer = errors.New("colophon: the receipt is for another answer")
	ErrNoReceipt   = errors.New("colophon: the answer has no receipt")
)

const (
	recordSchema   = "service.contentdna-provenance.v1"
	recordSuite    = "eddsa-ed25519-service-2026"
	receiptContext = "service.rights-answer.v2"
)

// Keys are the public keys of a registry.
type Keys []api.PublicKey

// Keys returns the public keys of the registry. Store them if you want to notice
// when they change.
func (c *Client) Keys(ctx context.Context) (Keys, error) {
	manifest, err := Read[api.ProvenanceManifest](c.API.ProvenanceDiscovery(ctx, &api.ProvenanceDiscoveryParams{}))
	if err != nil {
		return nil, err
	}
	return manifest.Keys, nil
}

// VerifyRecord verifies a provenance record as it was published, which ReadBytes
// returns, and parses it. A record that verifies is intact and was attested by
// the key; that does not prove ownership and grants nothing. VerifyRecord returns
// ErrKeyRevoked for a record of a revoked key, even if it was logged before the
// revocation: ask the verify endpoint about such records.
func (k Keys) VerifyRecord(record []byte) (*api.Record, error) {
	v, err := parseStrict(record)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	proof := v.object("proof")
	if v.text("schema_version") != recordSchema || proof.text("cryptosuite") != recordSuite {
		return nil, ErrMalformed
	}
	signed := []byte(recordSuite + "\n" + recordSchema + "\n")
	signed = appendCanonical(signed, v.with("proof", proof.without("signature_b64u")))
	if err := k.check(proof.text("key_id"), proof.text("created"), signed, proof.text("signature_b64u")); err != nil {
		return nil, err
	}
	out := new(api.Record)
	if err := json.Unmarshal(record, out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return out, nil
}

// VerifyReceipt verifies the receipt in a rights answer as it was served, which
// ReadBytes returns, and parses the answer. A receipt that verifies proves that
// the registry signed this answer to this question, and nothing else.
func (k Keys) VerifyReceipt(answer []byte) (*api.RightsAnswer, error) {
	v, err := parseStrict(answer)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	receipt := v.object("receipt")
	if receipt == nil {
		return nil, ErrNoReceipt
	}
	payload := receipt.object("payload")
	if payload == nil {
		return nil, ErrMalformed
	}
	signed := appendCanonical([]byte(receiptContext+"\n"), payload)
	if err := k.check(receipt.text("kid"), payload.text("evaluated_at"), signed, receipt.text("signature_b64u")); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(appendCanonical(nil, v.with("receipt", nil)))
	if payload.text("answer_sha256") != hex.EncodeToString(sum[:]) {
		return nil, ErrOtherAnswer
	}
	out := new(api.RightsAnswer)
	if err := json.Unmarshal(answer, out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return out, nil
}

// check verifies a signature that the key with an id made at an instant.
func (k Keys) check(keyID, instant string, signed []byte, signature string) error {
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	for i := range k {
		if k[i].Kid == keyID {
			return checkKey(&k[i], at, signed, signature)
		}
	}
	return fmt.Errorf("%w: %q", ErrUnknownKey, keyID)
}

func checkKey(key *api.PublicKey, at time.Time, signed []byte, signature string) error {
	public, err := base64.RawURLEncoding.Strict().DecodeString(key.X)
	if err != nil || len(public) != ed25519.PublicKeySize || thumbprint(key.X) != key.Kid {
		return fmt.Errorf("%w: it does not have the id that it claims", ErrUnknownKey)
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(signature)
	if err != nil || len(raw) != ed25519.SignatureSize || !ed25519.Verify(public, signed, raw) {
		return ErrSignature
	}
	if at.Unix() < int64(key.Nbf) || at.Unix() >= int64(key.Exp) {
		return ErrKeyPeriod
	}
	if key.Revoked != nil {
		return ErrKeyRevoked
	}
	return nil
}

// thumbprint returns the id of an Ed25519 key (RFC 7638 and 8037).
func thumbprint(x string) string {
	sum := sha256.Sum256([]byte(`{"crv":"Ed25519","kty":"OKP","x":"` + x + `"}`))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
