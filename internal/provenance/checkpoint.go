package provenance

import "strconv"

// Checkpoint is the state of a ledger at one size (C2SP tlog-checkpoint). It
// is published as a signed note of three lines: origin, size in decimal, root
// in base64.
type Checkpoint struct {
	Origin string // host and path of the ledger without scheme
	Size   int64
	Root   Hash
}

// Append writes the three lines after dst.
func (c Checkpoint) Append(dst []byte) []byte {
	dst = append(append(dst, c.Origin...), '\n')
	dst = append(strconv.AppendInt(dst, c.Size, 10), '\n')
	return append(dst, encodeBase64(c.Root[:])+"\n"...)
}

// SignCheckpoint returns the signed note of c. The key of a ledger has the
// ledger's origin for a name. There is no time in it, so the same state gives
// the same bytes.
func SignCheckpoint(c Checkpoint, public [32]byte, signer Signer) ([]byte, error) {
	if !isNoteName(c.Origin) || c.Size < 0 {
		return nil, CheckpointMalformed
	}
	if signer.KeyID() != Thumbprint(public) {
		return nil, KeyIDMismatch
	}
	return signNote(c.Append(nil), VerifierKey{c.Origin, public}, signer)
}

// OpenCheckpoint reads a signed checkpoint of the ledger that key belongs to.
// Extension lines and the signatures of witnesses are left aside. The error is
// a Code.
func OpenCheckpoint(note []byte, key VerifierKey, verify VerifyFunc) (Checkpoint, error) {
	noteText, err := openNote(string(note), key, verify)
	if err != nil {
		return Checkpoint{}, err
	}
	c, err := parseCheckpoint(noteText)
	if err == nil && c.Origin != key.Name {
		return Checkpoint{}, CheckpointOrigin
	}
	return c, err
}

// ReadCheckpoint reads a checkpoint and checks no signature, to show what a
// document claims.
func ReadCheckpoint(note []byte) (Checkpoint, error) {
	noteText, _, ok := splitNote(string(note))
	if !ok {
		return Checkpoint{}, CheckpointMalformed
	}
	return parseCheckpoint(noteText)
}

func parseCheckpoint(noteText string) (c Checkpoint, err error) {
	var size, root string
	var ok [3]bool
	c.Origin, noteText, ok[0] = cutLine(noteText)
	size, noteText, ok[1] = cutLine(noteText)
	root, noteText, ok[2] = cutLine(noteText)
	if ok != [3]bool{true, true, true} || c.Origin == "" {
		return Checkpoint{}, CheckpointMalformed
	}
	for noteText != "" { // extension lines are not empty
		var line string
		if line, noteText, ok[0] = cutLine(noteText); line == "" || !ok[0] {
			return Checkpoint{}, CheckpointMalformed
		}
	}
	if c.Size, ok[0] = parseSize(size); !ok[0] {
		return Checkpoint{}, CheckpointMalformed
	}
	if c.Root, ok[0] = parseHash(root); !ok[0] {
		return Checkpoint{}, CheckpointMalformed
	}
	return c, nil
}

// cutLine takes the first line, which must end in LF, off s.
func cutLine(s string) (line, rest string, ok bool) {
	line, rest = cutAny(s, "\n")
	if rest == "" {
		return "", "", false
	}
	return line, rest[1:], true
}

// parseSize reads a decimal without sign or leading zeros.
func parseSize(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && s[0] != '+' && (s[0] != '0' || len(s) == 1) && s[0] != '-'
}

// parseHash reads the base64 of 32 bytes.
func parseHash(s string) (h Hash, ok bool) {
	b, ok := decodeB64(s)
	copy(h[:], b)
	return h, ok && len(b) == len(h)
}
