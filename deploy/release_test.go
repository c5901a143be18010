package deploy

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"colophon/internal/assert"
)

const (
	releaseVersion = "0.0.1"
	own            = runtime.GOOS + "_" + runtime.GOARCH // this machine's target, as archives name it
)

// TestRelease makes a release as "make release" does, installs its parts as
// users do, and makes it once more to compare. Run it with "make test-release".
func TestRelease(t *testing.T) {
	if os.Getenv("COLOPHON_RELEASE") == "" {
		t.Skip("needs COLOPHON_RELEASE: make test-release")
	}
	release := t.TempDir()
	makeRelease(t, release)
	t.Run("artefacts", func(t *testing.T) { checkArtefacts(t, release) })
	t.Run("binaries", func(t *testing.T) { checkBinaries(t, release) })
	t.Run("archive", func(t *testing.T) { tryArchive(t, release) })
	t.Run("edge", func(t *testing.T) { tryEdge(t, release) })
	t.Run("action", func(t *testing.T) { tryAction(t, release) })
	for _, name := range []string{"colophon_" + releaseVersion + "_" + runtime.GOARCH + ".deb", "colophon-" + releaseVersion + "-1." + rpmArch() + ".rpm"} {
		t.Run(name, func(t *testing.T) { run(t, ".", nil, "./trypackage.sh", filepath.Join(release, name), releaseVersion) })
	}
	t.Run("again", func(t *testing.T) { compareAgain(t, release) })
}

// run runs a command in a folder and returns its output. env is added to the
// test's environment.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func makeRelease(t *testing.T, folder string, env ...string) {
	t.Helper()
	run(t, "..", env, "tools/release/release.sh", "v"+releaseVersion, folder)
}

func rpmArch() string {
	return map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
}

// targets are the targets of binaries, as archives name them.
var targets = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

func archiveName(target string) string {
	suffix := ".tar.gz"
	if strings.HasPrefix(target, "windows_") {
		suffix = ".zip"
	}
	return "colophon_" + releaseVersion + "_" + target + suffix
}

// checkArtefacts checks that a release has exactly the files that belong to it,
// with the right checksums.
func checkArtefacts(t *testing.T, release string) {
	want := []string{"checksums.txt", "colophon-edge_" + releaseVersion + ".tar.gz"}
	for _, target := range targets {
		want = append(want, archiveName(target), "colophon_"+releaseVersion+"_"+target+".cdx.json")
	}
	for _, arch := range []string{"amd64", "arm64"} {
		want = append(want, "colophon_"+releaseVersion+"_"+arch+".deb")
	}
	for _, arch := range []string{"x86_64", "aarch64"} {
		want = append(want, "colophon-"+releaseVersion+"-1."+arch+".rpm")
	}
	slices.Sort(want)
	if have := names(t, release); !slices.Equal(have, want) {
		t.Errorf("the release has\n%q\nwant\n%q", have, want)
	}
	if lines := strings.Count(run(t, release, nil, "sha256sum", "--check", "--strict", "checksums.txt"), "OK\n"); lines != len(want)-1 {
		t.Errorf("%d checksums of %d files", lines, len(want)-1)
	}
}

// names returns the names in a folder, sorted.
func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	must(t, err)
	var out []string
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// unpack unpacks an archive into a new folder and returns the single folder in
// it.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.OpenReader(archive)
		must(t, err)
		defer z.Close()
		must(t, os.CopyFS(dir, z))
	} else {
		run(t, dir, nil, "tar", "-xzf", archive)
	}
	list := names(t, dir)
	if len(list) != 1 {
		t.Fatalf("%s has %q at its top", archive, list)
	}
	return filepath.Join(dir, list[0])
}

// checkBinaries checks what the toolchain recorded in each target's program,
// and compares the bill of materials with it.
func checkBinaries(t *testing.T, release string) {
	commit := strings.TrimSpace(run(t, "..", nil, "git", "rev-parse", "HEAD"))
	for _, target := range targets {
		dir := unpack(t, filepath.Join(release, archiveName(target)))
		program := filepath.Join(dir, "colophon")
		if strings.HasPrefix(target, "windows_") {
			program += ".exe"
		}
		info, err := buildinfo.ReadFile(program)
		must(t, err)
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		system, arch, _ := strings.Cut(target, "_")
		for key, want := range map[string]string{"GOOS": system, "GOARCH": arch, "CGO_ENABLED": "0", "-trimpath": "true", "vcs.revision": commit, "vcs.modified": "false"} {
			assert.Equal(t, settings[key], want, "%s: %s", target, key)
		}
		assert.Equal(t, info.Main.Version, "v"+releaseVersion, "%s: the version", target)
		if system == "linux" {
			checkStatic(t, program)
		}
		var bill struct {
			BOMFormat  string
			Components []struct{ Name, Version string }
		}
		must(t, json.Unmarshal([]byte(read(t, filepath.Join(release, "colophon_"+releaseVersion+"_"+target+".cdx.json"))), &bill))
		listed := map[string]bool{}
		for _, c := range bill.Components {
			listed[c.Name+"@"+c.Version] = true
		}
		for _, m := range info.Deps {
			if !listed[m.Path+"@"+m.Version] {
				t.Errorf("%s: the bill of materials lacks %s %s", target, m.Path, m.Version)
			}
		}
		if bill.BOMFormat != "CycloneDX" || len(info.Deps) == 0 {
			t.Errorf("%s: a bill of materials in the form %q, for %d modules", target, bill.BOMFormat, len(info.Deps))
		}
	}
}

func checkStatic(t *testing.T, program string) {
	t.Helper()
	file, err := elf.Open(program)
	must(t, err)
	defer file.Close()
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("%s is not static", program)
	}
}

// tryArchive makes a registry with the archive's program, in an empty folder
// and with an empty environment.
func tryArchive(t *testing.T, release string) {
	dir := unpack(t, filepath.Join(release, archiveName(own)))
	assert.EqualSlices(t, names(t, dir), []string{"CHANGELOG.md", "LICENSE", "README.md", "colophon", "share"}, "the archive has")
	registry := filepath.Join(t.TempDir(), "registry")
	colophon := func(args ...string) string {
		return run(t, t.TempDir(), nil, "env", append([]string{"-i", filepath.Join(dir, "colophon")}, args...)...)
	}
	commit, date, _ := strings.Cut(strings.TrimSpace(run(t, "..", []string{"TZ=UTC"}, "git", "log", "-1", "--format=%H %cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ")), " ")
	if got := colophon("version"); !strings.HasPrefix(got, fmt.Sprintf("colophon v%s\ncommit   %s\ndate     %s\n", releaseVersion, commit, date)) {
		t.Errorf("the version is given as\n%s", got)
	}
	makeRegistry(colophon, registry, "http://127.0.0.1:8787")
	if got := colophon("verify", filepath.Join(registry, "dist")); got == "" {
		t.Error("nothing was verified")
	}
}

// makeRegistry makes a registry with one publisher and builds it.
func makeRegistry(colophon func(args ...string) string, registry, base string) {
	colophon("init", "--dir", registry, "--base-url", base)
	colophon("publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/", "--dir", registry)
	colophon("publisher", "approve", "harbor-ledger", "--dir", registry)
	colophon("build", "--dir", registry)
}

// tryEdge installs the worker's bundle as its README says, without a Go
// toolchain on the PATH, and deploys it to wrangler dev.
func tryEdge(t *testing.T, release string) {
	bundle := unpack(t, filepath.Join(release, "colophon-edge_"+releaseVersion+".tar.gz"))
	program := filepath.Join(unpack(t, filepath.Join(release, archiveName(own))), "colophon")
	node, err := exec.LookPath(os.Getenv("NODE"))
	must(t, err)
	env := []string{"PATH=" + filepath.Dir(node) + ":/usr/bin:/bin"}
	run(t, bundle, env, "npm", "ci", "--loglevel=error")
	assert.Contains(t, "the dry run does not name the database and the bucket", run(t, bundle, env, "npx", "wrangler", "deploy", "--dry-run"), "env.ORIGIN (colophon-origin)", "env.BODIES (colophon-bodies)")

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	addr := listener.Addr().String()
	listener.Close()
	registry := filepath.Join(t.TempDir(), "registry")
	colophon := func(args ...string) string { return run(t, bundle, env, program, args...) }
	makeRegistry(colophon, registry, "http://"+addr)
	assert.Contains(t, "the bundle is deployed with", colophon("deploy", "--local", "--addr", addr, "--dir", registry, "--config", "wrangler.toml"), "the origin answers for harbor-ledger")
}

// tryAction serves the release as GitHub would, and runs the action on a folder
// that is the root of a site.
func tryAction(t *testing.T, release string) {
	hub := httptest.NewServer(http.StripPrefix("/owner/colophon/releases/download/v"+releaseVersion, http.FileServer(http.Dir(release))))
	defer hub.Close()
	workspace := t.TempDir()
	robots := func(text string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(workspace, "robots.txt"), []byte(text), 0o600))
	}
	act := func(ref string, inputs map[string]string) (out string, passed bool) {
		github := map[string]string{"github.server_url": hub.URL, "github.action_repository": "owner/colophon", "github.action_ref": ref}
		return runAction(t, workspace, github, inputs)
	}
	robots("User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n")
	baseline := run(t, workspace, nil, filepath.Join(unpack(t, filepath.Join(release, archiveName(own))), "colophon"), "lint", ".", "--json")
	must(t, os.WriteFile(filepath.Join(workspace, "before.json"), []byte(baseline), 0o600))

	const tag = "v" + releaseVersion
	asked := map[string]string{"site": ".", "contact": "ops@site.example"}
	with := func(name, value string) map[string]string {
		inputs := maps.Clone(asked)
		inputs[name] = value
		return inputs
	}
	for _, c := range []struct {
		ref    string
		inputs map[string]string
		passes bool
		says   string
	}{
		{tag, asked, true, "verdicts"},
		{tag, with("assert", "training=deny,search_indexing=allow"), true, "verdicts"},
		{tag, with("assert", "training=allow"), false, "training: want signal_allow, is declined"},
		{tag, with("agents", "gptbot,ccbot"), true, "ccbot"},
		{tag, with("baseline", "before.json"), true, "verdicts"},
		{"main", with("version", tag), true, "verdicts"},
		{"main", asked, false, "404"},
	} {
		if out, passed := act(c.ref, c.inputs); passed != c.passes || !strings.Contains(out, c.says) {
			t.Errorf("%s %v: passed is %t, and it does not say %q:\n%s", c.ref, c.inputs, passed, c.says, out)
		}
	}
	robots("User-agent: *\nContent-Signal: search=yes, ai-train=yes\nAllow: /\n")
	if out, passed := act(tag, with("baseline", "before.json")); passed || !strings.Contains(out, "training: want declined, is signal_allow") {
		t.Errorf("the baseline differs: passed is %t\n%s", passed, out)
	}

	hub.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/checksums.txt") {
			http.ServeFile(w, r, filepath.Join(release, "checksums.txt"))
		}
	})
	if out, passed := act(tag, asked); passed || !strings.Contains(out, "FAILED") {
		t.Errorf("an archive with other bytes: passed is %t\n%s", passed, out)
	}
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// runAction runs the steps of action.yml in sequence, as a runner on Linux does
// for a composite action. It supports only the expressions that are used there.
func runAction(t *testing.T, workspace string, github, inputs map[string]string) (out string, passed bool) {
	t.Helper()
	var action struct {
		Inputs map[string]struct {
			Default  string
			Required bool
		}
		Runs struct {
			Using string
			Steps []struct {
				Shell, Run string
				Env        map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join("..", "action.yml"))), &action); err != nil || action.Runs.Using != "composite" {
		t.Fatalf("action.yml: %v", err)
	}
	values := maps.Clone(github)
	for name, input := range action.Inputs {
		value, given := inputs[name]
		if input.Required && !given {
			t.Fatalf("the input %s is required", name)
		}
		values["inputs."+name] = value
		if !given {
			values["inputs."+name] = input.Default
		}
	}
	evaluate := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(found string) string {
			for name := range strings.SplitSeq(expression.FindStringSubmatch(found)[1], " || ") {
				value, known := values[name]
				if !known {
					t.Fatalf("action.yml asks for %s", name)
				}
				if value != "" {
					return value
				}
			}
			return ""
		})
	}

	runner := []string{
		"PATH=/usr/bin:/bin", "RUNNER_TEMP=" + t.TempDir(), "RUNNER_OS=" + map[string]string{"linux": "Linux", "darwin": "macOS"}[runtime.GOOS],
		"RUNNER_ARCH=" + map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
	}
	for _, step := range action.Runs.Steps {
		if step.Shell != "bash" || step.Run == "" {
			t.Fatalf("a step of action.yml is not a script for bash: %+v", step)
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", evaluate(step.Run))
		cmd.Dir = workspace
		cmd.Env = slices.Clone(runner)
		for name, value := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+evaluate(value))
		}
		printed, err := cmd.CombinedOutput()
		out += string(printed)
		if err != nil {
			return out, false
		}
	}
	return out, true
}

// compareAgain makes the release once more, in another folder and for one
// target, and compares every file except the checksums.
func compareAgain(t *testing.T, release string) {
	again := t.TempDir()
	makeRelease(t, again, "ONLY="+strings.Replace(own, "_", "/", 1))
	made := 0
	for _, name := range names(t, again) {
		if name == "checksums.txt" {
			continue
		}
		made++
		if !bytes.Equal(digest(t, filepath.Join(release, name)), digest(t, filepath.Join(again, name))) {
			t.Errorf("%s has other bytes", name)
		}
	}
	if made != 5 { // archive, bill of materials, deb, rpm and the worker's bundle
		t.Errorf("%d files were made again: %q", made, names(t, again))
	}
}

func digest(t *testing.T, path string) []byte {
	t.Helper()
	sum := sha256.Sum256([]byte(read(t, path)))
	return sum[:]
}

// TestWorkflows checks the workflows with actionlint, and that they run the
// same commands as people do. Run it with "make test-release", which installs
// actionlint.
func TestWorkflows(t *testing.T) {
	folder := filepath.Join("..", ".github", "workflows")
	for name, command := range map[string]string{"ci.yml": ".ci/run", "release.yml": `make release VERSION="$GITHUB_REF_NAME"`} {
		text := read(t, filepath.Join(folder, name))
		var parsed struct {
			Jobs map[string]struct{ Steps []struct{ Run string } }
		}
		if err := yaml.Unmarshal([]byte(text), &parsed); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		called := false
		for _, job := range parsed.Jobs {
			for _, step := range job.Steps {
				called = called || strings.Contains(step.Run, command)
			}
		}
		if !called {
			t.Errorf("%s does not call %s", name, command)
		}
	}
	if os.Getenv("COLOPHON_RELEASE") != "" {
		run(t, "..", nil, "actionlint", "-shellcheck=", "-pyflakes=")
	}
}
