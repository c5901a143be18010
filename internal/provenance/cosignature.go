package provenance

import "encoding/base64"

// A WitnessKey is the public key of a witness that cosigns checkpoints (C2SP
// tlog-cosignature, Ed25519).
type WitnessKey struct {
	Name   string
	Public [32]byte
}

const noteCosignature = 4 // the signature type in a witness's key

// String is the key as a policy file has it.
func (k WitnessKey) String() string {
	h := noteHash(k.Name, noteCosignature, k.Public)
	b := appendHex([]byte(k.Name+"+"), h[:])
	return string(base64.StdEncoding.AppendEncode(append(b, '+'), append([]byte{noteCosignature}, k.Public[:]...)))
}

// ParseWitnessKey reads the text of a witness's key.
func ParseWitnessKey(s string) (WitnessKey, error) {
	name, public, ok := parseNoteKey(s, noteCosignature)
	key := WitnessKey{name, public}
	if !ok || key.String() != s || forbiddenPoint(public) {
		return WitnessKey{}, VerifierKeyMalformed
	}
	return key, nil
}

// A Cosignature is what a witness adds to a checkpoint: a signature line, and
// the instant, in Unix seconds, at which it saw the checkpoint.
type Cosignature struct {
	Line string // with its line end
	At   int64
}

// CheckCosignature looks for the cosignature of a witness among signature
// lines: a whole note, or what a witness answered. It is false when there is
// none that holds.
func CheckCosignature(checkpoint []byte, lines string, key WitnessKey, verify VerifyFunc) (Cosignature, bool) {
	noteText, _, ok := splitNote(string(checkpoint))
	if !ok || verify == nil {
		return Cosignature{}, false
	}
	if _, own, ok := splitNote(lines); ok {
		lines = own
	}
	h := noteHash(key.Name, noteCosignature, key.Public)
	for lines != "" {
		line, rest := cutAny(lines, "\n")
		if lines = rest; lines != "" {
			lines = lines[1:]
		}
		name, signature, ok := parseSignatureLine(line)
		if !ok || name != key.Name || len(signature) != 4+8+signatureSize || string(signature[:4]) != string(h[:]) {
			continue
		}
		at := int64(0)
		for _, b := range signature[4:12] {
			at = at<<8 | int64(b)
		}
		if at >= 0 && verify(key.Public[:], CosignatureInput(noteText, at), signature[12:]) {
			return Cosignature{line + "\n", at}, true
		}
	}
	return Cosignature{}, false
}

// CosignatureInput is what a witness signs of a checkpoint's text.
func CosignatureInput(noteText string, at int64) []byte {
	return append(appendInt([]byte("cosignature/v1\ntime "), at), "\n"+noteText...)
}

// SignatureNames lists the names and key hashes of all signature lines of a
// note, in hex.
func SignatureNames(note []byte) [][2]string {
	_, lines, ok := splitNote(string(note))
	var out [][2]string
	for ok && lines != "" {
		line, rest := cutAny(lines, "\n")
		name, signature, good := parseSignatureLine(line)
		if !good || rest == "" {
			return append(out, [2]string{"", ""})
		}
		lines = rest[1:]
		out = append(out, [2]string{name, string(appendHex(nil, signature[:4]))})
	}
	return out
}

// Hash is the first four bytes that name the key in signature lines, in hex.
func (k WitnessKey) Hash() string {
	h := noteHash(k.Name, noteCosignature, k.Public)
	return string(appendHex(nil, h[:]))
}

// Hash is the first four bytes that name the key in signature lines, in hex.
func (k VerifierKey) Hash() string {
	h := k.keyHash()
	return string(appendHex(nil, h[:]))
}
