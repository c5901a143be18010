package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return string(data)
}

// TestUnitsAreValid lets systemd verify the units, with this test binary in
// place of the program.
func TestUnitsAreValid(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("needs systemd-analyze")
	}
	dir := t.TempDir()
	var units []string
	for _, name := range []string{"colophon.service", "colophon-backup.service", "colophon-backup.timer"} {
		path := filepath.Join(dir, name)
		text := strings.ReplaceAll(read(t, name), "ExecStart=colophon ", "ExecStart="+os.Args[0]+" ")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		units = append(units, path)
	}
	out, err := exec.Command(analyze, append([]string{"verify"}, units...)...).CombinedOutput()
	if err != nil || len(out) > 0 { // systemd only warns of unknown settings
		t.Errorf("%v\n%s", err, out)
	}
}

// TestCompose builds the image of the last commit and starts the compose file
// with it under a container engine. Run it with "make test-deploy", which
// installs one.
func TestCompose(t *testing.T) {
	if os.Getenv("COLOPHON_DEPLOY") == "" {
		t.Skip("needs COLOPHON_DEPLOY: make test-deploy")
	}
	source := t.TempDir()
	run(t, "..", nil, "git", "clone", "--quiet", ".", source)
	run(t, ".", nil, "./trycompose.sh", source, os.Getenv("COLOPHON_VERSITYGW"))
}
