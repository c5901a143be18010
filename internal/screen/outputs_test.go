package screen

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	provrecord "colophon/internal/record"

	"colophon/internal/assert"
)

// TestOutputs checks that each file has the form that its ending names, that
// the report leaves out the counts that only summaries need, and that nothing
// is written in place of what cannot be signed.
func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	newReport := func() *Report {
		r := &Report{Uses: []string{"training"}, Rows: 1, Content: newContent(), Verdicts: map[string]map[string]int64{"training": {"declined": 1}}}
		r.Content.add(&origins{domain: "harbor.example"}, false)
		return r
	}
	out := Outputs{Summaries: []string{in("s.html"), in("s.csv")}, Results: "none", Report: in("r.json")}
	r := newReport()
	if err := out.Write(r); err != nil || r.Content != nil {
		t.Fatalf("%v, %+v", err, r.Content)
	}
	for name, beginning := range map[string]string{"s.html": "<!doctype html>", "s.csv": "domain,rows,", "r.json": "{\n"} {
		text, err := os.ReadFile(in(name))
		if err != nil || !strings.HasPrefix(strings.ToLower(string(text)), beginning) {
			t.Errorf("%s: %v, %.40q", name, err, text)
		}
		assert.Equal(t, strings.Contains(string(text), "harbor.example"), (name != "r.json"), "%s: %s", name, text)
	}

	noKey := errors.New("no key")
	unsigned := Outputs{Summaries: []string{in("s.json")}, Receipt: in("receipt.json"), Signer: func() (provrecord.Signer, error) { return nil, noKey }}
	if err := unsigned.Write(newReport()); !errors.Is(err, noKey) || !strings.Contains(err.Error(), "s.json") {
		t.Errorf("%v", err)
	}
	unsigned.Summaries = nil
	if err := unsigned.Write(newReport()); !errors.Is(err, noKey) || !strings.Contains(err.Error(), "receipt.json") {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"s.json", "receipt.json"} {
		assert.ErrorIs(t, assert.Err(os.Stat(in(name))), os.ErrNotExist, "%s", name)
	}
}
