package provenance

import (
	"crypto/sha256"
	"encoding/base64"
	"unicode/utf8"
)

// A VerifierKey names a public key that signs notes (C2SP signed-note). Its
// text is "name+hash+base64", as x/mod's sumdb/note writes it.
type VerifierKey struct {
	Name   string
	Public [32]byte
}

const noteEd25519 = 1 // the signature type in a verifier key

// keyHash is the first four bytes of SHA-256(name LF type key).
func (k VerifierKey) keyHash() (h [4]byte) {
	return noteHash(k.Name, noteEd25519, k.Public)
}

func noteHash(name string, kind byte, public [32]byte) (h [4]byte) {
	b := append([]byte(name), '\n', kind)
	sum := sha256.Sum256(append(b, public[:]...))
	copy(h[:], sum[:])
	return h
}

// String is the key as a policy file or a verifier's command line has it.
func (k VerifierKey) String() string {
	h := k.keyHash()
	b := appendHex([]byte(k.Name+"+"), h[:])
	key := append([]byte{noteEd25519}, k.Public[:]...)
	return string(base64.StdEncoding.AppendEncode(append(b, '+'), key))
}

// ParseVerifierKey reads the text of an Ed25519 verifier key. The base64 part
// may itself hold a plus sign.
func ParseVerifierKey(s string) (VerifierKey, error) {
	name, public, ok := parseNoteKey(s, noteEd25519)
	key := VerifierKey{name, public}
	if !ok || key.String() != s || forbiddenPoint(public) {
		return VerifierKey{}, VerifierKeyMalformed
	}
	return key, nil
}

// parseNoteKey splits "name+hash+base64(kind, key)"; the hash is for the
// caller to compare.
func parseNoteKey(s string, kind byte) (name string, public [32]byte, ok bool) {
	name, rest := cutAny(s, "+")
	if !isNoteName(name) || len(rest) < 10 || rest[9] != '+' {
		return "", public, false
	}
	b, ok := decodeB64(rest[10:])
	if !ok || len(b) != 1+publicKeySize || b[0] != kind {
		return "", public, false
	}
	copy(public[:], b[1:])
	return name, public, true
}

// isNoteName accepts a key name: no white space, no plus sign, not empty.
func isNoteName(s string) bool {
	for _, r := range s {
		if r <= ' ' || r == '+' || whiteSpace(r) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

const signatureMark = "\u2014 " // an em dash begins each signature line

// signNote appends the signature line of key to a note's text.
func signNote(noteText []byte, key VerifierKey, signer Signer) ([]byte, error) {
	signature, err := signer.Sign(noteText)
	if err != nil {
		return nil, err
	}
	if len(signature) != signatureSize {
		return nil, SignerFailed
	}
	h := key.keyHash()
	note := append(noteText[:len(noteText):len(noteText)], '\n')
	note = append(note, signatureMark+key.Name+" "...)
	note = base64.StdEncoding.AppendEncode(note, append(h[:], signature...))
	return append(note, '\n'), nil
}

// maxSignatures bounds the signature lines of a note.
const maxSignatures = 100

// openNote splits a note and asks for a good signature by key in the first
// line that names it. Lines of other keys, as of witnesses, are left aside.
func openNote(note string, key VerifierKey, verify VerifyFunc) (noteText string, err error) {
	noteText, lines, ok := splitNote(note)
	if !ok {
		return "", CheckpointMalformed
	}
	h, signed := key.keyHash(), false
	for n := 1; lines != ""; n++ {
		line, rest := cutAny(lines, "\n")
		name, signature, ok := parseSignatureLine(line)
		if !ok || rest == "" || n > maxSignatures {
			return "", CheckpointMalformed
		}
		lines = rest[1:]
		if signed || name != key.Name || string(signature[:4]) != string(h[:]) {
			continue
		}
		if len(signature) != 4+signatureSize || verify == nil || !verify(key.Public[:], []byte(noteText), signature[4:]) {
			return "", CheckpointSignature
		}
		signed = true
	}
	if !signed {
		return "", CheckpointUnsigned
	}
	return noteText, nil
}

const maxNoteBytes = 64 << 10

// splitNote cuts a note after the last blank line.
func splitNote(note string) (noteText, lines string, ok bool) {
	if len(note) > maxNoteBytes || !utf8.ValidString(note) {
		return "", "", false
	}
	cut := -1
	for i := 0; i < len(note); i++ {
		if c := note[i]; c < ' ' && c != '\n' {
			return "", "", false
		}
		if i > 0 && note[i] == '\n' && note[i-1] == '\n' {
			cut = i
		}
	}
	if cut < 0 {
		return "", "", false
	}
	return note[:cut], note[cut+1:], true
}

// parseSignatureLine reads "— name base64(hash, signature)".
func parseSignatureLine(line string) (name string, signature []byte, ok bool) {
	if len(line) < len(signatureMark) || line[:len(signatureMark)] != signatureMark {
		return "", nil, false
	}
	name, encoded := cutAny(line[len(signatureMark):], " ")
	if !isNoteName(name) || encoded == "" {
		return "", nil, false
	}
	signature, ok = decodeB64(encoded[1:])
	return name, signature, ok && len(signature) > 4
}
