package ledgerlog_test

import (
	"errors"
	"fmt"
	"testing"

	"colophon/internal/ledgerlog"
	"colophon/internal/outcome"
	"colophon/internal/record"
)

// testLog is a log in memory that one key signs.
type testLog struct {
	origin string
	leaves [][]byte
	hashes tree
	signer *record.SeedSigner
}

func newTestLog(t testing.TB, origin string, leaves [][]byte) *testLog {
	t.Helper()
	signer, err := record.NewSigner(make([]byte, 32))
	must(t, err)
	return &testLog{origin: origin, leaves: leaves, hashes: grow(t, leaves), signer: signer}
}

func (l *testLog) key() ledgerlog.VerifierKey {
	return ledgerlog.VerifierKey{Name: l.origin, Public: l.signer.Public()}
}

func (l *testLog) checkpoint(t testing.TB, size int64) (ledgerlog.Checkpoint, []byte) {
	t.Helper()
	c := ledgerlog.Checkpoint{Origin: l.origin, Size: size, Root: l.hashes.root(t, size)}
	note, err := ledgerlog.SignCheckpoint(c, l.signer.Public(), l.signer)
	must(t, err)
	return c, note
}

// publish returns the log as a verifier sees it at a size.
func (l *testLog) publish(t testing.TB, size int64) *ledgerlog.Log {
	t.Helper()
	files := tileFiles(t, l.hashes, l.leaves, size)
	_, note := l.checkpoint(t, size)
	files[ledgerlog.CheckpointPath] = note
	read := func(path string) ([]byte, error) {
		data, ok := files[path]
		if !ok {
			return nil, errors.New("missing " + path)
		}
		return data, nil
	}
	return &ledgerlog.Log{Keys: []ledgerlog.VerifierKey{l.key()}, Read: read, Verify: record.Ed25519}
}

func TestAtIndex(t *testing.T) {
	log := newTestLog(t, "log.example/ledger", manyLeaves(600))
	for _, tc := range []struct {
		leaf, index int64
		want        outcome.Code
	}{
		{0, 0, outcome.OK}, {256, 256, outcome.OK}, {499, 499, outcome.OK},
		{7, 8, outcome.ProofInvalid},
	} {
		t.Run(fmt.Sprintf("leaf %d at %d", tc.leaf, tc.index), func(t *testing.T) {
			got := log.publish(t, 500).AtIndex(log.leaves[tc.leaf], tc.index)
			if got.Code != tc.want || (got.Index == tc.index) != (tc.want == outcome.OK) || got.Size != 500 {
				t.Errorf("%+v, want %s", got, tc.want)
			}
		})
	}
	for _, index := range []int64{-1, 500, 1 << 40} {
		if got := log.publish(t, 500).AtIndex(log.leaves[0], index); got.Code != outcome.ProofInvalid || got.Index != record.NotLogged {
			t.Errorf("index %d: %+v", index, got)
		}
	}
}

// TestLogThatCannotBeRead checks that nothing is proved by a log without its
// files, by one signed by an untrusted key, or by one whose tiles are those of
// another history.
func TestLogThatCannotBeRead(t *testing.T) {
	log := newTestLog(t, "log.example/ledger", manyLeaves(300))
	forked := manyLeaves(300)
	forked[3] = []byte("another history")
	for _, tc := range []struct {
		name string
		harm func(*ledgerlog.Log)
		want outcome.Code
	}{
		{"without files", func(l *ledgerlog.Log) {
			l.Read = func(string) ([]byte, error) { return nil, errors.New("gone") }
		}, outcome.LedgerUnavailable},
		{"without keys", func(l *ledgerlog.Log) { l.Keys = nil }, outcome.LedgerUnavailable},
		{"with the key of somebody else", func(l *ledgerlog.Log) { l.Keys[0].Public[0] ^= 1 }, outcome.CheckpointUnsigned},
		{"with the tiles of a fork", func(l *ledgerlog.Log) {
			own, fork := l.Read, newTestLog(t, "log.example/ledger", forked).publish(t, 300).Read
			l.Read = func(path string) ([]byte, error) {
				if path == ledgerlog.CheckpointPath {
					return own(path)
				}
				return fork(path)
			}
		}, outcome.ProofInvalid},
	} {
		l := log.publish(t, 300)
		tc.harm(l)
		if got := l.AtIndex(log.leaves[1], 1); got.Code != tc.want || got.Index != record.NotLogged {
			t.Errorf("%s: %+v, want %s", tc.name, got, tc.want)
		}
	}
}
