package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/s3/s3test"
)

// publishedRow is the answer of publish.
type publishedRow struct {
	DryRun bool `json:"dry_run"`
	Data   struct {
		Added, Changed, Removed, Unchanged, Deleted, Waiting int
		Sent                                                 int64 `json:"objects_sent"`
		Requests                                             struct{ Writes, Reads, Deletes int64 }
	}
}

// TestPublish publishes a build as an operator does.
func TestPublish(t *testing.T) {
	endpoint, objects := s3test.Start(t)
	o := newOperator(t)
	o.ok("corpus", "--publishers", "2", "--pages", "20")
	o.ok("build")
	dist := filepath.Join(o.dir, "dist")
	to := []string{"publish", "--to", "s3://" + s3test.Bucket + "/registry", "--endpoint", endpoint}
	stored := filepath.Join(objects, "registry")

	var dry, done publishedRow
	o.row(&dry, append(to, "--dry-run")...)
	if _, err := os.Stat(stored); err == nil || !dry.DryRun {
		t.Error("a dry run wrote something")
	}
	o.row(&done, to...)
	if done.Data.Sent == 0 || dry.Data.Sent != done.Data.Sent || dry.Data.Added != done.Data.Added {
		t.Errorf("expected %+v, done %+v", dry.Data, done.Data)
	}
	sameAsBuilt(t, dist, stored)

	o.ok("publisher", "set", "harbor-ledger", "--name", "Another Ledger")
	o.ok("build")
	before := treeDigest(t, stored)
	o.row(&dry, append(to, "--dry-run")...)
	if after := treeDigest(t, stored); len(after) != len(before) {
		t.Error("a dry run wrote something")
	}
	o.row(&done, append(to, "--grace", "0s")...)
	if done.Data.Changed == 0 || done.Data.Unchanged == 0 || done.Data.Changed != dry.Data.Changed {
		t.Errorf("expected %+v, done %+v", dry.Data, done.Data)
	}
	sameAsPublished(t, dist, stored)

	_, text, _ := o.run(append(to, "--out", dist)...)
	if !strings.Contains(text, "0 added, 0 changed, 0 removed") || !strings.Contains(text, "requests") {
		t.Errorf("publishing again says %q", text)
	}
}

// TestPublishBuildsInPlace publishes several builds in packs, which leave the
// objects of earlier builds in the folder for a day. A withdrawal is published
// before the build that follows it.
func TestPublishBuildsInPlace(t *testing.T) {
	endpoint, objects := s3test.Start(t)
	o, entries := catalogInPacks(t)
	dist := filepath.Join(o.dir, "dist")
	build := []string{"build", "--form", "packs"}
	publish := []string{"publish", "--to", "s3://" + s3test.Bucket + "/registry", "--endpoint", endpoint, "--grace", "0s"}
	stored := filepath.Join(objects, "registry")
	o.ok(publish...)

	o.ok("publisher", "set", entries[0].SiteID, "--name", "Another Name")
	o.ok(append(build, "--whole")...) // it leaves out packs that are partly in use
	if waiting, err := target.ReadWaiting(dist); err != nil || len(waiting) == 0 {
		t.Fatalf("%d files wait for their end: %v", len(waiting), err)
	}
	o.ok(publish...)
	sameAsPublished(t, dist, stored)

	o.ok("entry", "withdraw", entries[0].URL)
	o.ok(append(build, "--withdrawals")...)
	o.ok(publish...)
	sameAsPublished(t, dist, stored)
	o.ok(build...)
	o.ok(publish...)
	sameAsPublished(t, dist, stored)
}

// sameAsPublished is sameAsBuilt without the files that wait to be deleted.
func sameAsPublished(t *testing.T, dist, stored string) {
	t.Helper()
	waiting, err := target.ReadWaiting(dist)
	must(t, err)
	published := t.TempDir()
	must(t, os.CopyFS(published, os.DirFS(dist)))
	for name := range waiting {
		must(t, os.Remove(filepath.Join(published, name)))
	}
	sameAsBuilt(t, published, stored)
}

// row runs a command with --json and decodes the whole answer.
func (o operator) row(to *publishedRow, args ...string) {
	o.Helper()
	code, out, errs := o.run(append(args, "--json")...)
	if code != exitOK {
		o.Fatalf("%v: exit code %d: %s", args, code, errs)
	}
	*to = publishedRow{}
	if err := json.Unmarshal([]byte(out), to); err != nil {
		o.Fatal(err)
	}
}

// sameAsBuilt compares objects with the files of a build. No file name may also
// be a folder name, so that every server can store them.
func sameAsBuilt(t *testing.T, dist, stored string) {
	t.Helper()
	var files int
	err := fs.WalkDir(os.DirFS(dist), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "_build/") || name == "_headers" || name == ".assetsignore" {
			return err
		}
		files++
		want, err := os.ReadFile(filepath.Join(dist, name))
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(filepath.Join(stored, name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is not as it was built: %v", name, err)
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files: %v", files, err)
	}
	err = fs.WalkDir(os.DirFS(stored), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "_build/") {
			return err
		}
		if _, err := os.Stat(filepath.Join(dist, name)); err != nil {
			t.Errorf("%s is stored and was not built", name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestPublishFails checks that a failure is reported in one line, with exit
// code 1, and leaves what is published.
func TestPublishFails(t *testing.T) {
	endpoint, objects := s3test.Start(t)
	o := newOperator(t)
	to := []string{"publish", "--to", "s3://" + s3test.Bucket + "/registry", "--endpoint", endpoint}
	o.no(exitFailed, "colophon build", to...)
	o.ok("build")
	o.ok(to...)
	before := treeDigest(t, objects)

	older := filepath.Join(t.TempDir(), "older")
	must(t, os.CopyFS(older, os.DirFS(filepath.Join(o.dir, "dist"))))
	proxy := s3test.StartProxy(t, endpoint)
	refused := append(to[:3:3], "--endpoint", proxy.Endpoint)
	proxy.Spoil(func(*http.Request) s3test.Fault { return s3test.Refuse(http.StatusForbidden, "AccessDenied") })
	o.no(exitFailed, "403", refused...)
	proxy.Spoil(func(*http.Request) s3test.Fault { return s3test.Refuse(http.StatusServiceUnavailable, "SlowDown") })
	o.no(exitFailed, "503", refused...)
	t.Run("without credentials", func(t *testing.T) {
		for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
			t.Setenv(name, "")
		}
		t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(t.TempDir(), "none"))
		proxy.Spoil(func(*http.Request) s3test.Fault { return s3test.Refuse(http.StatusForbidden, "AccessDenied") })
		o.no(exitFailed, "set $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY", refused...)
		o.no(exitFailed, "set $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY", "backup", "list", "--to", "s3://"+s3test.Bucket, "--endpoint", proxy.Endpoint)
	})
	proxy.Spoil(nil)
	spoiled := filepath.Join(t.TempDir(), "spoiled")
	must(t, os.CopyFS(spoiled, os.DirFS(older)))
	must(t, os.WriteFile(filepath.Join(spoiled, "index.html"), []byte("x"), 0o600))
	o.no(exitFailed, "does not match", append(to, "--out", spoiled)...)
	o.no(exitFailed, "no-such-bucket", "publish", "--to", "s3://no-such-bucket", "--endpoint", endpoint)
	if after := treeDigest(t, objects); after["registry/_build/published.json"] != before["registry/_build/published.json"] || after["registry/index.html"] != before["registry/index.html"] {
		t.Error("a failure changed what is published")
	}

	o.ok("publisher", "add", "new-site", "--name", "New", "--site-url", "https://new.example/")
	o.ok("publisher", "approve", "new-site")
	o.ok("build")
	o.ok(to...)
	o.no(exitFailed, "--accept rollback", append(to, "--out", older)...)
	o.ok(append(to, "--out", older, "--accept", "rollback")...)
}

// TestNameOfEndpoint checks that commands with a bucket take its service as
// --endpoint.
func TestNameOfEndpoint(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"publish", "backup", "backup list", "restore"} {
		_, help, _ := call(append([]string{"help"}, strings.Fields(name)...)...)
		if !strings.Contains(help, " --endpoint ") {
			t.Errorf("%q calls it otherwise:\n%s", name, help)
		}
	}
}

func TestPublishUsage(t *testing.T) {
	t.Parallel()
	o := newBuilt(t)
	for _, args := range [][]string{
		{"--to", ""},
		{"--to", "bucket"},
		{"--to", "s3://bucket", "--endpoint", "nowhere"},
		{"--to", "s3://bucket", "--accept", "vanished"},
		{"--to", "s3://bucket", "--grace", "-1h"},
		{"--to", "s3://bucket", "--lease", "1ms"},
	} {
		o.no(exitUsage, "", append([]string{"publish"}, args...)...)
	}
}

// TestNginxFindsObjects checks that the manual's rules for nginx find the file
// of every address of a build.
func TestNginxFindsObjects(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../site/docs/publishing.md")
	must(t, err)
	_, block, _ := strings.Cut(string(text), "map $uri $object {")
	block, _, _ = strings.Cut(block, "}\n")
	var rules [][2]string
	for line := range strings.Lines(block) {
		if fields := strings.Fields(strings.Trim(strings.TrimSpace(line), ";")); len(fields) == 2 {
			rules = append(rules, [2]string{fields[0], strings.Trim(fields[1], `"`)})
		}
	}
	if len(rules) != 4 {
		t.Fatalf("the manual has the rules %q", rules)
	}
	object := func(path string) string {
		for _, rule := range rules {
			pattern, isPattern := strings.CutPrefix(rule[0], "~")
			if !isPattern || regexp.MustCompile(pattern).MatchString(path) {
				return strings.NewReplacer("${uri}", path, "$uri", path).Replace(rule[1])
			}
		}
		return ""
	}

	o := newOperator(t)
	o.ok("corpus", "--publishers", "2", "--pages", "5")
	o.ok("build")
	paths := []string{"/", "/ledger/", "/ledger/checkpoint"}
	for i := range exports.Surface {
		if e := &exports.Surface[i]; e.Made == exports.FromFile && !strings.Contains(e.Path, "{") {
			paths = append(paths, e.Path)
		}
	}
	err = fs.WalkDir(os.DirFS(filepath.Join(o.dir, "dist")), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(name, "_build/") {
			paths = append(paths, "/"+name, "/"+strings.TrimSuffix(name, ".json"), "/"+strings.TrimSuffix(name, "index.html"))
		}
		return err
	})
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d addresses: %v", len(paths), err)
	}
	for _, path := range paths {
		want := "/" + string(exports.KeyOf(path))
		if strings.HasSuffix(path, ".gz") || path == "/_headers" || path == "/.assetsignore" {
			continue // these have no address
		}
		if got := object(path); got != want {
			t.Errorf("nginx asks for %s at %s, the file is %s", got, path, want)
		}
	}
}
