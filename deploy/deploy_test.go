package deploy

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
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

// build builds the program as the Containerfile does.
func build(t *testing.T, source string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^RUN CGO_ENABLED=0 go (build .*) -o /out/colophon (\S+)$`).FindStringSubmatch(read(t, "Containerfile"))
	if m == nil {
		t.Fatal("the Containerfile does not build the program")
	}
	program := filepath.Join(t.TempDir(), "colophon")
	cmd := exec.Command("go", append(strings.Fields(m[1]), "-o", program, m[2])...)
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
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
		text := strings.ReplaceAll(read(t, name), "/usr/local/bin/colophon", os.Args[0])
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

// TestImage does by hand what the Containerfile does: it builds the committed
// source in a clean folder, and runs the program as the image's user in a root
// that holds nothing but what the image holds. Run by "make test-deploy".
func TestImage(t *testing.T) {
	if os.Getenv("COLOPHON_DEPLOY") == "" {
		t.Skip("needs COLOPHON_DEPLOY: make test-deploy")
	}
	if os.Getuid() != 0 {
		t.Skip("needs root, for a root folder of its own")
	}
	source := t.TempDir()
	archive := exec.Command("sh", "-c", `git archive HEAD | tar x -C "$0"`, source)
	archive.Dir = ".."
	if out, err := archive.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := build(t, source)
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("the program is not static")
	}

	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"usr/local/bin", "var/lib/colophon", "tmp"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"var/lib/colophon", "tmp"} {
		if err := os.Chown(filepath.Join(root, dir), 65532, 65532); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "usr/local/bin/colophon"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"--version", "init --base-url http://127.0.0.1:8787", "publisher add alpha --name A --site-url https://a.example/", "publisher approve alpha", "build",
		"backup --to /tmp/backups --recipient age1mmzlpcgmqh05rq82tlezrewlhctjhzz8a3tq6z0rdgcvlluxeyeqa5a0q8", "doctor --offline",
	} {
		cmd := exec.Command("/usr/local/bin/colophon", strings.Fields(line)...)
		cmd.Dir = "/"
		cmd.Env = []string{"COLOPHON_DIR=/var/lib/colophon"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("colophon %s: %v\n%s", line, err, out)
		}
	}
}
