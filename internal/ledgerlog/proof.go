package ledgerlog

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// ProofHeader is the first line of an inclusion proof (C2SP tlog-proof).
const ProofHeader = "c2sp.org/tlog-proof@v1"

// Proof shows that one leaf is in a ledger: its index, the Merkle path from
// the leaf upwards, and the signed checkpoint on which the path ends.
//
//	c2sp.org/tlog-proof@v1
//	index 4
//	<base64 hash, one a line>
//
//	<signed checkpoint>
type Proof struct {
	Index      int64
	Path       tlog.RecordProof
	Checkpoint []byte // a signed note
}

const maxPath = 63 // a tree of 2^63 leaves

// hashLine is how many bytes a hash takes in a proof.
const hashLine = 45

// Append writes the text of the proof after dst.
func (p Proof) Append(dst []byte) []byte {
	dst = slices.Grow(dst, len(ProofHeader)+32+hashLine*len(p.Path)+len(p.Checkpoint))
	dst = append(dst, ProofHeader+"\nindex "...)
	dst = append(strconv.AppendInt(dst, p.Index, 10), '\n')
	for _, h := range p.Path {
		dst = append(base64.StdEncoding.AppendEncode(dst, h[:]), '\n')
	}
	dst = append(dst, '\n')
	return append(dst, p.Checkpoint...)
}

// ParseProof reads the text of a proof without judging it. A proof with extra
// data is not one of ours. The error is ProofMalformed.
//
//go:noinline
func ParseProof(proof []byte) (Proof, error) {
	if len(proof) > maxNoteBytes {
		return Proof{}, outcome.ProofMalformed
	}
	header, rest, ok := cutLine(string(proof))
	if !ok || header != ProofHeader {
		return Proof{}, outcome.ProofMalformed
	}
	line, rest, ok := cutLine(rest)
	number, named := strings.CutPrefix(line, "index ")
	if !ok || !named {
		return Proof{}, outcome.ProofMalformed
	}
	p := Proof{}
	if p.Index, ok = parseSize(number); !ok {
		return Proof{}, outcome.ProofMalformed
	}
	for {
		if line, rest, ok = cutLine(rest); !ok || len(p.Path) > maxPath {
			return Proof{}, outcome.ProofMalformed
		}
		if line == "" {
			p.Checkpoint = []byte(rest)
			return p, nil
		}
		h, ok := parseHash(line)
		if !ok {
			return Proof{}, outcome.ProofMalformed
		}
		p.Path = append(p.Path, h)
	}
}

// CheckProof reads a proof and judges it: the checkpoint must be signed by the
// ledger that key belongs to, and leaf, the bytes of the entry, must be at the
// index that the proof names. It returns that index and the checkpoint. The
// error is a Code.
func CheckProof(proof, leaf []byte, key VerifierKey, verify record.VerifyFunc) (int64, Checkpoint, error) {
	p, err := ParseProof(proof)
	if err != nil {
		return 0, Checkpoint{}, err
	}
	c, err := OpenCheckpoint(p.Checkpoint, key, verify)
	if err != nil {
		return 0, Checkpoint{}, err
	}
	if tlog.CheckRecord(p.Path, c.Size, c.Root, p.Index, tlog.RecordHash(leaf)) != nil {
		return 0, Checkpoint{}, outcome.ProofInvalid
	}
	return p.Index, c, nil
}
