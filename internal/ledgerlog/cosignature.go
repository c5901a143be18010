//go:build !tinygo

package ledgerlog

import (
	"strconv"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// A WitnessKey is the public key of a witness that cosigns checkpoints (C2SP
// tlog-cosignature, Ed25519).
type WitnessKey struct {
	Name   string
	Public [32]byte
}

const noteCosignature = 4 // the signature type in a witness's key

// Hash returns the key hash, which names the key in signature lines.
func (k WitnessKey) Hash() uint32 { return noteHash(k.Name, noteCosignature, k.Public) }

// String returns the key in the form of a policy file.
func (k WitnessKey) String() string { return formatNoteKey(k.Name, noteCosignature, k.Public) }

// ParseWitnessKey parses the text form of a witness's key; it returns
// VerifierKeyMalformed.
func ParseWitnessKey(s string) (WitnessKey, error) {
	name, public, ok := parseNoteKey(s, noteCosignature)
	key := WitnessKey{name, public}
	if !ok || key.String() != s || record.ForbiddenPoint(public) {
		return WitnessKey{}, outcome.VerifierKeyMalformed
	}
	return key, nil
}

// CosignatureInput returns the message that a witness signs for a checkpoint's
// text.
func CosignatureInput(noteText string, at int64) []byte {
	head := strconv.AppendInt([]byte("cosignature/v1\ntime "), at, 10)
	return append(head, "\n"+noteText...)
}
