package ledgerlog

import (
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// How inclusion was shown.
const (
	ByProof = "tlog_proof" // an inclusion proof that was given
	ByTiles = "tiles"      // the published tiles, at an index that was given
)

// Log is a published ledger as a verifier sees it: the keys it trusts, and a
// way to read files. The first key signs now; the others signed before.
type Log struct {
	Keys   []VerifierKey
	Read   ReadTile
	Verify record.VerifyFunc

	live  *Checkpoint
	tiles *Tiles
}

// Inclusion is the answer to "is this leaf in the ledger, and where".
type Inclusion struct {
	Code  outcome.Code // OK, NotInLedger or what is wrong
	Basis string
	Index int64 // NotLogged unless Code is OK
	Size  int64 // of the published ledger, 0 when that is not known
}

// Checkpoint reads and checks the published checkpoint, once.
func (l *Log) Checkpoint() (Checkpoint, error) {
	if l.live != nil {
		return *l.live, nil
	}
	if len(l.Keys) == 0 {
		return Checkpoint{}, outcome.LedgerUnavailable
	}
	note, err := l.Read(CheckpointPath)
	if err != nil {
		return Checkpoint{}, outcome.LedgerUnavailable
	}
	c, err := OpenCheckpoint(note, l.Keys[0], l.Verify)
	if err != nil {
		return Checkpoint{}, err
	}
	l.live, l.tiles = &c, NewTiles(c.Size, l.Read)
	return c, nil
}

// FilesRead is how many tiles were asked for so far.
func (l *Log) FilesRead() int {
	if l.tiles == nil {
		return 0
	}
	return l.tiles.N
}

// Extends reports whether the published ledger begins with the tree of an
// earlier checkpoint: OK, LedgerForked, or what kept it from finding out.
func (l *Log) Extends(earlier Checkpoint) outcome.Code {
	now, err := l.Checkpoint()
	if err != nil {
		return codeOf(err)
	}
	if earlier.Origin != now.Origin || earlier.Size > now.Size {
		return outcome.LedgerForked
	}
	root, err := tlog.TreeHash(earlier.Size, l.tiles)
	switch {
	case err != nil:
		return codeOf(err)
	case root != earlier.Root:
		return outcome.LedgerForked
	}
	return outcome.OK
}

// AtIndex checks with the tiles that leaf is at index.
func (l *Log) AtIndex(leaf []byte, index int64) Inclusion {
	out := Inclusion{Basis: ByTiles, Index: record.NotLogged}
	c, err := l.Checkpoint()
	if err != nil {
		out.Code = codeOf(err)
		return out
	}
	out.Size = c.Size
	if index < 0 || index >= c.Size {
		out.Code = outcome.ProofInvalid
		return out
	}
	path, err := tlog.ProveRecord(c.Size, index, l.tiles)
	switch {
	case err != nil:
		out.Code = codeOf(err)
	case tlog.CheckRecord(path, c.Size, c.Root, index, tlog.RecordHash(leaf)) != nil:
		out.Code = outcome.ProofInvalid
	default:
		out.Code, out.Index = outcome.OK, index
	}
	return out
}

// ByProof checks an inclusion proof for leaf, and with the tiles that the
// published ledger still begins with the tree that the proof leads to.
func (l *Log) ByProof(leaf, proof []byte) Inclusion {
	out := Inclusion{Basis: ByProof, Index: record.NotLogged}
	if now, err := l.Checkpoint(); err != nil {
		out.Code = codeOf(err)
		return out
	} else {
		out.Size = now.Size
	}
	code := outcome.CheckpointUnsigned
	for _, key := range l.Keys {
		index, c, err := CheckProof(proof, leaf, key, l.Verify)
		if err != nil {
			if c := codeOf(err); c != outcome.CheckpointUnsigned {
				code = c
			}
			continue
		}
		if code = l.Extends(c); code == outcome.OK {
			out.Index = index
		}
		break
	}
	out.Code = code
	return out
}

func codeOf(err error) outcome.Code {
	if c, ok := err.(outcome.Code); ok {
		return c
	}
	return outcome.LedgerUnavailable
}

// PolicyKeys reads the keys of the logs that a policy (C2SP tlog-policy)
// names, in its order. The other lines are left aside.
func PolicyKeys(policy []byte) ([]VerifierKey, error) {
	var keys []VerifierKey
	for _, line := range strings.Split(string(policy), "\n") {
		rest, isLog := strings.CutPrefix(line, "log ")
		if !isLog {
			continue
		}
		text, _, _ := strings.Cut(rest, " ")
		key, err := ParseVerifierKey(text)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}
