//go:build unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/internal/cloudflare"
	"colophon/internal/registrydir"
)

// recorder replaces wrangler, since no test can reach Cloudflare: it records
// its calls, and answers from files named by their first words.
const recorder = `#!/bin/sh
here=$(dirname "$0")
echo "$*" >> "$here/calls"
case "$*" in *"secret bulk"*) cp "$3" "$here/secrets" ;; esac
for words in "$1 $2 $3" "$1 $2" "$1"; do
	name=$(echo "$words" | tr ' ' '-')
	if [ -e "$here/fail-$name" ]; then cat "$here/fail-$name" >&2; exit 1; fi
	if [ -e "$here/answer-$name" ]; then cat "$here/answer-$name"; exit 0; fi
done
`

// walkWorld is a built registry, and a source folder with a recorder.
type walkWorld struct {
	operator
	source string
	bin    string
}

func newWalkWorld(t *testing.T) *walkWorld {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "reg")
	w := &walkWorld{operator: operator{t, dir}, source: t.TempDir()}
	fixtures.walked.copyTo(t, dir)
	config, err := os.ReadFile("../../wrangler.toml")
	if err != nil {
		t.Fatal(err)
	}
	w.bin = filepath.Join(w.source, "node_modules", ".bin")
	for path, text := range map[string]string{"wrangler.toml": string(config), "build/edge/entry.mjs": "", "node_modules/.bin/wrangler": recorder} {
		w.write(filepath.Join(w.source, path), text, 0o700)
	}
	w.answers("--version", "4.0.0")
	return w
}

func (w *walkWorld) write(path, text string, mode os.FileMode) {
	w.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		w.Fatal(err)
	}
}

func (w *walkWorld) answers(words, text string) {
	w.Helper()
	w.write(filepath.Join(w.bin, "answer-"+strings.ReplaceAll(words, " ", "-")), text, 0o600)
}

func (w *walkWorld) fails(words, text string) {
	w.Helper()
	w.write(filepath.Join(w.bin, "fail-"+strings.ReplaceAll(words, " ", "-")), text, 0o600)
}

// walk deploys and returns the exit code, the output and the calls of wrangler.
func (w *walkWorld) walk(args ...string) (code int, out string, calls []string) {
	w.Helper()
	_ = os.Remove(filepath.Join(w.bin, "calls")) // there may be no file
	code, stdout, stderr := w.run(append([]string{"deploy", "--config", filepath.Join(w.source, "wrangler.toml")}, args...)...)
	text, err := os.ReadFile(filepath.Join(w.bin, "calls"))
	if err != nil {
		w.Fatalf("wrangler was not called: %s", stderr)
	}
	return code, stdout + stderr, strings.Split(strings.TrimSpace(string(text)), "\n")
}

// begins reports whether the calls begin with these words, one for each call.
func begins(calls []string, words ...string) bool {
	return slices.EqualFunc(calls, words, func(call, w string) bool { return strings.HasPrefix(call, w) })
}

// TestDeployFirst checks that a first deployment makes everything, in the order
// in which the parts depend on each other.
func TestDeployFirst(t *testing.T) {
	w := newWalkWorld(t)
	defer func(d time.Duration) { cloudflare.Patience = d }(cloudflare.Patience)
	cloudflare.Patience = 10 * time.Millisecond
	w.fails("r2 bucket info", "The specified bucket does not exist. [code: 10006]")
	w.fails("secret list", "This Worker does not exist on your account. [code: 10007]")
	w.answers("d1 execute", `[{"results":[{"n":0}],"success":true}]`)
	w.answers("d1 list", `[{"uuid":"11111111-2222-3333-4444-555555555555","name":"another"}]`)

	// If a database was made but is not listed, nothing further is done.
	code, out, calls := w.walk("--sign")
	if code != 1 || !strings.Contains(out, `step "database"`) || !begins(calls, "--version", "d1 list", "d1 create colophon-origin", "d1 list") {
		t.Fatalf("%d %s\n%q", code, out, calls)
	}

	w.answers("d1 list", `[{"uuid":"99999999-2222-3333-4444-555555555555","name":"colophon-origin"}]`)
	code, out, calls = w.walk("--sign")
	if code != 1 || !strings.Contains(out, `step "test"`) || !strings.Contains(out, "does not show release") {
		t.Errorf("a service that does not answer: %d %s", code, out)
	}
	if !begins(calls, "--version", "d1 list", "d1 migrations apply colophon-origin --remote", "r2 bucket info", "r2 bucket create colophon-bodies",
		"d1 execute colophon-origin --remote --json", "r2 bulk put colophon-bodies", "d1 execute colophon-origin --yes", "secret list", "secret bulk", "deploy --config") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
	config, err := os.ReadFile(filepath.Join(w.dir, "deploy", "wrangler.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`database_name = "colophon-origin"`, `BASE_URL = "https://127.0.0.1:9"`,
		`main = "` + w.source, `directory = "` + w.dir + `/dist"`, `migrations_dir = "` + w.source,
	} {
		if !strings.Contains(string(config), want) {
			t.Errorf("the configuration lacks %s:\n%s", want, config)
		}
	}
	secrets, err := os.ReadFile(filepath.Join(w.bin, "secrets"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join(w.dir, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(secrets), strings.TrimSpace(string(own))) || !strings.Contains(string(secrets), `"SIGNING_KEY":"`) {
		t.Errorf("the secrets of the worker are others")
	}
	left, err := os.ReadDir(filepath.Join(w.dir, "deploy"))
	if err != nil || len(left) != 1 {
		t.Errorf("secrets or dumps were left behind: %v %v", left, err)
	}
	if strings.Contains(out, strings.TrimSpace(string(own))) {
		t.Error("the secret is printed")
	}
}

// TestDeployAgain checks that a later deployment makes nothing twice and leaves
// the database unchanged.
func TestDeployAgain(t *testing.T) {
	w := newWalkWorld(t)
	defer func(d time.Duration) { cloudflare.Patience = d }(cloudflare.Patience)
	cloudflare.Patience = 10 * time.Millisecond
	w.answers("d1 list", `[{"uuid":"99999999-2222-3333-4444-555555555555","name":"colophon-origin"}]`)
	w.answers("d1 execute", `[{"results":[{"n":3}],"success":true}]`)
	w.answers("secret list", `[{"name":"SERVICE_SECRET","type":"secret_text"}]`)
	_, _, calls := w.walk()
	if !begins(calls, "--version", "d1 list", "d1 migrations apply", "r2 bucket info", "d1 execute colophon-origin --remote --json", "secret list", "deploy --config") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
}

// TestDeployStops checks that a failure stops the deployment and is reported
// with wrangler's message.
func TestDeployStops(t *testing.T) {
	for _, x := range []struct{ words, says, step string }{
		{"d1 list", "Authentication error [code: 10000]", "database"},
		{"d1 migrations apply", "no such table: x", "schema"},
		{"r2 bucket info", "Authentication error [code: 10000]", "bucket"},
		{"secret list", "Authentication error [code: 10000]", "secrets"},
		{"deploy", "Too large", "worker"},
	} {
		w := newWalkWorld(t)
		w.answers("d1 list", `[{"uuid":"99999999-2222-3333-4444-555555555555","name":"colophon-origin"}]`)
		w.answers("d1 execute", `[{"results":[{"n":3}],"success":true}]`)
		w.answers("secret list", `[]`)
		w.fails(x.words, x.says)
		code, out, calls := w.walk()
		if code != 1 || !strings.Contains(out, `step "`+x.step+`"`) || !strings.Contains(out, x.says) || !strings.HasPrefix(calls[len(calls)-1], x.words) {
			t.Errorf("%s: %d %s\n%q", x.words, code, out, calls)
		}
	}
}

// TestDeployDryRun checks that a dry run calls nothing, prints every call, and
// changes nothing.
func TestDeployDryRun(t *testing.T) {
	t.Parallel()
	w := newWalkWorld(t)
	before := treeDigest(t, w.dir)
	code, out, calls := w.walk("--dry-run", "--sign")
	if code != 0 || !begins(calls, "--version", "deploy --dry-run") {
		t.Fatalf("%d %s\n%q", code, out, calls)
	}
	for _, want := range []string{"wrangler d1 create colophon-origin", "d1 migrations apply", "r2 bucket create", "r2 bulk put", "secret bulk", "wrangler deploy\n", "would deploy release", "SERVICE_SECRET, SIGNING_KEY"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not tell %q:\n%s", want, out)
		}
	}
	if !maps.Equal(before, treeDigest(t, w.dir)) {
		t.Error("something was changed")
	}
	code, out, _ = w.walk("--dry-run", "--json")
	if code != 0 || !strings.Contains(out, `"dry_run":true`) || !strings.Contains(out, `"step":"schema"`) {
		t.Errorf("%d %s", code, out)
	}
}

// TestDeployOverBucket checks that the bucket for published files is made, and
// that nothing is uploaded to it, since that needs the store's keys.
func TestDeployOverBucket(t *testing.T) {
	t.Parallel()
	w := newWalkWorld(t)
	defer func(d time.Duration) { cloudflare.Patience = d }(cloudflare.Patience)
	cloudflare.Patience = 10 * time.Millisecond
	config, err := os.ReadFile(filepath.Join(w.source, "wrangler.toml"))
	if err != nil {
		t.Fatal(err)
	}
	optional := strings.NewReplacer("# [[r2_buckets]]", "[[r2_buckets]]", `# binding = "PUBLISHED"`, `binding = "PUBLISHED"`, `# bucket_name = "colophon-published"`, `bucket_name = "colophon-published"`)
	w.write(filepath.Join(w.source, "wrangler.toml"), optional.Replace(string(config)), 0o600)
	w.answers("d1 list", `[{"uuid":"99999999-2222-3333-4444-555555555555","name":"colophon-origin"}]`)
	w.answers("d1 execute", `[{"results":[{"n":3}],"success":true}]`)
	w.answers("secret list", `[{"name":"SERVICE_SECRET","type":"secret_text"}]`)
	w.fails("r2 bucket info", "The specified bucket does not exist. [code: 10006]")

	code, out, calls := w.walk()
	if code != 1 || !strings.Contains(out, `publish it with "colophon publish --to s3://colophon-published"`) {
		t.Errorf("an empty bucket: %d %s", code, out)
	}
	if !begins(calls, "--version", "d1 list", "d1 migrations apply", "r2 bucket info colophon-bodies", "r2 bucket create colophon-bodies",
		"r2 bucket info colophon-published", "r2 bucket create colophon-published", "d1 execute colophon-origin --remote --json", "secret list", "deploy --config") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
	used, err := os.ReadFile(filepath.Join(w.dir, "deploy", "wrangler.toml"))
	if err != nil || !strings.Contains(string(used), `directory = "`+w.dir+`/deploy/no-assets"`) {
		t.Errorf("%v, the configuration that was used:\n%s", err, used)
	}
	if list, err := os.ReadDir(filepath.Join(w.dir, "deploy", "no-assets")); err != nil || len(list) > 0 {
		t.Errorf("assets beside a bucket: %v %v", list, err)
	}
	w.no(1, "which --local cannot fill", "deploy", "--local", "--config", filepath.Join(w.source, "wrangler.toml"))
}

// TestDeployNeeds checks that missing requirements are reported before anything
// is done.
func TestDeployNeeds(t *testing.T) {
	t.Parallel()
	w := newWalkWorld(t)
	config := "--config=" + filepath.Join(w.source, "wrangler.toml")
	w.no(1, "there is no", "deploy", "--config", filepath.Join(w.source, "other.toml"))
	if err := os.Remove(filepath.Join(w.source, "build", "edge", "entry.mjs")); err != nil {
		t.Fatal(err)
	}
	w.no(1, "the worker is not built", "deploy", config)
	w.no(2, "fills D1 from the store", "deploy", config, "--d1", "x")
	settings := filepath.Join(w.dir, registrydir.SettingsFile)
	text, err := os.ReadFile(settings)
	if err != nil {
		t.Fatal(err)
	}
	w.write(settings, strings.Replace(string(text), "https://127.0.0.1:9", "https://elsewhere.example", 1), 0o600)
	w.no(1, "build again", "deploy", config)
	w.write(settings, strings.Replace(string(text), "https://127.0.0.1:9", "http://127.0.0.1:9", 1), 0o600)
	w.no(1, "is not https://", "deploy", config)
}
