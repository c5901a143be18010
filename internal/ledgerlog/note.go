package ledgerlog

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// A VerifierKey is a named public key that signs notes (C2SP signed-note). Its
// text form is "name+hash+base64", as in x/mod's sumdb/note.
type VerifierKey struct {
	Name   string
	Public [32]byte
}

const noteEd25519 = 1 // the signature type in a verifier key

// Hash returns the key hash, which names the key in signature lines.
func (k VerifierKey) Hash() uint32 { return noteHash(k.Name, noteEd25519, k.Public) }

// noteHash returns the first four bytes of SHA-256(name LF type key).
func noteHash(name string, kind byte, public [32]byte) uint32 {
	b := append([]byte(name), '\n', kind)
	sum := sha256.Sum256(append(b, public[:]...))
	return binary.BigEndian.Uint32(sum[:])
}

// String returns the key in the form of a policy file or of a verifier's
// command line.
func (k VerifierKey) String() string { return formatNoteKey(k.Name, noteEd25519, k.Public) }

func formatNoteKey(name string, kind byte, public [32]byte) string {
	hash := binary.BigEndian.AppendUint32(nil, noteHash(name, kind, public))
	key := append([]byte{kind}, public[:]...)
	return name + "+" + hex.EncodeToString(hash) + "+" + encodeBase64(key)
}

// ParseVerifierKey parses the text form of an Ed25519 verifier key; it returns
// VerifierKeyMalformed. The base64 part may contain a plus sign.
func ParseVerifierKey(s string) (VerifierKey, error) {
	name, public, ok := parseNoteKey(s, noteEd25519)
	key := VerifierKey{name, public}
	if !ok || key.String() != s || record.ForbiddenPoint(public) {
		return VerifierKey{}, outcome.VerifierKeyMalformed
	}
	return key, nil
}

// parseNoteKey splits "name+hash+base64(kind, key)"; the caller must compare
// the hash.
func parseNoteKey(s string, kind byte) (name string, public [32]byte, ok bool) {
	name, rest, _ := strings.Cut(s, "+")
	_, encoded, ok := strings.Cut(rest, "+")
	if !ok || !isNoteName(name) {
		return "", public, false
	}
	b, ok := decodeB64(encoded)
	if !ok || len(b) != 1+record.PublicKeySize || b[0] != kind {
		return "", public, false
	}
	copy(public[:], b[1:])
	return name, public, true
}

// isNoteName reports whether s is a key name: not empty, without white space,
// control characters and plus signs.
func isNoteName(s string) bool {
	for _, r := range s {
		if r <= ' ' || r == '+' || unicode.IsSpace(r) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

const (
	signatureMark = "\u2014 " // an em dash begins each signature line
	maxSignatures = 100
	maxNoteBytes  = 64 << 10
)

// openNote splits a note and verifies the first signature line that names key.
// It ignores lines of other keys, such as witnesses'. It returns
// CheckpointMalformed, CheckpointSignature or CheckpointUnsigned.
func openNote(note string, key VerifierKey, verify record.VerifyFunc) (noteText string, err error) {
	noteText, signature, err := findSignature(note, key)
	if err != nil {
		return "", err
	}
	if len(signature) != record.SignatureSize || verify == nil || !verify(key.Public[:], []byte(noteText), signature) {
		return "", outcome.CheckpointSignature
	}
	return noteText, nil
}

// findSignature finds the signature line that names key. It is separate from
// openNote, which waits for the platform, because code that may wait is twice
// as large in the worker.
//
//go:noinline
func findSignature(note string, key VerifierKey) (noteText string, signature []byte, err error) {
	noteText, lines, ok := splitNote(note)
	if !ok {
		return "", nil, outcome.CheckpointMalformed
	}
	hash := key.Hash()
	for n := 1; lines != ""; n++ {
		line, rest, ended := strings.Cut(lines, "\n")
		name, id, raw, ok := parseSignatureLine(line)
		if !ok || !ended || n > maxSignatures {
			return "", nil, outcome.CheckpointMalformed
		}
		lines = rest
		if signature == nil && name == key.Name && id == hash {
			signature = raw
		}
	}
	if signature == nil {
		return "", nil, outcome.CheckpointUnsigned
	}
	return noteText, signature, nil
}

// splitNote splits a note at its last blank line.
func splitNote(note string) (noteText, lines string, ok bool) {
	if len(note) > maxNoteBytes || !utf8.ValidString(note) || strings.IndexFunc(note, isNoteControl) >= 0 {
		return "", "", false
	}
	cut := strings.LastIndex(note, "\n\n")
	if cut < 0 {
		return "", "", false
	}
	return note[:cut+1], note[cut+2:], true
}

func isNoteControl(r rune) bool { return r < ' ' && r != '\n' }

// parseSignatureLine parses "— name base64(hash, signature)".
func parseSignatureLine(line string) (name string, hash uint32, signature []byte, ok bool) {
	rest, marked := strings.CutPrefix(line, signatureMark)
	name, encoded, _ := strings.Cut(rest, " ")
	raw, ok := decodeB64(encoded)
	if !ok || !marked || !isNoteName(name) || len(raw) < 5 {
		return "", 0, nil, false
	}
	return name, binary.BigEndian.Uint32(raw), raw[4:], true
}

// encodeBase64 returns b in standard base64, the encoding of the ledger.
func encodeBase64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// decodeB64 decodes standard base64; it accepts only what encodeBase64 gives.
func decodeB64(s string) ([]byte, bool) {
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	return b, err == nil && len(s) == base64.StdEncoding.EncodedLen(len(b))
}
