package record

import (
	"colophon/exports"
	"colophon/internal/outcome"
	"colophon/internal/wire"
)

// SigningContext separates the domain: no JSON text and no checkpoint can be
// mistaken for the bytes that a record's signature covers.
const SigningContext = exports.Cryptosuite + "\n" + exports.SchemaProvenance + "\n"

// SigningInput returns the bytes that the signature of record v covers:
// SigningContext, then the canonical JSON of v less proof.signature_b64u. The
// rest of the proof is covered.
func SigningInput(v wire.Value) []byte {
	if proof := v.Get("proof"); proof != nil && proof.Kind == wire.KindObject {
		v = v.With("proof", proof.Without("signature_b64u"))
	}
	return v.Append([]byte(SigningContext))
}

// Sign completes the proof of record v, which must have proof.created, the time
// of the registration or change that the record states. The canonical bytes of
// the result are the published file.
func Sign(signer Signer, v wire.Value) (wire.Value, error) {
	created, ok := v.Get("proof").Get("created").Str()
	if !ok || !wire.IsTime(created) {
		return wire.Value{}, outcome.CreatedNotAnInstant
	}
	proof := wire.Object(
		wire.M("created", wire.String(created)),
		wire.M("cryptosuite", wire.String(exports.Cryptosuite)),
		wire.M("key_id", wire.String(signer.KeyID())),
	)
	signature, err := signMessage(signer, SigningInput(v.With("proof", proof)))
	if err != nil {
		return wire.Value{}, err
	}
	return v.With("proof", proof.With("signature_b64u", wire.String(signature))), nil
}

// SignRecord completes r.Proof, whose Created must be set, and returns the
// bytes to publish.
func SignRecord(signer Signer, r *exports.Record) ([]byte, error) {
	if !wire.IsTime(r.Proof.Created) {
		return nil, outcome.CreatedNotAnInstant
	}
	r.Proof.KeyID, r.Proof.Signature = signer.KeyID(), ""
	signature, err := signMessage(signer, wire.Append([]byte(SigningContext), r))
	if err != nil {
		return nil, err
	}
	r.Proof.Signature = signature
	return wire.Append(nil, r), nil
}

func signMessage(signer Signer, message []byte) (string, error) {
	signature, err := signer.Sign(message)
	if err != nil {
		return "", err
	}
	if len(signature) != SignatureSize {
		return "", outcome.SignerFailed
	}
	return encodeBase64URL(signature), nil
}

// RecordSHA256 returns the lower-case hex SHA-256 of a record's canonical
// bytes, signature included. The next version and the ledger refer to a record
// by it.
func RecordSHA256(record []byte) string { return wire.SHA256Hex(record) }
