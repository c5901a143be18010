package ledger

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"colophon/internal/assert"
	"colophon/internal/ledgerlog"
	"colophon/internal/record"
	"colophon/internal/wire"
)

var must = assert.NoError

const testOrigin = "registry.example/ledger"

func testSigner(tb testing.TB, name string) (*record.SeedSigner, ledgerlog.VerifierKey) {
	tb.Helper()
	seed := sha256.Sum256([]byte(name))
	s, err := record.NewSigner(seed[:])
	must(tb, err)
	return s, ledgerlog.VerifierKey{Name: testOrigin, Public: s.Public()}
}

// testLeaf returns leaf i of the test log: every hundredth is a key leaf, the
// others are records.
func testLeaf(i int) []byte {
	if i%100 == 0 {
		return wire.Append(nil, &record.KeyLeaf{KeyID: fmt.Sprintf("key-%d", i), Op: record.OpAdd, NotBefore: 1, NotAfter: 2, TrustedTreeSize: -1})
	}
	digest := fmt.Sprintf("%064x", i)
	return record.LeafBytes(record.RecordLeaf{EntryID: fmt.Sprintf("ent_%d", i), Fingerprint: digest, IssuedAt: "2026-01-01T00:00:00Z",
		Op: record.OpIssue, RecordSHA256: digest, RecordVersion: 1, SiteID: "alpha", URLKey: digest})
}

// memory is a log in memory.
type memory map[string][]byte

func (m memory) read(path string) ([]byte, error) {
	if data, ok := m[path]; ok {
		return data, nil
	}
	return nil, os.ErrNotExist
}

func (m memory) names() (out []string) {
	for name := range m {
		out = append(out, name)
	}
	return out
}

// writeLog makes a log that was signed at each of the sizes.
func writeLog(tb testing.TB, leaf func(int) []byte, sizes ...int64) (memory, *Builder) {
	tb.Helper()
	m := memory{}
	final := sizes[len(sizes)-1]
	b := &Builder{Final: final, Sizes: sizes, Put: func(path string, data []byte) error {
		if old, ok := m[path]; ok && string(old) != string(data) {
			tb.Errorf("%s is written twice", path)
		}
		m[path] = append([]byte(nil), data...)
		return nil
	}}
	for i := range int(final) {
		must(tb, b.Add(leaf(i)))
	}
	signer, key := testSigner(tb, "log")
	note, err := ledgerlog.SignCheckpoint(ledgerlog.Checkpoint{Origin: testOrigin, Size: final, Root: rootOf(tb, b)}, key.Public, signer)
	must(tb, err)
	policy := Policy{Keys: []ledgerlog.VerifierKey{key}}
	m[ledgerlog.CheckpointPath], m[PolicyFile], m[KeyFile] = note, policy.Append(nil), []byte(key.String()+"\n")
	return m, b
}

func rootOf(tb testing.TB, b *Builder) tlog.Hash {
	tb.Helper()
	root, err := b.Root()
	must(tb, err)
	return root
}

func (m memory) audit(known []byte) (Report, error) {
	q := Question{Read: m.read, Files: m.names(), Known: known}
	return Audit(q)
}

// TestBuilderIsWholeAtEverySize checks sizes up to 600 in steps of 7: the root,
// the files, and that resuming from the last multiple of 256 gives the same root.
func TestBuilderIsWholeAtEverySize(t *testing.T) {
	for size := int64(1); size <= 600; size += 7 {
		m, b := writeLog(t, testLeaf, size)
		tiles := ledgerlog.NewTiles(size, m.read)
		root, err := tlog.TreeHash(size, tiles)
		if err != nil || root != rootOf(t, b) {
			t.Fatalf("size %d: root %x, %v; the builder says %x", size, root, err, rootOf(t, b))
		}
		if r, err := m.audit(nil); err != nil || len(r.Findings) > 0 {
			t.Fatalf("size %d: %v, %q", size, err, r.Findings)
		}
		edge, err := Edge(size, m.read)
		must(t, err)
		again := &Builder{Final: 700, Sizes: []int64{size, 700}}
		from := size &^ 255
		again.Resume(from, edge)
		straight := &Builder{Final: 700}
		for i := range 700 {
			must(t, straight.Add(testLeaf(i)))
			if int64(i) >= from {
				must(t, again.Add(testLeaf(i)))
			}
		}
		if rootOf(t, again) != rootOf(t, straight) {
			t.Fatalf("going on from %d of %d leads to another root", from, size)
		}
	}
}

// TestPartialsFollowTheSizes checks that a partial file stays until the full
// one exists.
func TestPartialsFollowTheSizes(t *testing.T) {
	sizes := []int64{3, 200, 256, 300, 511}
	m, _ := writeLog(t, testLeaf, sizes...)
	want := Partials(sizes, 511)
	for path := range want {
		if m[path] == nil {
			t.Errorf("%s is missing", path)
		}
	}
	for _, path := range []string{"tile/0/001.p/44", "tile/entries/001.p/44", "tile/0/001.p/255", "tile/1/000.p/1"} {
		if !want[path] {
			t.Errorf("%s is not kept", path)
		}
	}
	for path := range m {
		if tile, ok := ledgerlog.ParseTilePath(path); ok && tile.W < width && !want[path] {
			t.Errorf("%s is too many", path)
		}
	}
	if m["tile/0/000.p/3"] != nil || m["tile/0/000"] == nil {
		t.Error("the full tile does not replace the partial ones")
	}
}

// TestBuilderHoldsOnlyItsEdge adds many leaves and checks that the builder
// holds no more hashes than one tile of each level has, with the subtrees
// within it.
func TestBuilderHoldsOnlyItsEdge(t *testing.T) {
	b := &Builder{Final: 1 << 20}
	leaf := testLeaf(1)
	for range 1 << 17 {
		must(t, b.Add(leaf))
		if held := len(b.bundle); held > 257*(len(leaf)+2) {
			t.Fatalf("%d bytes of leaves are held", held)
		}
		if len(b.hashes) > 3*2*width {
			t.Fatalf("%d hashes are held after %d leaves", len(b.hashes), b.size)
		}
	}
}

// TestAgree checks that Agree, which uses x/mod, accepts a whole log and
// refuses damaged ones.
func TestAgree(t *testing.T) {
	m, b := writeLog(t, testLeaf, 100, 700)
	_, key := testSigner(t, "log")
	early := &Builder{Final: 100}
	for i := range 100 {
		must(t, early.Add(testLeaf(i)))
	}
	past := ledgerlog.Checkpoint{Origin: testOrigin, Size: 100, Root: rootOf(t, early)}
	must(t, Agree(m.read, m[ledgerlog.CheckpointPath], key, past))
	forged := past
	forged.Root[0] ^= 1
	assert.Fails(t, Agree(m.read, m[ledgerlog.CheckpointPath], key, forged), "a state that the log never had is taken for its beginning")
	m["tile/0/002.p/188"][0] ^= 1
	assert.Fails(t, Agree(m.read, m[ledgerlog.CheckpointPath], key), "a damaged tile agrees")
	_, other := testSigner(t, "other")
	assert.Fails(t, Agree(m.read, m[ledgerlog.CheckpointPath], other), "another key agrees")
	_ = b
}

func TestFolderReadsOnlyBelow(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "checkpoint"), []byte("x"), 0o644))
	read := Folder(dir)
	if data, err := read("checkpoint"); err != nil || string(data) != "x" {
		t.Errorf("%q, %v", data, err)
	}
	for _, path := range []string{"../checkpoint", "/etc/hostname", ""} {
		if data, err := read(path); err == nil {
			t.Errorf("%q gave %q", path, data)
		}
	}
}
