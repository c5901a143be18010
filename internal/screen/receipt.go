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

// receiptContext comes before the canonical JSON that the signature of a
// receipt covers.
const receiptContext = exports.Cryptosuite + "\nservice.screening.v1\n"

// Receipt is a signed statement of what was screened: the digest of the input,
// the release, the question and the totals.
func (r *Report) Receipt(signer provrecord.Signer, input string) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	report, err := wire.Parse(text, wire.Limits{Bytes: 1 << 26, Depth: 16, Members: 1 << 20, Floats: true})
	if err != nil {
		return nil, fmt.Errorf("cannot write the receipt: %w", err)
	}
	digest := wire.Null()
	if input != "" {
		digest = wire.String(input)
	}
	doc := wire.Object(
		wire.M("document", wire.String("screening_receipt")), wire.M("grants_rights", wire.Bool(false)), wire.M("input", digest),
		wire.M("key_id", wire.String(signer.KeyID())), wire.M("report", report.Without("faults")),
	)
	sig, err := signer.Sign(doc.Append([]byte(receiptContext)))
	if err != nil {
		return nil, fmt.Errorf("cannot sign the receipt: %w", err)
	}
	return doc.With("signature_b64u", wire.String(base64.RawURLEncoding.EncodeToString(sig))).Append(nil), nil
}

// ErrReceipt says that a receipt is not what its signer signed.
var ErrReceipt = errors.New("the receipt is not valid")

// IsReceipt reports whether a document is the receipt of a screening.
func IsReceipt(data []byte) bool {
	v, err := wire.Parse(data, receiptLimits)
	if err != nil || v.Kind != wire.KindObject {
		return false
	}
	kind, _ := v.Get("document").Str()
	return kind == "screening_receipt"
}

var receiptLimits = wire.Limits{Bytes: 1 << 26, Depth: 16, Members: 1 << 20, Floats: true}

// VerifyReceipt verifies the signature of a receipt by one of the keys, at the instant
// at which it was judged, and that it is about an input, unless that is "". It returns the id of the key.
func VerifyReceipt(data []byte, keys provrecord.KeySet, input string) (keyID string, err error) {
	v, err := wire.Parse(data, receiptLimits)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrReceipt, err)
	}
	id, _ := v.Get("key_id").Str()
	text, _ := v.Get("signature_b64u").Str()
	sig, err := base64.RawURLEncoding.DecodeString(text)
	key := keys.Find(id)
	if key == nil || err != nil {
		return id, fmt.Errorf("%w: its key is not among those that are given", ErrReceipt)
	}
	unsigned := v.Without("signature_b64u")
	if !provrecord.Ed25519(key.Public[:], unsigned.Append([]byte(receiptContext)), sig) {
		return id, fmt.Errorf("%w: its signature does not fit", ErrReceipt)
	}
	if stated, _ := v.Get("input").Str(); input != "" && stated != input {
		return id, fmt.Errorf("%w: it is about another input", ErrReceipt)
	}
	return id, nil
}
