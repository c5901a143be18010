package published

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/generator/ledger"
	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

var must = assert.NoError

// auditOf returns the report of an audit of a log with one leaf.
func auditOf(t *testing.T, leaf string) ledger.Report {
	t.Helper()
	seed := sha256.Sum256([]byte("log"))
	signer, err := record.NewSigner(seed[:])
	must(t, err)
	key := ledgerlog.VerifierKey{Name: "registry.example/ledger", Public: signer.Public()}
	c := ledgerlog.Checkpoint{Origin: key.Name, Size: 1, Root: tlog.RecordHash([]byte(leaf))}
	note, err := ledgerlog.SignCheckpoint(c, key.Public, signer)
	must(t, err)
	return ledger.Report{Checkpoint: c, Note: note, Key: key, Keys: []ledgerlog.VerifierKey{key}}
}

// TestReadSeen checks that what an audit remembers is read again, and that a
// file that was changed is refused rather than taken for a first audit.
func TestReadSeen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen.txt")
	var q ledger.Question
	if err := ReadSeen(file, &q); err != nil || q.Known != nil || q.KnownKey != nil {
		t.Errorf("without a file: %v, %+v", err, q)
	}
	r := auditOf(t, "a")
	text := string(SeenFile(&r))
	for changed, want := range map[string]string{
		text: "", strings.Replace(text, "\n1\n", "\n2\n", 1): "is damaged", text[:20]: "is damaged", "": "is damaged", strings.TrimPrefix(text, r.Key.String()): "is damaged",
	} {
		must(t, os.WriteFile(file, []byte(changed), 0o644))
		q = ledger.Question{}
		err := ReadSeen(file, &q)
		if want == "" && (err != nil || string(q.Known) != string(r.Note) || q.KnownKey == nil || *q.KnownKey != r.Key) {
			t.Errorf("%v, %+v", err, q)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want) || q.Known != nil) {
			t.Errorf("%q: %v, %+v", changed, err, q)
		}
	}
}

// TestCompareViews compares a log with files that hold a checkpoint: a
// contradiction becomes a finding, and the comparison goes on.
func TestCompareViews(t *testing.T) {
	dir := t.TempDir()
	own, other := auditOf(t, "a"), auditOf(t, "b")
	same, forked := filepath.Join(dir, "same.txt"), filepath.Join(dir, "forked.txt")
	for file, r := range map[string]*ledger.Report{same: &own, forked: &other} {
		must(t, os.WriteFile(file, SeenFile(r), 0o644))
	}
	views, err := CompareViews(t.Context(), ledger.View{Name: "here", Note: own.Note}, &own, []string{forked, same})
	if err != nil || len(views) != 2 || views[0].Agrees || !views[1].Agrees || views[1].Checkpoint != string(own.Note) {
		t.Errorf("%v, %+v", err, views)
	}
	if len(own.Findings) != 1 || !strings.Contains(own.Findings[0], ledger.ErrSplitView.Error()) {
		t.Errorf("findings %q", own.Findings)
	}
	assert.Fails(t, assert.Err(CompareViews(t.Context(), ledger.View{Name: "here", Note: own.Note}, &own, []string{filepath.Join(dir, "missing.txt")})), "a view that is not there was compared")
}
