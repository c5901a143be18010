package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/doctor"
	"colophon/internal/registrydir"
)

// examined runs the doctor and returns its findings by check.
func (o operator) examined(args ...string) (code int, findings map[string]doctor.Finding) {
	o.Helper()
	code, out, errs := o.run(append([]string{"doctor", "--json"}, args...)...)
	var doc struct {
		Data struct{ Findings []doctor.Finding }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		o.Fatalf("%v in %s; %s", err, out, errs)
	}
	findings = map[string]doctor.Finding{}
	for _, f := range doc.Data.Findings {
		if old, found := findings[f.Check]; !found || old.Status == doctor.OK {
			findings[f.Check] = f
		}
	}
	return code, findings
}

// TestDoctor checks the exit code and the output for a registry without
// failures, for one that has some, and for none. What is found is tested in
// package doctor.
func TestDoctor(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	if code, findings := o.examined("--offline"); code != exitOK || findings["store"].Status != doctor.OK || findings["dns"].Status != doctor.Skipped {
		t.Errorf("exit code %d: %+v", code, findings)
	}
	o.write(registrydir.SettingsFile, "colour = 1\n")
	code, out, errs := o.run("doctor")
	if code != exitFailed || !strings.Contains(out, "failed   settings     ") || !strings.Contains(out, "\n                      next: correct ") || !strings.Contains(errs, "checks failed") {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
	none := operator{t, filepath.Join(t.TempDir(), "none")}
	none.no(1, "there is no registry", "doctor")
	o.no(2, "--dry-run goes with --confirm-clock", "doctor", "--dry-run")
}

func (o operator) write(name, text string) {
	o.Helper()
	if err := os.WriteFile(filepath.Join(o.dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
		o.Fatal(err)
	}
}
