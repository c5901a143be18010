//go:build unix

package cloudflare

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/registrydir"
	"colophon/internal/registrydir/dirtest"
	"colophon/internal/usage"
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

// world is a built registry, a source folder with a recorder, and the deployed
// service.
type world struct {
	*testing.T
	*registrydir.Dir
	source, bin string
	answers     map[string]string // of the service, by path
	asked       []string          // what the service was asked
}

// newWorld makes a world whose service shows the release of the registry.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, source: t.TempDir(), answers: map[string]string{}}
	service := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.asked = append(w.asked, r.Method+" "+r.URL.RequestURI())
		body, known := w.answers[r.URL.Path]
		if !known {
			http.NotFound(rw, r)
			return
		}
		fmt.Fprint(rw, body)
	}))
	t.Cleanup(service.Close)
	before := http.DefaultTransport
	http.DefaultTransport = service.Client().Transport
	t.Cleanup(func() { http.DefaultTransport = before })
	w.Dir = dirtest.New(t, service.URL)
	w.answers[exports.PathStats] = `{"release":"` + w.release() + `"}`
	w.answers[exports.PathPublishers] = `{"data":[{"site_id":"harbor-ledger","site_url":"https://harbor-ledger.example/"}]}`
	w.answers[exports.PathRightsCheck] = `{"answered_by":"origin"}`
	w.answers["/v1/public/developer/sandbox/run"] = `{}`

	config, err := os.ReadFile("../../wrangler.toml")
	if err != nil {
		t.Fatal(err)
	}
	w.bin = filepath.Join(w.source, "node_modules", ".bin")
	for path, text := range map[string]string{"wrangler.toml": string(config), "build/edge/entry.mjs": "", "node_modules/.bin/wrangler": recorder} {
		w.write(filepath.Join(w.source, path), text, 0o700)
	}
	w.answer("--version", "4.0.0")
	w.answer("d1 list", `[{"uuid":"11111111-2222-3333-4444-555555555555","name":"another"},{"uuid":"99999999-2222-3333-4444-555555555555","name":"colophon-origin"}]`)
	w.answer("d1 execute", `[{"results":[{"n":3}],"success":true}]`)
	w.answer("secret list", `[{"name":"SERVICE_SECRET","type":"secret_text"}]`)
	return w
}

// release returns the release of the registry.
func (w *world) release() string {
	w.Helper()
	stats, err := os.ReadFile(filepath.Join(w.File("dist"), filepath.FromSlash(string(exports.KeyOf(exports.PathStats)))))
	var shown struct{ Release string }
	if err == nil {
		err = json.Unmarshal(stats, &shown)
	}
	if err != nil {
		w.Fatal(err)
	}
	return shown.Release
}

func (w *world) write(path, text string, mode os.FileMode) {
	w.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		w.Fatal(err)
	}
}

func (w *world) read(path string) string {
	w.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

// answer makes wrangler answer calls that begin with some words.
func (w *world) answer(words, text string) {
	w.Helper()
	w.write(filepath.Join(w.bin, "answer-"+strings.ReplaceAll(words, " ", "-")), text, 0o600)
}

// fail makes wrangler fail at calls that begin with some words.
func (w *world) fail(words, text string) {
	w.Helper()
	w.write(filepath.Join(w.bin, "fail-"+strings.ReplaceAll(words, " ", "-")), text, 0o600)
}

// deploy deploys, and returns what was deployed and the calls of wrangler.
func (w *world) deploy(opt Options) (deployed Deployed, calls []string, err error) {
	w.Helper()
	if opt.Config == "" {
		opt.Config = filepath.Join(w.source, "wrangler.toml")
	}
	_ = os.Remove(filepath.Join(w.bin, "calls")) // there may be no file
	told := []Step{}
	deployed, err = Deploy(w.Context(), w.Dir, opt, func(s Step) { told = append(told, s) })
	if err == nil && len(told) != len(deployed.Steps) {
		w.Errorf("told %d steps of %d", len(told), len(deployed.Steps))
	}
	text, _ := os.ReadFile(filepath.Join(w.bin, "calls"))
	return deployed, strings.Split(strings.TrimSpace(string(text)), "\n"), err
}

// results returns the results of the steps, by their names.
func results(d Deployed) map[string]string {
	out := map[string]string{}
	for _, s := range d.Steps {
		out[s.Name] = s.Result
	}
	return out
}

// begins reports whether the calls begin with these words, one for each call.
func begins(calls []string, words ...string) bool {
	return slices.EqualFunc(calls, words, func(call, w string) bool { return strings.HasPrefix(call, w) })
}

// impatient makes a service that does not show the release fail soon.
func impatient(t *testing.T) {
	before := patience
	patience = 10 * time.Millisecond
	t.Cleanup(func() { patience = before })
}

// TestDeployFirst checks that a first deployment makes everything, in the order
// in which the parts depend on each other, and asks the service at the end.
func TestDeployFirst(t *testing.T) {
	w := newWorld(t)
	w.fail("r2 bucket info", "The specified bucket does not exist. [code: 10006]")
	w.fail("secret list", "This Worker does not exist on your account. [code: 10007]")
	w.answer("d1 execute", `[{"results":[{"n":0}],"success":true}]`)
	listed := filepath.Join(w.bin, "answer-d1-list")
	list := w.read(listed)
	w.answer("d1 list", `[{"uuid":"11111111-2222-3333-4444-555555555555","name":"another"}]`)

	// If a database was made but is not listed, nothing further is done.
	_, calls, err := w.deploy(Options{Sign: true})
	if err == nil || !strings.HasPrefix(err.Error(), `step "database"`) || !strings.Contains(err.Error(), "run deploy again") || !begins(calls, "--version", "d1 list", "d1 create colophon-origin", "d1 list") {
		t.Fatalf("%v\n%q", err, calls)
	}

	w.answer("d1 list", list)
	deployed, calls, err := w.deploy(Options{Sign: true})
	if err != nil {
		t.Fatal(err)
	}
	if !begins(calls, "--version", "d1 list", "d1 migrations apply colophon-origin --remote", "r2 bucket info", "r2 bucket create colophon-bodies",
		"d1 execute colophon-origin --remote --json", "r2 bulk put colophon-bodies", "d1 execute colophon-origin --yes", "secret list", "secret bulk", "deploy --config") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
	said := results(deployed)
	for step, want := range map[string]string{
		"check": "release " + deployed.Release + ", wrangler 4.0.0", "database": `D1 database "colophon-origin" is there: 99999999-`, "schema": "the schema of this program",
		"bucket": `R2 bucket "colophon-bodies" was made`, "fill": "bytes of statements, from " + w.File(registrydir.OriginFile), "secrets": "SERVICE_SECRET, SIGNING_KEY",
		"worker": "with the files of " + w.File("dist"), "test": "the release is shown, and the origin answers for harbor-ledger",
	} {
		if !strings.Contains(said[step], want) {
			t.Errorf("step %s says %q, want %q", step, said[step], want)
		}
	}
	s, err := w.ReadSettings()
	if err != nil || deployed.URL != s.BaseURL || deployed.Release != w.release() {
		t.Errorf("%v, %+v", err, deployed)
	}
	if want := []string{"GET " + exports.PathStats, "GET " + exports.PathPublishers, "GET " + exports.PathRightsCheck + "?site_id=harbor-ledger", "POST /v1/public/developer/sandbox/run"}; !slices.Equal(w.asked, want) {
		t.Errorf("the service was asked %q", w.asked)
	}

	config := w.read(filepath.Join(w.Path, "deploy", "wrangler.toml"))
	assert.Contains(t, "the configuration", config,
		`database_name = "colophon-origin"`, `BASE_URL = "`+s.BaseURL+`"`, `main = "`+w.source, `directory = "`+w.File("dist")+`"`, `migrations_dir = "`+w.source,
	)
	own := strings.TrimSpace(w.read(w.File("secret")))
	assert.Contains(t, "the secrets of the worker are others", w.read(filepath.Join(w.bin, "secrets")), own, `"SIGNING_KEY":"`)
	left, err := os.ReadDir(filepath.Join(w.Path, "deploy"))
	if err != nil || len(left) != 1 {
		t.Errorf("secrets or dumps were left behind: %v %v", left, err)
	}
	if text, _ := json.Marshal(deployed); bytes.Contains(text, []byte(own)) {
		t.Error("the secret is told")
	}
}

// TestDeployAgain checks that a later deployment makes nothing twice and leaves
// the database unchanged.
func TestDeployAgain(t *testing.T) {
	w := newWorld(t)
	deployed, calls, err := w.deploy(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !begins(calls, "--version", "d1 list", "d1 migrations apply", "r2 bucket info", "d1 execute colophon-origin --remote --json", "secret list", "deploy --config") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
	if said := results(deployed); said["fill"] != "the database has 3 publishers and stays as it is" || said["secrets"] != "all are there" || said["bucket"] != `R2 bucket "colophon-bodies" is there` {
		t.Errorf("%+v", said)
	}
}

// TestDeployStops checks that a failure of wrangler stops the deployment and is
// reported with its message, and so does an answer that cannot be read.
func TestDeployStops(t *testing.T) {
	w := newWorld(t)
	for _, x := range []struct{ words, fails, answers, says, step string }{
		{"d1 list", "Authentication error [code: 10000]", "", "Authentication error", "database"},
		{"d1 list", "", "no list", "wrangler's list of databases", "database"},
		{"d1 migrations apply", "no such table: x", "", "no such table: x", "schema"},
		{"r2 bucket info", "Authentication error [code: 10000]", "", "Authentication error", "bucket"},
		{"d1 execute", "", "[]", `answered "[]", not one number`, "fill"},
		{"secret list", "Authentication error [code: 10000]", "", "Authentication error", "secrets"},
		{"deploy", "Too large", "", "Too large", "worker"},
	} {
		name := strings.ReplaceAll(x.words, " ", "-")
		answered := filepath.Join(w.bin, "answer-"+name)
		before, there := os.ReadFile(answered)
		if x.answers != "" {
			w.answer(x.words, x.answers)
		} else {
			w.fail(x.words, x.fails)
		}
		_, calls, err := w.deploy(Options{})
		if err == nil || !strings.HasPrefix(err.Error(), `step "`+x.step+`": `) || !strings.Contains(err.Error(), x.says) || !strings.HasPrefix(calls[len(calls)-1], x.words) {
			t.Errorf("%s: %v\n%q", x.words, err, calls)
		}
		_ = os.Remove(filepath.Join(w.bin, "fail-"+name)) // or it answered
		if there == nil {
			w.answer(x.words, string(before))
		}
	}
}

// TestDeployAsksTheService checks what is said of a service that shows another
// release, that does not reach its database, or that has no publisher.
func TestDeployAsksTheService(t *testing.T) {
	impatient(t)
	w := newWorld(t)
	shown := w.answers[exports.PathStats]
	w.answers[exports.PathStats] = `{"release":"earlier"}`
	if _, _, err := w.deploy(Options{}); err == nil || !strings.HasPrefix(err.Error(), `step "test"`) || !strings.Contains(err.Error(), `does not show release `+w.release()+` (it shows "earlier"`) {
		t.Errorf("another release: %v", err)
	}
	w.answers[exports.PathStats] = shown
	w.answers[exports.PathRightsCheck] = `{"answered_by":"files"}`
	if _, _, err := w.deploy(Options{}); err == nil || !strings.Contains(err.Error(), `rights are answered by "files": the worker does not reach its database`) {
		t.Errorf("without its database: %v", err)
	}
	w.answers[exports.PathRightsCheck] = `{"answered_by":"origin"}`
	delete(w.answers, "/v1/public/developer/sandbox/run")
	if _, _, err := w.deploy(Options{}); err == nil || !strings.Contains(err.Error(), "POST /v1/public/developer/sandbox/run answered 404") {
		t.Errorf("without the sandbox: %v", err)
	}
	w.answers[exports.PathPublishers] = `{"data":[]}`
	if deployed, _, err := w.deploy(Options{}); err != nil || results(deployed)["test"] != "the release is shown; there is no publisher to ask about" {
		t.Errorf("without publishers: %v, %+v", err, deployed)
	}
}

// digests returns the digest of each file of a folder.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDeployDryRun checks that a dry run calls nothing but the bundler, tells
// every call, and changes nothing.
func TestDeployDryRun(t *testing.T) {
	w := newWorld(t)
	w.DryRun = true
	w.answer("deploy", "Some lines\nTotal Upload: 3 KiB / gzip: 1 KiB\n")
	before := digests(t, w.Path)
	deployed, calls, err := w.deploy(Options{Sign: true})
	if err != nil || !begins(calls, "--version", "deploy --dry-run") {
		t.Fatalf("%v\n%q", err, calls)
	}
	var told []string
	for _, s := range deployed.Steps {
		told = append(told, s.Commands...)
		told = append(told, s.Result)
	}
	all := strings.Join(told, "\n") + "\n"
	assert.Contains(t, "what it says", all,
		"wrangler d1 create colophon-origin   # unless it is in the list", "d1 migrations apply", "r2 bucket create", "r2 bulk put", "secret bulk", "wrangler deploy\n", "SERVICE_SECRET, SIGNING_KEY",
		"bundled: Total Upload: 3 KiB / gzip: 1 KiB\n", "GET "+exports.PathStats,
	)
	if !maps.Equal(before, digests(t, w.Path)) {
		t.Error("something was changed")
	}
	if len(w.asked) > 0 {
		t.Errorf("the service was asked %q", w.asked)
	}
}

// TestDeployOverBucket checks that the bucket for published files is made, and
// that nothing is uploaded to it, since that needs the store's keys.
func TestDeployOverBucket(t *testing.T) {
	impatient(t)
	w := newWorld(t)
	w.answers[exports.PathStats] = `{"release":"earlier"}`
	file := filepath.Join(w.source, "wrangler.toml")
	optional := strings.NewReplacer("# [[r2_buckets]]", "[[r2_buckets]]", `# binding = "PUBLISHED"`, `binding = "PUBLISHED"`, `# bucket_name = "colophon-published"`, `bucket_name = "colophon-published"`)
	w.write(file, optional.Replace(w.read(file)), 0o600)
	w.fail("r2 bucket info", "The specified bucket does not exist. [code: 10006]")

	_, calls, err := w.deploy(Options{})
	assert.ErrorContains(t, err, "an empty bucket", `publish it with "colophon publish --to s3://colophon-published"`)
	if !begins(calls, "--version", "d1 list", "d1 migrations apply", "r2 bucket info colophon-bodies", "r2 bucket create colophon-bodies",
		"r2 bucket info colophon-published", "r2 bucket create colophon-published", "d1 execute colophon-origin --remote --json", "secret list", "deploy --config") {
		t.Errorf("calls:\n%s", strings.Join(calls, "\n"))
	}
	assert.Contains(t, "the configuration that was used", w.read(filepath.Join(w.Path, "deploy", "wrangler.toml")), `directory = "`+w.Path+`/deploy/no-assets"`)
	if list, err := os.ReadDir(filepath.Join(w.Path, "deploy", "no-assets")); err != nil || len(list) > 0 {
		t.Errorf("assets beside a bucket: %v %v", list, err)
	}
	if _, _, err := w.deploy(Options{Local: true}); err == nil || !strings.Contains(err.Error(), "which --local cannot fill") {
		t.Errorf("on this machine: %v", err)
	}
}

// TestDeployNeeds checks that missing requirements are reported before anything
// is done.
func TestDeployNeeds(t *testing.T) {
	w := newWorld(t)
	needs := func(want string, opt Options) {
		t.Helper()
		if _, calls, err := w.deploy(opt); err == nil || !strings.Contains(err.Error(), want) || calls[0] != "" {
			t.Errorf("%v, want %q; calls %q", err, want, calls)
		}
	}
	needs("there is no", Options{Config: filepath.Join(w.source, "other.toml")})
	bad := filepath.Join(w.source, "bad.toml")
	w.write(bad, "name = \"x\"\n", 0o600)
	needs("must name the worker, its main script, one D1 database and the R2 bucket of the binding BODIES", Options{Config: bad})
	good := w.read(filepath.Join(w.source, "wrangler.toml"))
	w.write(bad, strings.Replace(good, `binding = "BODIES"`, `binding = "OTHER"`, 1), 0o600)
	needs("the R2 bucket of the binding BODIES", Options{Config: bad})
	w.write(bad, good+"[more]\ndirectory = \"x\"\n", 0o600)
	needs("bad.toml: 2 lines set directory, want one", Options{Config: bad})
	w.write(bad, "name =", 0o600)
	needs("bad.toml: ", Options{Config: bad})
	w.D1 = "x"
	var refused *usage.Error
	if _, _, err := w.deploy(Options{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "fills D1 from the store") {
		t.Errorf("with an origin in D1: %v", err)
	}
	w.D1 = ""
	settings := w.read(w.File(registrydir.SettingsFile))
	s, err := w.ReadSettings()
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.File(registrydir.SettingsFile), strings.Replace(settings, s.BaseURL, "https://elsewhere.example", 1), 0o600)
	needs("build again", Options{})
	w.write(w.File(registrydir.SettingsFile), strings.Replace(settings, "https://", "http://", 1), 0o600)
	needs("is not https://", Options{})
	w.write(w.File(registrydir.SettingsFile), settings, 0o600)
	if err := os.Remove(filepath.Join(w.source, "build", "edge", "entry.mjs")); err != nil {
		t.Fatal(err)
	}
	needs("the worker is not built", Options{})
	w.write(filepath.Join(w.File("dist"), filepath.FromSlash(exports.PathOpenAPI)), "{}", 0o600)
	needs("names no server", Options{})
	if err := os.RemoveAll(w.File("dist")); err != nil {
		t.Fatal(err)
	}
	needs("there is no build in", Options{})
}

// TestDeployNeedsKey checks that a worker that signs needs an active key.
func TestDeployNeedsKey(t *testing.T) {
	w := newWorld(t)
	if err := os.RemoveAll(w.File(registrydir.KeysFolder)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.deploy(Options{Sign: true}); err == nil || !strings.HasPrefix(err.Error(), `step "secrets": there is no active signing key`) {
		t.Errorf("%v", err)
	}
}
