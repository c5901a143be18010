//go:build !tinygo

// The generator and auditors sign and cosign, with golang.org/x/mod/sumdb/note.
// The worker signs no checkpoint and requests no cosignature.

package ledgerlog

import (
	"encoding/binary"

	"golang.org/x/mod/sumdb/note"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// SignCheckpoint returns the signed note of c. A ledger's key is named by the
// ledger's origin. A note contains no time, so the same state gives the same
// bytes. SignCheckpoint returns CheckpointMalformed, KeyIDMismatch if public is
// not signer's key, SignerFailed, or signer's error.
func SignCheckpoint(c Checkpoint, public [32]byte, signer record.Signer) ([]byte, error) {
	if !isNoteName(c.Origin) || c.Size < 0 || c.Size > maxTreeSize {
		return nil, outcome.CheckpointMalformed
	}
	if signer.KeyID() != record.Thumbprint(public) {
		return nil, outcome.KeyIDMismatch
	}
	own := noteSigner{VerifierKey{c.Origin, public}, signer}
	return note.Sign(&note.Note{Text: string(c.Append(nil))}, own)
}

// noteSigner adapts a Signer to note.Signer.
type noteSigner struct {
	key    VerifierKey
	signer record.Signer
}

func (s noteSigner) Name() string    { return s.key.Name }
func (s noteSigner) KeyHash() uint32 { return s.key.Hash() }

func (s noteSigner) Sign(message []byte) ([]byte, error) {
	signature, err := s.signer.Sign(message)
	if err == nil && len(signature) != record.SignatureSize {
		return nil, outcome.SignerFailed
	}
	return signature, err
}

// Signatures returns the signature lines of a note without verifying them. It
// returns CheckpointMalformed, also for a repeated line or one that is not in
// canonical base64.
func Signatures(signed []byte) ([]note.Signature, error) {
	_, err := note.Open(signed, note.VerifierList())
	unverified, ok := err.(*note.UnverifiedNoteError)
	if !ok {
		return nil, outcome.CheckpointMalformed
	}
	again, err := note.Sign(unverified.Note)
	if err != nil || string(again) != string(signed) {
		return nil, outcome.CheckpointMalformed
	}
	for _, line := range unverified.Note.UnverifiedSigs {
		if _, ok := decodeB64(line.Base64); !ok {
			return nil, outcome.CheckpointMalformed
		}
	}
	return unverified.Note.UnverifiedSigs, nil
}

// A Cosignature is what a witness adds to a checkpoint: a signature line, and
// the instant, in Unix seconds, at which it saw the checkpoint.
type Cosignature struct {
	Line string // with its line feed
	At   int64
}

// FindCosignature returns the cosignature of a witness in a signed checkpoint;
// it returns false if there is none or it is not valid.
func FindCosignature(checkpoint []byte, key WitnessKey) (Cosignature, bool) {
	opened, err := note.Open(checkpoint, note.VerifierList(cosigner{key}))
	if err != nil {
		return Cosignature{}, false
	}
	line := opened.Sigs[0]
	raw, ok := decodeB64(line.Base64)
	if !ok {
		return Cosignature{}, false
	}
	return Cosignature{Line: signatureMark + line.Name + " " + line.Base64 + "\n", At: cosignedAt(raw[4:])}, true
}

// ReadCosignature returns the cosignature in a witness's answer about a
// checkpoint, which consists of signature lines alone.
func ReadCosignature(checkpoint []byte, answer string, key WitnessKey) (Cosignature, bool) {
	text, _, ok := splitNote(string(checkpoint))
	if !ok {
		return Cosignature{}, false
	}
	return FindCosignature([]byte(text+"\n"+answer), key)
}

// timestampSize is the size of the instant that precedes a cosignature, in
// bytes.
const timestampSize = 8

// cosignedAt returns the instant of a cosignature, in Unix seconds.
func cosignedAt(signature []byte) int64 {
	return int64(binary.BigEndian.Uint64(signature[:timestampSize]))
}

// cosigner verifies a witness's signature, as a note.Verifier.
type cosigner struct{ key WitnessKey }

func (c cosigner) Name() string    { return c.key.Name }
func (c cosigner) KeyHash() uint32 { return c.key.Hash() }

func (c cosigner) Verify(text, signature []byte) bool {
	if len(signature) != timestampSize+record.SignatureSize {
		return false
	}
	at := cosignedAt(signature)
	return at >= 0 && record.Ed25519(c.key.Public[:], CosignatureInput(string(text), at), signature[timestampSize:])
}
