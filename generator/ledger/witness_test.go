package ledger

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

// witness is a fake C2SP tlog-witness: it knows one log, keeps the state that
// it cosigned last, and answers according to the protocol.
type witness struct {
	tb     testing.TB
	signer *record.SeedSigner
	key    ledgerlog.WitnessKey
	log    ledgerlog.VerifierKey

	mu    sync.Mutex
	last  ledgerlog.Checkpoint
	seen  []int // statuses of its answers
	spoil bool  // cosign a different checkpoint
}

func newWitness(tb testing.TB, log ledgerlog.VerifierKey) (*witness, Witness) {
	tb.Helper()
	signer, key := testSigner(tb, "witness")
	w := &witness{tb: tb, signer: signer, key: ledgerlog.WitnessKey{Name: "witness.example/w", Public: key.Public}, log: log}
	server := httptest.NewServer(w)
	tb.Cleanup(server.Close)
	return w, Witness{Key: w.key, URL: server.URL}
}

func (w *witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	must(w.tb, err)
	status, answer := http.StatusNotFound, ""
	if r.Method == http.MethodPost && r.URL.Path == "/add-checkpoint" {
		status, answer = w.add(string(body))
	}
	w.seen = append(w.seen, status)
	rw.WriteHeader(status)
	io.WriteString(rw, answer) //nolint:errcheck // the client sees an incomplete answer
}

func (w *witness) add(body string) (int, string) {
	head, note, _ := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	var old int64
	if _, err := fmt.Sscanf(lines[0], "old %d", &old); err != nil {
		return http.StatusBadRequest, ""
	}
	var path tlog.TreeProof
	for _, l := range lines[1:] {
		raw, err := base64.StdEncoding.DecodeString(l)
		if err != nil || len(raw) != 32 {
			return http.StatusBadRequest, ""
		}
		path = append(path, tlog.Hash(raw))
	}
	c, err := ledgerlog.OpenCheckpoint([]byte(note), w.log, record.Ed25519)
	switch {
	case err != nil:
		return http.StatusForbidden, ""
	case old > c.Size:
		return http.StatusBadRequest, ""
	case old != w.last.Size, old == c.Size && c.Root != w.last.Root:
		return http.StatusConflict, fmt.Sprintf("%d\n", w.last.Size)
	case old == 0 && len(path) > 0, old > 0 && tlog.CheckTree(path, c.Size, c.Root, old, w.last.Root) != nil:
		return http.StatusUnprocessableEntity, ""
	}
	w.last = c
	return http.StatusOK, w.cosign(string(c.Append(nil)))
}

func (w *witness) cosign(text string) string {
	if w.spoil {
		text += "x"
	}
	const at = 1_795_000_000
	sig, err := w.signer.Sign(ledgerlog.CosignatureInput(text, at))
	must(w.tb, err)
	raw := binary.BigEndian.AppendUint32(nil, w.key.Hash())
	raw = append(binary.BigEndian.AppendUint64(raw, at), sig...)
	return "\u2014 " + w.key.Name + " " + base64.StdEncoding.EncodeToString(raw) + "\n"
}

func signaturesOf(t *testing.T, signed []byte) []note.Signature {
	t.Helper()
	lines, err := ledgerlog.Signatures(signed)
	must(t, err)
	return lines
}

func ask(t *testing.T, m memory, size, since int64, w Witness) ([]byte, []error) {
	t.Helper()
	return Ask(context.Background(), m[ledgerlog.CheckpointPath], []Witness{w}, since, ledgerlog.NewTiles(size, m.read))
}

// TestWitnessCosigns follows the life of a log with a witness, which cosigns
// growth, answers with its size if the request starts elsewhere, and refuses a
// fork and a rollback.
func TestWitnessCosigns(t *testing.T) {
	_, key := testSigner(t, "log")
	double, w := newWitness(t, key)
	first, _ := writeLog(t, testLeaf, 300)
	second, _ := writeLog(t, testLeaf, 300, 700)
	third, _ := writeLog(t, testLeaf, 300, 700, 900)

	note, failed := ask(t, first, 300, 0, w)
	c, ok := ledgerlog.FindCosignature(note, w.Key)
	if len(failed) > 0 || !ok || c.At != 1_795_000_000 {
		t.Fatalf("the first checkpoint: %v", failed)
	}
	if again, failed := ask(t, memory{ledgerlog.CheckpointPath: note}, 300, 0, w); len(failed) > 0 || !bytes.Equal(again, note) {
		t.Errorf("a checkpoint that is cosigned is sent again: %v", failed)
	}
	if _, failed := ask(t, second, 700, 300, w); len(failed) > 0 {
		t.Fatalf("the log grew: %v", failed)
	}
	if _, failed := ask(t, third, 900, 0, w); len(failed) > 0 { // answered with 409 and the witness's size, then asked again from that size
		t.Fatalf("asked from elsewhere: %v", failed)
	}
	assert.Equal(t, fmt.Sprint(double.seen), "[200 200 409 200]", "answers")

	double.seen = nil
	if note, failed := ask(t, second, 700, 300, w); len(failed) != 1 || len(signaturesOf(t, note)) != 1 {
		t.Errorf("a rollback is cosigned: %v", failed)
	}
	fork, _ := writeLog(t, func(i int) []byte { return testLeaf(i + i/299) }, 950)
	if _, failed := ask(t, fork, 950, 900, w); len(failed) != 1 {
		t.Errorf("a fork is cosigned")
	}
	assert.Equal(t, fmt.Sprint(double.seen), "[409 422]", "refusals")
}

func TestWitnessThatFails(t *testing.T) {
	_, key := testSigner(t, "log")
	m, _ := writeLog(t, testLeaf, 10)
	double, w := newWitness(t, key)
	double.spoil = true
	if note, failed := ask(t, m, 10, 0, w); len(failed) != 1 || !bytes.Equal(note, m[ledgerlog.CheckpointPath]) {
		t.Errorf("a cosignature of something else: %v", failed)
	}
	_, other := testSigner(t, "another log")
	_, stranger := newWitness(t, other)
	if _, failed := ask(t, m, 10, 0, stranger); len(failed) != 1 || !strings.Contains(failed[0].Error(), "403") {
		t.Errorf("a witness that does not know the log: %v", failed)
	}
	gone := Witness{Key: w.Key, URL: "http://127.0.0.1:1"}
	if _, failed := ask(t, m, 10, 0, gone); len(failed) != 1 {
		t.Errorf("a witness that is not there: %v", failed)
	}
}

// TestAuditKnowsWitnesses flips each byte of a cosigned checkpoint and checks
// that the audit finds it.
func TestAuditKnowsWitnesses(t *testing.T) {
	_, key := testSigner(t, "log")
	_, w := newWitness(t, key)
	m, _ := writeLog(t, testLeaf, 5)
	note, failed := ask(t, m, 5, 0, w)
	if len(failed) > 0 {
		t.Fatal(failed)
	}
	policy := Policy{Keys: []ledgerlog.VerifierKey{key}, Witnesses: []Witness{w}, Quorum: 1}
	m[ledgerlog.CheckpointPath], m[PolicyFile] = note, policy.Append(nil)
	r, err := m.audit(nil)
	if err != nil || len(r.Findings) > 0 || len(r.Witnesses) != 1 || len(r.Silent) != 0 || r.Quorum != 1 {
		t.Fatalf("%v, %q, silent %q", err, r.Findings, r.Silent)
	}
	for i := range note {
		m[ledgerlog.CheckpointPath] = bytes.Clone(note)
		m[ledgerlog.CheckpointPath][i] ^= 1
		if r, err := m.audit(nil); err == nil && len(r.Findings) == 0 {
			t.Errorf("byte %d of the checkpoint flipped is not found", i)
		}
	}
	m[ledgerlog.CheckpointPath] = note[:bytes.LastIndexByte(note[:len(note)-1], '\n')+1]
	if r, err := m.audit(nil); err != nil || fmt.Sprint(r.Silent) != "[witness.example/w]" || len(r.Findings) != 1 {
		t.Errorf("a checkpoint without its cosignature: %v, silent %q, %q", err, r.Silent, r.Findings)
	}
	m[ledgerlog.CheckpointPath] = note[:len(note)-len(note)/3]
	if r, err := m.audit(nil); err == nil && len(r.Findings) == 0 {
		t.Error("a checkpoint without the cosignature that the policy asks for")
	}
}
