package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// compose is what the tests read of the compose file.
type compose struct {
	Services map[string]struct {
		Image   string
		Build   struct{ Context, Dockerfile string }
		Command []string
		Volumes []string
	}
	Volumes map[string]any
}

func readCompose(t *testing.T) compose {
	t.Helper()
	var c compose
	if err := yaml.Unmarshal([]byte(read(t, "compose.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestUnitsAreValid lets systemd judge the units, with this test in the place
// of the program.
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
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		units = append(units, path)
	}
	out, err := exec.Command(analyze, append([]string{"verify"}, units...)...).CombinedOutput()
	if err != nil || len(out) > 0 { // what is unknown is only warned of
		t.Errorf("%v\n%s", err, out)
	}
}

// TestComposeHolds checks what the services refer to.
func TestComposeHolds(t *testing.T) {
	c := readCompose(t)
	if len(c.Services) != 4 {
		t.Errorf("%d services", len(c.Services))
	}
	b := c.Services["colophon"].Build
	if _, err := os.Stat(filepath.Join(b.Context, b.Dockerfile)); err != nil {
		t.Error(err)
	}
	for name, s := range c.Services {
		if s.Image == "" || strings.HasSuffix(s.Image, ":latest") {
			t.Errorf("%s has the image %q", name, s.Image)
		}
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			if _, found := c.Volumes[volume]; !found {
				t.Errorf("%s uses the volume %q, which is not declared", name, volume)
			}
		}
	}
	for _, name := range []string{"colophon", "backup"} {
		if !slices.Contains(c.Services[name].Volumes, "registry:/var/lib/colophon") {
			t.Errorf("%s does not see the registry", name)
		}
	}
}

// TestImage builds the image of the last commit with buildah, and starts it. Run by
// "make test-deploy", which installs buildah.
func TestImage(t *testing.T) {
	if os.Getenv("COLOPHON_DEPLOY") == "" {
		t.Skip("needs COLOPHON_DEPLOY: make test-deploy")
	}
	source := t.TempDir()
	run(t, "..", nil, "git", "clone", "--quiet", ".", source)
	run(t, ".", nil, "./tryimage.sh", source)
}
