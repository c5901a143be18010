package ledgerlog

import (
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// Checkpoint is the state of a ledger at one size (C2SP tlog-checkpoint). It
// is published as a signed note of three lines: origin, size in decimal, root
// in base64.
type Checkpoint struct {
	Origin string // host and path of the ledger, without a scheme
	Size   int64
	Root   tlog.Hash
}

// Append appends the three lines to dst.
func (c Checkpoint) Append(dst []byte) []byte {
	dst = append(append(dst, c.Origin...), '\n')
	dst = append(strconv.AppendInt(dst, c.Size, 10), '\n')
	return append(dst, encodeBase64(c.Root[:])+"\n"...)
}

// OpenCheckpoint parses a checkpoint and verifies the signature of the ledger
// that key belongs to. It ignores extension lines and the signatures of
// witnesses. Its error is a Code.
func OpenCheckpoint(note []byte, key VerifierKey, verify record.VerifyFunc) (Checkpoint, error) {
	noteText, err := openNote(string(note), key, verify)
	if err != nil {
		return Checkpoint{}, err
	}
	c, err := parseCheckpoint(noteText)
	if err == nil && c.Origin != key.Name {
		return Checkpoint{}, outcome.CheckpointOrigin
	}
	return c, err
}

// ReadCheckpoint parses a checkpoint without checking its signature, to show
// what a document claims.
func ReadCheckpoint(note []byte) (Checkpoint, error) {
	noteText, _, ok := splitNote(string(note))
	if !ok {
		return Checkpoint{}, outcome.CheckpointMalformed
	}
	return parseCheckpoint(noteText)
}

//go:noinline
func parseCheckpoint(noteText string) (Checkpoint, error) {
	origin, rest, _ := cutLine(noteText)
	size, rest, _ := cutLine(rest)
	root, extension, ok := cutLine(rest)
	if !ok || origin == "" {
		return Checkpoint{}, outcome.CheckpointMalformed
	}
	for extension != "" {
		line, rest, ended := cutLine(extension)
		if line == "" || !ended {
			return Checkpoint{}, outcome.CheckpointMalformed
		}
		extension = rest
	}
	n, okSize := parseSize(size)
	hash, okRoot := parseHash(root)
	if !okSize || !okRoot {
		return Checkpoint{}, outcome.CheckpointMalformed
	}
	return Checkpoint{Origin: origin, Size: n, Root: hash}, nil
}

// cutLine cuts the first line, which must end in LF, off s.
func cutLine(s string) (line, rest string, ok bool) { return strings.Cut(s, "\n") }

// maxTreeSize is the largest tree that tlog can compute with: for a larger one
// its search for a power of two does not end.
const maxTreeSize = 1<<62 - 1

// parseSize parses a decimal without sign or leading zeros, up to maxTreeSize.
func parseSize(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > maxTreeSize {
		return 0, false
	}
	return n, strconv.FormatInt(n, 10) == s
}

// parseHash parses the base64 of 32 bytes.
func parseHash(s string) (h tlog.Hash, ok bool) {
	b, ok := decodeB64(s)
	copy(h[:], b)
	return h, ok && len(b) == len(h)
}
