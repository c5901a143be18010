package screen

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"colophon/exports"
	provrecord "colophon/internal/record"
	"colophon/internal/wire"
)

// The documents that the person who screens signs.
const (
	receiptDocument = "screening_receipt"
	summaryDocument = "training_content_summary"
)

// contexts has for each document what comes before the canonical JSON that its
// signature covers.
var contexts = map[string]string{
	receiptDocument: exports.Cryptosuite + "\nservice.screening.v1\n",
	summaryDocument: exports.Cryptosuite + "\nservice.training-content.v1\n",
}

// Receipt returns a signed statement of what was screened: the digest of the
// input, the release, the question and the totals.
func (r *Report) Receipt(signer provrecord.Signer, input string) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	report, err := wire.Parse(text, receiptLimits)
	if err != nil {
		return nil, fmt.Errorf("cannot write the receipt: %w", err)
	}
	return sign(signer, receiptDocument, "report", report.Without("faults"), input)
}

// sign spells a document with a body under its name, the digest of the input
// and a signature.
func sign(signer provrecord.Signer, document, name string, body wire.Value, input string) ([]byte, error) {
	digest := wire.Null()
	if input != "" {
		digest = wire.String(input)
	}
	doc := wire.Object(
		wire.M("document", wire.String(document)), wire.M("grants_rights", wire.Bool(false)), wire.M("input", digest),
		wire.M("key_id", wire.String(signer.KeyID())), wire.M(name, body),
	)
	sig, err := signer.Sign(doc.Append([]byte(contexts[document])))
	if err != nil {
		return nil, fmt.Errorf("cannot sign: %w", err)
	}
	return doc.With("signature_b64u", wire.String(base64.RawURLEncoding.EncodeToString(sig))).Append(nil), nil
}

// ErrReceipt says that a receipt is not what its signer signed.
var ErrReceipt = errors.New("the receipt is not valid")

// IsReceipt reports whether a document is the receipt of a screening, or a
// summary of one.
func IsReceipt(data []byte) bool {
	v, err := wire.Parse(data, receiptLimits)
	if err != nil || v.Kind != wire.KindObject {
		return false
	}
	kind, _ := v.Get("document").Str()
	return contexts[kind] != ""
}

var receiptLimits = wire.Limits{Bytes: 1 << 28, Depth: 16, Members: 1 << 24, Floats: true}

// VerifyReceipt verifies the signature of a receipt or a summary by one of the
// keys, and that it is about an input, unless that is "". It returns the id of
// the key, or ErrReceipt if the document is not valid.
func VerifyReceipt(data []byte, keys provrecord.KeySet, input string) (keyID string, err error) {
	v, err := wire.Parse(data, receiptLimits)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	kind, _ := v.Get("document").Str()
	id, _ := v.Get("key_id").Str()
	text, _ := v.Get("signature_b64u").Str()
	sig, err := base64.RawURLEncoding.DecodeString(text)
	key := keys.Find(id)
	if contexts[kind] == "" {
		return id, fmt.Errorf("%w: it is another document", ErrReceipt)
	}
	if key == nil || err != nil {
		return id, fmt.Errorf("%w: its key is not among those that are given", ErrReceipt)
	}
	unsigned := v.Without("signature_b64u")
	if !provrecord.Ed25519(key.Public[:], unsigned.Append([]byte(contexts[kind])), sig) {
		return id, fmt.Errorf("%w: its signature does not fit", ErrReceipt)
	}
	if stated, _ := v.Get("input").Str(); input != "" && stated != input {
		return id, fmt.Errorf("%w: it is about another input", ErrReceipt)
	}
	return id, nil
}
