package record

import (
	"colophon/exports"
	"colophon/internal/canonicaltext"
	"colophon/internal/outcome"
	"colophon/internal/wire"
)

// Question is what may be asked about a record besides its own bytes.
type Question struct {
	Keys   KeySet
	Verify VerifyFunc // nil: signatures are not checked
	Leaf   *int64     // index of its leaf in the ledger, nil if not logged
	Text   *string    // the text that it is claimed to describe, nil if not asked
}

// Result answers each question about a record separately. No answer means that
// anything is permitted.
type Result struct {
	Schema         outcome.Code // OK, json_..., SchemaUnknown, ProofMissing, SuiteUnknown or RecordMalformed
	Pointer        string       // the member at fault under RecordMalformed
	CanonicalBytes bool         // the bytes are canonical, which is not required of a valid record
	Signature      outcome.Code // OK, NotChecked, SignatureEncoding, KeyUnknown or SignatureInvalid
	Key            outcome.Code // OK, KeyRevokedLater, NotChecked or the refusal of KeyPolicy
	Text           outcome.Code // OK, NotRequested, NotChecked, TextIllFormed or TextMismatch
	TextDigest     string       // portable digest of the text that was given

	Record       wire.Value // the parsed record
	RecordSHA256 string     // of its canonical bytes
	KeyID        string
	Created      string
}

// Verify checks the bytes of a record, without network, clock or ledger.
func Verify(record []byte, q Question) Result {
	r := Result{Signature: outcome.NotChecked, Key: outcome.NotChecked, Text: outcome.NotRequested}
	if q.Text != nil {
		r.Text = outcome.NotChecked
	}
	v, err := wire.Parse(record, wire.Default)
	if err != nil {
		r.Schema = jsonCode(err)
		return r
	}
	canonical := v.Append(nil)
	r.Record = v
	r.CanonicalBytes = string(canonical) == string(record)
	r.RecordSHA256 = RecordSHA256(canonical)
	r.KeyID, r.Created = stringOrEmpty(v.Get("proof").Get("key_id")), stringOrEmpty(v.Get("proof").Get("created"))
	if r.Schema = checkConstants(&v); r.Schema != outcome.OK {
		return r
	}
	if r.Pointer = checkMembers(&v); r.Pointer != "" {
		r.Schema = outcome.RecordMalformed
	}
	key := q.Keys.Find(r.KeyID)
	r.Signature = checkSignature(v, key, q.Verify)
	leaf := NotLogged
	if q.Leaf != nil {
		leaf = *q.Leaf
	}
	r.Key = KeyPolicy(key, r.Created, leaf)
	if q.Text != nil {
		r.Text, r.TextDigest = checkText(&v, *q.Text)
	}
	return r
}

// checkConstants runs before any cryptography, so that a record of another
// format or suite is not read as one of this format.
func checkConstants(v *wire.Value) outcome.Code {
	switch {
	case !isConst(v.Get("schema_version"), exports.SchemaProvenance):
		return outcome.SchemaUnknown
	case isMissing(v.Get("proof")):
		return outcome.ProofMissing
	case !isConst(v.Get("proof").Get("cryptosuite"), exports.Cryptosuite):
		return outcome.SuiteUnknown
	}
	return outcome.OK
}

// isMissing reports whether a proof is absent or empty.
func isMissing(proof *wire.Value) bool {
	return proof == nil || proof.Kind == wire.KindNull || proof.Kind == wire.KindObject && len(proof.Members) == 0
}

func checkSignature(v wire.Value, key *Key, verify VerifyFunc) outcome.Code {
	signature, ok := decodeB64u(stringOrEmpty(v.Get("proof").Get("signature_b64u")), SignatureSize)
	switch {
	case !ok:
		return outcome.SignatureEncoding
	case key == nil:
		return outcome.KeyUnknown
	case verify == nil || !verify(key.Public[:], SigningInput(v), signature):
		return outcome.SignatureInvalid
	}
	return outcome.OK
}

func checkText(v *wire.Value, given string) (outcome.Code, string) {
	canonical, err := canonicaltext.CanonicalText(given)
	if err != nil {
		return outcome.TextIllFormed, ""
	}
	digest := canonicaltext.PortableDigest([]byte(canonical))
	if digest != stringOrEmpty(v.Get("fingerprints").Get("portable").Get("digest")) {
		return outcome.TextMismatch, digest
	}
	return outcome.OK, digest
}

func jsonCode(err error) outcome.Code {
	if bad, ok := err.(*wire.Error); ok {
		return outcome.Code(bad.Code)
	}
	return outcome.RecordMalformed
}

// Code returns OK, or the first fault in the order schema, signature, members,
// key, text.
func (r *Result) Code() outcome.Code {
	switch {
	case r.Schema != outcome.OK && r.Schema != outcome.RecordMalformed:
		return r.Schema
	case r.Signature != outcome.OK:
		return r.Signature
	case r.Schema != outcome.OK:
		return r.Schema
	case r.Key != outcome.OK && r.Key != outcome.KeyRevokedLater:
		return r.Key
	case r.Text != outcome.OK && r.Text != outcome.NotRequested:
		return r.Text
	}
	return outcome.OK
}
