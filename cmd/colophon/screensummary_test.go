package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/screen"
)

// summarize screens the fixture's data set with a summary in all forms, and
// computes what it must say from the rows that were written.
func (f *screenFixture) summarize(t *testing.T, at string) {
	in, dir := f.write(t, "c.jsonl"), t.TempDir()
	name := func(ending string) string { return filepath.Join(dir, "summary"+ending) }
	args := []string{"screen", in, "--release", f.dist, "--use", "training", "--at", at, "--dir", f.dir, "--summary", name(".json"), "--summary", name(".html"), "--summary", name(".csv")}
	all, kept := filepath.Join(dir, "all.csv"), filepath.Join(dir, "kept.csv")
	if code, _, stderr := call(append(args, "--out", all)...); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := call(append(args, "--out", kept, "--keep", "signal_allow,unknown")...); code != 0 {
		t.Fatal(stderr)
	}
	reservedRows, bytesOfTexts := int64(0), int64(0)
	for i, row := range readCSV(t, all) {
		bytesOfTexts += int64(len(f.rows[i].Text))
		if row["verdict"] == "declined" || row["verdict"] == "license_required" {
			reservedRows++
		}
	}
	data, err := os.ReadFile(name(".json"))
	must(t, err)
	var doc struct {
		Document string
		Summary  screen.Summary
	}
	if err := json.Unmarshal(data, &doc); err != nil || doc.Document != "training_content_summary" {
		t.Fatalf("%v in %.200s", err, data)
	}
	s := doc.Summary
	if written := int64(len(readCSV(t, kept))); s.Rows != int64(len(f.rows)) || s.Bytes != bytesOfTexts || s.Written != written || written == s.Rows {
		t.Errorf("%d rows, %d bytes, %d written; there are %d, %d and %d", s.Rows, s.Bytes, s.Written, len(f.rows), bytesOfTexts, written)
	}
	most, channels := int64(0), map[string]bool{}
	for _, r := range s.Reservations {
		if r.Rows != r.LeftOut || r.Rows == 0 || r.Use != "training" || strings.Compare(r.FirstRead, r.LastRead) > 0 {
			t.Errorf("%+v", r)
		}
		most, channels[r.Channel] = max(most, r.Rows), true
	}
	if reservedRows == 0 || most != reservedRows || len(channels) < 2 { // these publishers state everything that they reserve
		t.Errorf("%d rows are reserved, and the summary says %+v", reservedRows, s.Reservations)
	}
	if len(s.Largest) == 0 || len(s.Largest) != (s.Domains+9)/10 || len(s.Open) == 0 {
		t.Errorf("%d of %d domains, %d open matters", len(s.Largest), s.Domains, len(s.Open))
	}
	f.verifySummary(t, data, in)
	if code, _, stderr := call(append(args, "--workers", "5", "--keep", "signal_allow,unknown", "--out", filepath.Join(dir, "again.csv"))...); code != 0 {
		t.Fatal(stderr)
	}
	if again, err := os.ReadFile(name(".json")); err != nil || !bytes.Equal(data, again) {
		t.Errorf("another run gives another summary: %v", err)
	}
}

// verifySummary verifies the summary as a receipt is verified, and one that was
// changed.
func (f *screenFixture) verifySummary(t *testing.T, data []byte, input string) {
	for want, text := range map[int][]byte{0: data, 1: bytes.Replace(data, []byte(`"rows":`), []byte(`"rows":1`), 1)} {
		name := filepath.Join(t.TempDir(), "summary.json")
		must(t, os.WriteFile(name, text, 0o600))
		if code, _, stderr := call("verify", name, "--input", input, "--dir", f.dir); code != want {
			t.Errorf("verify ends with %d, not %d: %s", code, want, stderr)
		}
	}
}

func TestSummaryIsRefused(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--summary a.txt", "--small-provider", "--summary a.csv --private", "--summary a.csv --site harbor-ledger"} {
		code, _, stderr := call(append([]string{"screen", "a.csv", "--release", "mirror"}, strings.Fields(args)...)...)
		if code != 2 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s ends with %d: %s", args, code, stderr)
		}
	}
}
