package ledger

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"colophon/internal/ledgerlog"
	"colophon/internal/record"
)

// TestTamperEveryByte flips each byte of each file of a small log that was
// signed at three sizes, one at a time. The audit must find every flip. In
// large files the test flips only every 61st byte, unless COLOPHON_EVERY_BYTE
// is set; then it takes minutes.
func TestTamperEveryByte(t *testing.T) {
	m, _ := writeLog(t, testLeaf, 2, 5, 260)
	flips, irrelevant := 0, 0
	for _, name := range slices.Sorted(maps.Keys(m)) {
		pristine := m[name]
		step := 1
		if len(pristine) > 4<<10 && os.Getenv("COLOPHON_EVERY_BYTE") == "" {
			step = 61
		}
		for i := 0; i < len(pristine); i += step {
			damaged := bytes.Clone(pristine)
			damaged[i] ^= 1 << (i % 8)
			m[name] = damaged
			flips++
			if r, err := m.audit(nil); err == nil && len(r.Findings) == 0 {
				irrelevant++
				t.Errorf("%s: byte %d of %d flipped is not found", name, i, len(pristine))
			}
		}
		m[name] = pristine
	}
	t.Logf("%d flips in %d files, %d not found", flips, len(m), irrelevant)
	if r, err := m.audit(nil); err != nil || len(r.Findings) > 0 {
		t.Errorf("whole again: %v, %q", err, r.Findings)
	}
}

// TestTamperFiles removes, adds, truncates and swaps whole files.
func TestTamperFiles(t *testing.T) {
	pristine, _ := writeLog(t, testLeaf, 5, 600)
	damage := func(name string, change func(m memory)) {
		m := maps.Clone(pristine)
		change(m)
		if r, err := m.audit(nil); err == nil && len(r.Findings) == 0 {
			t.Errorf("%s is not found", name)
		}
	}
	for name, data := range pristine {
		damage("without "+name, func(m memory) { delete(m, name) })
		damage("truncated "+name, func(m memory) { m[name] = data[:len(data)-1] })
		damage("longer "+name, func(m memory) { m[name] = append(bytes.Clone(data), '\n') })
	}
	damage("swapped bundles", func(m memory) {
		m["tile/entries/000"], m["tile/entries/001"] = m["tile/entries/001"], m["tile/entries/000"]
	})
	damage("a stray file", func(m memory) { m["tile/0/009"] = []byte("x") })
	damage("a partial file of a size that cannot be", func(m memory) { m["tile/0/003.p/9"] = make([]byte, 32*9) })
}

// TestAuditRemembers checks that the checkpoint seen earlier must be a prefix
// of the log.
func TestAuditRemembers(t *testing.T) {
	small, _ := writeLog(t, testLeaf, 300)
	large, _ := writeLog(t, testLeaf, 300, 700)
	fork, _ := writeLog(t, func(i int) []byte { return testLeaf(i + i/299) }, 700)
	for _, c := range []struct {
		name   string
		log    memory
		known  []byte
		expect string
	}{
		{"grown", large, small[ledgerlog.CheckpointPath], ""},
		{"the same", small, small[ledgerlog.CheckpointPath], ""},
		{"rolled back", small, large[ledgerlog.CheckpointPath], "rolled back"},
		{"forked", fork, small[ledgerlog.CheckpointPath], "forked"},
		{"forked at the same size", fork, large[ledgerlog.CheckpointPath], "forked"},
		{"damaged memory", large, []byte("x"), "damaged"},
	} {
		r, err := c.log.audit(c.known)
		must(t, err)
		all := strings.Join(r.Findings, "; ")
		if c.expect == "" && all != "" || !strings.Contains(all, c.expect) {
			t.Errorf("%s: %q", c.name, all)
		}
	}
}

// TestAuditAsksForAnnouncedKeys checks that a log may change its key only if a
// leaf announces the new one.
func TestAuditAsksForAnnouncedKeys(t *testing.T) {
	old, _ := writeLog(t, testLeaf, 300)
	_, before := testSigner(t, "the key before")
	r, err := Audit(Question{Read: old.read, Known: old[ledgerlog.CheckpointPath], KnownKey: &before})
	must(t, err)
	if !strings.Contains(strings.Join(r.Findings, ";"), "which no leaf announces") {
		t.Errorf("an unannounced key: %q", r.Findings)
	}
	_, now := testSigner(t, "log")
	announced, _ := writeLog(t, func(i int) []byte {
		if i == 17 {
			return []byte(`{"exp":2,"kid":"` + record.Thumbprint(now.Public) + `","leaf":"service.key-leaf.v1","nbf":1,"op":"add"}`)
		}
		return testLeaf(i)
	}, 300)
	r, err = Audit(Question{Read: announced.read, KnownKey: &before, Known: announced[ledgerlog.CheckpointPath]})
	must(t, err)
	if len(r.Findings) > 0 {
		t.Errorf("an announced key: %q", r.Findings)
	}
	if _, err := Audit(Question{Read: old.read, Key: &before}); err == nil {
		t.Error("a log under another key than the one to trust")
	}
}

func TestAuditRefusesForeignLeaves(t *testing.T) {
	for _, leaf := range []string{`{"leaf":"service.unknown.v1"}`, `{ }`, `x`, ``, `{"leaf":"service.index-leaf.v1"}`} {
		m, _ := writeLog(t, func(i int) []byte {
			if i == 3 {
				return []byte(leaf)
			}
			return testLeaf(i)
		}, 5)
		r, err := m.audit(nil)
		must(t, err)
		if len(r.Findings) == 0 {
			t.Errorf("a leaf %q is taken", leaf)
		}
	}
}

func TestPolicy(t *testing.T) {
	_, key := testSigner(t, "log")
	_, old := testSigner(t, "old")
	w := Witness{ledgerlog.WitnessKey{Name: "w.example/1", Public: old.Public}, "http://127.0.0.1:1/w"}
	for _, p := range []Policy{
		{Keys: []ledgerlog.VerifierKey{key}}, {Keys: []ledgerlog.VerifierKey{key, old}, Witnesses: []Witness{w}},
		{Keys: []ledgerlog.VerifierKey{key}, Witnesses: []Witness{w}, Quorum: 1},
	} {
		text := p.Append(nil)
		back, err := ParsePolicy(text)
		if err != nil || string(back.Append(nil)) != string(text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, bad := range []string{
		"", "quorum none\n", "log x\nquorum none\n", "log " + key.String() + "\n", "log " + key.String() + "\nquorum none\nquorum none\n",
		"log " + key.String() + "\ngroup witnesses 1\nquorum witnesses\n", "log " + key.String() + "\nquorum none", "# log\n",
	} {
		if p, err := ParsePolicy([]byte(bad)); err == nil {
			t.Errorf("%q is taken for %+v", bad, p)
		}
	}
}

func FuzzParsePolicy(f *testing.F) {
	_, key := testSigner(f, "log")
	p := Policy{Keys: []ledgerlog.VerifierKey{key}}
	f.Add(p.Append(nil))
	f.Add([]byte("group a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := ParsePolicy(text); err == nil && string(p.Append(nil)) != string(text) {
			t.Errorf("%q reads as %q", text, p.Append(nil))
		}
	})
}
