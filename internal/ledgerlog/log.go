package ledgerlog

import (
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/outcome"
	"colophon/internal/record"
)

// Log is a published ledger as a verifier sees it: the keys it trusts, and a
// way to read files. The first key signs now; the others signed earlier.
type Log struct {
	Keys   []VerifierKey
	Read   ReadTile
	Verify record.VerifyFunc

	served *Checkpoint
	tiles  *Tiles
}

// Inclusion is the answer to whether a leaf is in the ledger, and where.
type Inclusion struct {
	Code  outcome.Code // OK, NotInLedger or the code of what is wrong
	Index int64        // NotLogged unless Code is OK
	Size  int64        // of the published ledger, 0 if unknown
}

// Checkpoint reads and verifies the published checkpoint, once.
func (l *Log) Checkpoint() (Checkpoint, error) {
	if l.served != nil {
		return *l.served, nil
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
	l.served, l.tiles = &c, NewTiles(c.Size, l.Read)
	return c, nil
}

// AtIndex checks with the tiles whether leaf is at index.
func (l *Log) AtIndex(leaf []byte, index int64) Inclusion {
	out := Inclusion{Index: record.NotLogged}
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

func codeOf(err error) outcome.Code {
	if c, ok := err.(outcome.Code); ok {
		return c
	}
	return outcome.LedgerUnavailable
}

// PolicyKeys parses the keys of the logs that a policy (C2SP tlog-policy)
// names, in its order. It ignores the other lines.
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
