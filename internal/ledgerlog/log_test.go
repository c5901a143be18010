package ledgerlog_test

import (
	"errors"
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

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
	if err != nil {
		t.Fatal(err)
	}
	return &testLog{origin: origin, leaves: leaves, hashes: grow(t, leaves), signer: signer}
}

func (l *testLog) key() ledgerlog.VerifierKey {
	return ledgerlog.VerifierKey{Name: l.origin, Public: l.signer.Public()}
}

func (l *testLog) checkpoint(t testing.TB, size int64) (ledgerlog.Checkpoint, []byte) {
	t.Helper()
	c := ledgerlog.Checkpoint{Origin: l.origin, Size: size, Root: l.hashes.root(t, size)}
	note, err := ledgerlog.SignCheckpoint(c, l.signer.Public(), l.signer)
	if err != nil {
		t.Fatal(err)
	}
	return c, note
}

func (l *testLog) proof(t testing.TB, index, size int64) []byte {
	t.Helper()
	path, err := tlog.ProveRecord(size, index, l.hashes)
	if err != nil {
		t.Fatal(err)
	}
	_, note := l.checkpoint(t, size)
	return ledgerlog.Proof{Index: index, Path: path, Checkpoint: note}.Append(nil)
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

// forkedLeaves are leaves of which one, at index, says something else.
func forkedLeaves(n, index int) [][]byte {
	leaves := manyLeaves(n)
	leaves[index] = []byte("another history")
	return leaves
}

// A proof leads to a checkpoint. It counts only if the published log still
// begins with the tree of that checkpoint, although its signature is good.
func TestProofOfAForkIsRefused(t *testing.T) {
	const origin = "log.example/ledger"
	log := newTestLog(t, origin, manyLeaves(600))
	for _, tc := range []struct {
		name  string
		other *testLog
		index int64
		size  int64 // of the tree that the proof leads to
		want  outcome.Code
	}{
		{"the log itself", log, 17, 300, outcome.OK},
		{"the log itself, at its present size", log, 599, 600, outcome.OK},
		{"a leaf before was changed", newTestLog(t, origin, forkedLeaves(600, 3)), 17, 300, outcome.LedgerForked},
		{"a leaf after was changed, inside the tree", newTestLog(t, origin, forkedLeaves(600, 299)), 17, 300, outcome.LedgerForked},
		{"a leaf outside of the tree was changed", newTestLog(t, origin, forkedLeaves(600, 300)), 17, 300, outcome.OK},
		{"a tree larger than the log", newTestLog(t, origin, manyLeaves(700)), 17, 700, outcome.LedgerForked},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := log.publish(t, 600).ByProof(tc.other.leaves[tc.index], tc.other.proof(t, tc.index, tc.size))
			if got.Code != tc.want {
				t.Fatalf("%s, want %s", got.Code, tc.want)
			}
			wantIndex := int64(record.NotLogged)
			if tc.want == outcome.OK {
				wantIndex = tc.index
			}
			if got.Index != wantIndex || got.Size != 600 {
				t.Errorf("index %d of %d, want %d of 600", got.Index, got.Size, wantIndex)
			}
		})
	}
}

func TestExtends(t *testing.T) {
	const origin = "log.example/ledger"
	log := newTestLog(t, origin, manyLeaves(600))
	fork := newTestLog(t, origin, forkedLeaves(600, 3))
	other := newTestLog(t, "other.example/ledger", manyLeaves(600))

	for _, size := range []int64{0, 1, 255, 256, 257, 600} {
		earlier, _ := log.checkpoint(t, size)
		if got := log.publish(t, 600).Extends(earlier); got != outcome.OK {
			t.Errorf("its own tree of %d: %s", size, got)
		}
	}
	larger, _ := log.checkpoint(t, 600)
	changed, _ := fork.checkpoint(t, 300)
	foreign, _ := other.checkpoint(t, 300)
	for name, c := range map[string]ledgerlog.Checkpoint{"a larger tree": larger, "a changed tree": changed, "another log": foreign} {
		if got := log.publish(t, 400).Extends(c); got != outcome.LedgerForked {
			t.Errorf("%s: %s", name, got)
		}
	}
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
		if got := log.publish(t, 500).AtIndex(log.leaves[0], index); got.Code == outcome.OK || got.Index != record.NotLogged {
			t.Errorf("index %d: %+v", index, got)
		}
	}
}

// Without its files, or signed by a key that is not trusted, a log shows
// nothing.
func TestLogThatCannotBeRead(t *testing.T) {
	log := newTestLog(t, "log.example/ledger", manyLeaves(300))
	earlier, _ := log.checkpoint(t, 200)

	empty := log.publish(t, 300)
	empty.Read = func(string) ([]byte, error) { return nil, errors.New("gone") }
	if got := empty.Extends(earlier); got != outcome.LedgerUnavailable {
		t.Errorf("without files: %s", got)
	}

	keyless := log.publish(t, 300)
	keyless.Keys = nil
	if got := keyless.ByProof(log.leaves[1], log.proof(t, 1, 200)); got.Code == outcome.OK {
		t.Errorf("without keys: %+v", got)
	}

	stranger := log.publish(t, 300)
	stranger.Keys[0].Public[0] ^= 1
	if got := stranger.ByProof(log.leaves[1], log.proof(t, 1, 200)); got.Code == outcome.OK {
		t.Errorf("with the key of somebody else: %+v", got)
	}
}
