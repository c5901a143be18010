package ledger

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
)

// TestSplitView compares the views of two monitors. Two sizes of one log agree
// in either order; two different logs under one key do not, whether their sizes
// are equal or not.
func TestSplitView(t *testing.T) {
	_, key := testSigner(t, "log")
	keys := []ledgerlog.VerifierKey{key}
	forkedAt := func(n int) func(int) []byte {
		return func(i int) []byte {
			if i < n {
				return testLeaf(i)
			}
			return testLeaf(i + 1000)
		}
	}
	view := func(name string, leaf func(int) []byte, size int64) View {
		m, _ := writeLog(t, leaf, size)
		return View{Name: name, Note: m[ledgerlog.CheckpointPath], Read: m.read}
	}
	short, long := view("a", testLeaf, 300), view("b", testLeaf, 700)
	for name, c := range map[string]struct {
		own, other View
		split      bool
	}{
		"the same":                {short, short, false},
		"the other is ahead":      {short, long, false},
		"the other is behind":     {long, short, false},
		"forked, of one size":     {short, view("c", forkedAt(299), 300), true},
		"forked, the other long":  {short, view("c", forkedAt(299), 700), true},
		"forked, the other short": {long, view("c", forkedAt(299), 300), true},
		"forked after it":         {short, view("c", forkedAt(300), 700), false},
		"an empty log":            {long, view("c", testLeaf, 0), false},
	} {
		got, err := CompareViews(c.own, c.other, keys)
		if c.split != errors.Is(err, ErrSplitView) || !c.split && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if want, _ := ledgerlog.ReadCheckpoint(c.other.Note); got != want {
			t.Errorf("%s: the checkpoint %v, not %v", name, got, want)
		}
	}

	checkpoint := View{Name: "seen.txt", Note: long.Note}
	if _, err := CompareViews(long, View{Name: "seen.txt", Note: short.Note}, keys); err != nil {
		t.Errorf("a checkpoint alone that is behind: %v", err)
	}
	if _, err := CompareViews(short, checkpoint, keys); err == nil || errors.Is(err, ErrSplitView) || !strings.Contains(err.Error(), "when the log has grown") {
		t.Errorf("a checkpoint alone that is ahead: %v", err)
	}
	harmed := long
	harmed.Read = func(path string) ([]byte, error) {
		data, err := long.Read(path)
		if len(data) == 0 {
			return nil, err
		}
		data = append([]byte(nil), data...)
		data[len(data)-1] ^= 1
		return data, err
	}
	if _, err := CompareViews(short, harmed, keys); err == nil || errors.Is(err, ErrSplitView) {
		t.Errorf("tiles that do not lead to the root: %v", err)
	}
	signer, stranger := testSigner(t, "stranger")
	forged, err := ledgerlog.SignCheckpoint(ledgerlog.Checkpoint{Origin: testOrigin, Size: 300, Root: tlog.Hash{1}}, stranger.Public, signer)
	must(t, err)
	assert.ErrorContains(t, assert.Err(CompareViews(short, View{Name: "forged", Note: forged}, keys)), "a checkpoint of another key", "not signed by a key of the policy")
	foreign, err := ledgerlog.SignCheckpoint(ledgerlog.Checkpoint{Origin: "another.example/ledger", Size: 300, Root: tlog.Hash{1}}, stranger.Public, signer)
	must(t, err)
	assert.ErrorContains(t, assert.Err(CompareViews(short, View{Name: "foreign", Note: foreign}, keys)), "a checkpoint of another log", `shows the log "another.example/ledger"`)
	assert.ErrorContains(t, assert.Err(CompareViews(short, View{Name: "garbage", Note: []byte("x")}, keys)), "garbage", "cannot be read")
}
