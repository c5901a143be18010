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

// Hash returns the number by which signature lines name the key.
func (k WitnessKey) Hash() uint32 { return noteHash(k.Name, noteCosignature, k.Public) }

// String returns the key as a policy file has it.
func (k WitnessKey) String() string { return formatNoteKey(k.Name, noteCosignature, k.Public) }

// ParseWitnessKey reads the text of a witness's key.
func ParseWitnessKey(s string) (WitnessKey, error) {
	name, public, ok := parseNoteKey(s, noteCosignature)
	key := WitnessKey{name, public}
	if !ok || key.String() != s || record.ForbiddenPoint(public) {
		return WitnessKey{}, outcome.VerifierKeyMalformed
	}
	return key, nil
}

// CosignatureInput returns what a witness signs of a checkpoint's text.
func CosignatureInput(noteText string, at int64) []byte {
	head := strconv.AppendInt([]byte("cosignature/v1\ntime "), at, 10)
	return append(head, "\n"+noteText...)
}
