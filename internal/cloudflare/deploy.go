// Package cloudflare deploys a registry to Cloudflare Workers, with wrangler.
package cloudflare

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/originsql/dump"
	"colophon/internal/record"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// Options are the options of a deployment.
type Options struct {
	Config string // configuration of the worker, which stays as it is
	Out    string // folder of the published files, "" for the setting
	Local  bool   // to wrangler dev on this machine
	Sign   bool   // whether the worker gets the signing key
	Addr   string // of wrangler dev
}

// Step is one step of a deployment, with what was done or would be done.
type Step struct {
	Name     string   `json:"step"`
	Commands []string `json:"commands,omitempty"`
	Result   string   `json:"result"`
}

// deployment is one walk.
type deployment struct {
	*registrydir.Dir
	Options
	settings registrydir.Settings
	release  string
	files    string // folder of the published files
	work     string // folder of the configuration that is used
	worker   workerConfig
	wrangler wrangler
	step     *Step // the current step
}

// workerConfig is what deploy reads of wrangler.toml.
type workerConfig struct {
	Name      string
	Main      string
	Assets    struct{ Directory string }
	Vars      map[string]any
	Databases []struct {
		Name       string `toml:"database_name"`
		Migrations string `toml:"migrations_dir"`
	} `toml:"d1_databases"`
	Buckets []struct {
		Binding string
		Name    string `toml:"bucket_name"`
	} `toml:"r2_buckets"`
}

// Buckets of the worker, by their bindings.
const (
	bodiesBinding    = "BODIES"
	publishedBinding = "PUBLISHED" // optional: the published files, instead of assets
)

// bucket returns the name of the bucket with that binding, "" if there is none.
func (c *workerConfig) bucket(binding string) string {
	for _, b := range c.Buckets {
		if b.Binding == binding {
			return b.Name
		}
	}
	return ""
}

// Deployed is what was deployed, or would be.
type Deployed struct {
	Release string `json:"release"`
	Steps   []Step `json:"steps"`
	URL     string `json:"-"` // of the service
}

// Deploy deploys a registry, and calls told after each step. It returns the
// error of the first step that failed; the later ones were not done.
func Deploy(ctx context.Context, dir *registrydir.Dir, opt Options, told func(Step)) (Deployed, error) {
	if dir.IsRemote() {
		return Deployed{}, usage.Errorf("deploy fills D1 from the store in --dir: leave --origin out, and $COLOPHON_ORIGIN unset")
	}
	d := &deployment{Dir: dir, Options: opt}
	work, done, err := d.workFolder()
	if err != nil {
		return Deployed{}, err
	}
	defer done()
	d.work = work
	walked := []Step{}
	for _, s := range []struct {
		name string
		do   func(context.Context) (string, error)
	}{
		{"check", d.checkPrerequisites}, {"database", d.makeDatabase}, {"schema", d.applyMigrations}, {"bucket", d.makeBuckets}, {"fill", d.fillDatabase},
		{"secrets", d.putSecrets}, {"worker", d.deployWorker}, {"test", d.smokeTest},
	} {
		d.step = &Step{Name: s.name}
		d.step.Result, err = s.do(ctx)
		if err != nil {
			return Deployed{}, fmt.Errorf("step %q: %w (no later step was done; correct this and run deploy again)", s.name, err)
		}
		told(*d.step)
		walked = append(walked, *d.step)
	}
	return Deployed{d.release, walked, d.serviceURL()}, nil
}

// serviceURL returns the address of the deployed service.
func (d *deployment) serviceURL() string {
	if d.Local {
		return "http://" + d.Addr
	}
	return d.settings.BaseURL
}

// workFolder returns the folder of the configuration and, with --local, of the
// state. A dry run has a temporary one.
func (d *deployment) workFolder() (folder string, done func(), err error) {
	if d.DryRun {
		folder, err = os.MkdirTemp("", "colophon-deploy-")
		return folder, func() { os.RemoveAll(folder) }, err
	}
	folder = d.File("deploy")
	if d.Local {
		folder = d.File("deploy-local")
	}
	folder, err = filepath.Abs(folder)
	if err != nil {
		return "", nil, err
	}
	return folder, func() {}, os.MkdirAll(folder, registrydir.PrivateFolder)
}

// checkPrerequisites checks everything that the deployment needs before it
// changes anything.
func (d *deployment) checkPrerequisites(ctx context.Context) (string, error) {
	var err error
	if d.settings, err = d.ReadSettings(); err != nil {
		return "", err
	}
	if !d.Local && !strings.HasPrefix(d.settings.BaseURL, "https://") {
		return "", fmt.Errorf("the base URL %q is not https://; set base_url in %s and build again", d.settings.BaseURL, registrydir.SettingsFile)
	}
	if d.files, err = filepath.Abs(d.OutFolder(d.settings, d.Out)); err != nil {
		return "", err
	}
	published, err := generator.ReadPublished(d.files)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no build in %q; make one with \"colophon build\"", d.files)
	}
	if err != nil {
		return "", err
	}
	d.release = published.Release
	if err := d.checkBaseURL(); err != nil {
		return "", err
	}
	if err := d.readConfig(); err != nil {
		return "", err
	}
	if d.wrangler, err = findWrangler(filepath.Dir(d.Config)); err != nil {
		return "", err
	}
	version, err := d.wrangler.runCommand(ctx, "--version")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("release %s, wrangler %s", d.release, strings.TrimSpace(version)), nil
}

// checkBaseURL refuses a build for another address than that of the settings.
func (d *deployment) checkBaseURL() error {
	text, err := os.ReadFile(filepath.Join(d.files, filepath.FromSlash(exports.PathOpenAPI)))
	if err != nil {
		return err
	}
	var description struct{ Servers []struct{ URL string } }
	if err := json.Unmarshal(text, &description); err != nil || len(description.Servers) != 1 {
		return fmt.Errorf("the build in %s is damaged: %s names no server; \"colophon build --whole\" writes it again", d.files, exports.PathOpenAPI)
	}
	if built := description.Servers[0].URL; built != d.settings.BaseURL {
		return fmt.Errorf("the build in %s is for %s, base_url in %s is %s: build again with \"colophon build\"", d.files, built, registrydir.SettingsFile, d.settings.BaseURL)
	}
	return nil
}

// readConfig reads the configuration and writes the one that is used: the same
// with the paths and the address of this registry.
func (d *deployment) readConfig() error {
	text, err := os.ReadFile(d.Config)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %q; call deploy in the folder of the worker's bundle or of Colophon's source, or name its wrangler.toml with --config", d.Config)
	}
	if err != nil {
		return err
	}
	if err := toml.Unmarshal(text, &d.worker); err != nil {
		return fmt.Errorf("%s: %w", d.Config, err)
	}
	c := &d.worker
	if c.Name == "" || c.Main == "" || len(c.Databases) != 1 || c.Databases[0].Name == "" || d.bucketName() == "" {
		return fmt.Errorf("%s must name the worker, its main script, one D1 database and the R2 bucket of the binding %s", d.Config, bodiesBinding)
	}
	if d.Local && c.bucket(publishedBinding) != "" {
		return fmt.Errorf("%s names a bucket of published files, which --local cannot fill: leave the binding %s out", d.Config, publishedBinding)
	}
	root, err := filepath.Abs(filepath.Dir(d.Config))
	if err != nil {
		return err
	}
	main := filepath.Join(root, c.Main)
	if _, err := os.Stat(main); err != nil {
		return fmt.Errorf("the worker is not built (%s is missing): run \"make edge\"", main)
	}
	return d.writeConfig(string(text), root)
}

// configFile returns the configuration that is used, in the folder of the work.
func (d *deployment) configFile() string { return filepath.Join(d.work, "wrangler.toml") }

func (d *deployment) writeConfig(text, root string) error {
	c := &d.worker
	assets, err := d.assetsFolder()
	if err != nil {
		return err
	}
	for _, s := range []struct{ key, value string }{
		{"main", filepath.Join(root, c.Main)},
		{"directory", assets},
		{"migrations_dir", filepath.Join(root, c.Databases[0].Migrations)},
		{"BASE_URL", d.settings.BaseURL},
	} {
		if text, err = setValue(text, s.key, s.value); err != nil {
			return fmt.Errorf("%s: %w", d.Config, err)
		}
	}
	return registrydir.WriteFile(d.configFile(), []byte(text), 0o600)
}

// assetsFolder returns the folder that is uploaded with the worker: the
// published files, or an empty one where they are in a bucket.
func (d *deployment) assetsFolder() (string, error) {
	if d.worker.bucket(publishedBinding) == "" {
		return d.files, nil
	}
	empty := filepath.Join(d.work, "no-assets")
	return empty, os.MkdirAll(empty, registrydir.PrivateFolder)
}

// setValue sets the one line of a TOML file that begins with a key.
func setValue(text, key, value string) (string, error) {
	line := regexp.MustCompile(`(?m)^` + key + `\s*=\s*"[^"\n]*"`)
	if n := len(line.FindAllString(text, -1)); n != 1 {
		return "", fmt.Errorf("%d lines set %s, want one: correct that in the file", n, key)
	}
	return line.ReplaceAllLiteralString(text, fmt.Sprintf("%s = %q", key, value)), nil
}

// callWrangler runs wrangler. A dry run only prints the call, with the
// condition under which it would be made.
func (d *deployment) callWrangler(ctx context.Context, condition string, args ...string) (string, error) {
	told := "wrangler " + strings.Join(args, " ")
	if condition != "" {
		told += "   # " + condition
	}
	d.step.Commands = append(d.step.Commands, told)
	if d.DryRun {
		return "", nil
	}
	return d.wrangler.runCommand(ctx, append(args, "--config", d.configFile())...)
}

// locationFlags returns the arguments that choose between Cloudflare and this
// machine.
func (d *deployment) locationFlags() []string {
	if d.Local {
		return []string{"--local", "--persist-to", d.work}
	}
	return []string{"--remote"}
}

func (d *deployment) databaseName() string { return d.worker.Databases[0].Name }
func (d *deployment) bucketName() string   { return d.worker.bucket(bodiesBinding) }

// makeDatabase creates the D1 database, unless there is one with its name, by
// which wrangler finds it.
func (d *deployment) makeDatabase(ctx context.Context) (string, error) {
	if d.Local {
		return "wrangler dev makes it", nil
	}
	id, err := d.databaseID(ctx)
	made := "is there"
	if err == nil && id == "" {
		made = "was made"
		if _, err = d.callWrangler(ctx, "unless it is in the list", "d1", "create", d.databaseName()); err == nil && !d.DryRun {
			id, err = d.databaseID(ctx)
		}
	}
	if d.DryRun {
		return fmt.Sprintf("D1 database %q is found or made", d.databaseName()), err
	}
	if err == nil && id == "" {
		err = fmt.Errorf("the D1 database %q was made and is not in wrangler's list yet: run deploy again", d.databaseName())
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("D1 database %q %s: %s", d.databaseName(), made, id), nil
}

// databaseID returns the id of the database, "" if there is none of its name.
func (d *deployment) databaseID(ctx context.Context) (string, error) {
	text, err := d.callWrangler(ctx, "", "d1", "list", "--json")
	if err != nil || d.DryRun {
		return "", err
	}
	var list []struct{ UUID, Name string }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return "", fmt.Errorf("wrangler's list of databases: %w", err)
	}
	for _, x := range list {
		if x.Name == d.databaseName() {
			return x.UUID, nil
		}
	}
	return "", nil
}

func (d *deployment) applyMigrations(ctx context.Context) (string, error) {
	_, err := d.callWrangler(ctx, "", append([]string{"d1", "migrations", "apply", d.databaseName()}, d.locationFlags()...)...)
	return "the schema of this program", err
}

// makeBuckets creates the R2 buckets that do not exist.
func (d *deployment) makeBuckets(ctx context.Context) (string, error) {
	if d.Local {
		return "wrangler dev makes it", nil
	}
	told, err := d.makeBucket(ctx, d.bucketName())
	published := d.worker.bucket(publishedBinding)
	if err != nil || published == "" {
		return told, err
	}
	also, err := d.makeBucket(ctx, published)
	return told + "; " + also + fmt.Sprintf(`, which "colophon publish --to s3://%s" fills`, published), err
}

// makeBucket creates an R2 bucket unless it exists.
func (d *deployment) makeBucket(ctx context.Context, name string) (string, error) {
	_, err := d.callWrangler(ctx, "", "r2", "bucket", "info", name, "--json")
	switch {
	case d.DryRun:
		_, err = d.callWrangler(ctx, "unless it is there", "r2", "bucket", "create", name)
		return fmt.Sprintf("R2 bucket %q is found or made", name), err
	case err == nil:
		return fmt.Sprintf("R2 bucket %q is there", name), nil
	case !errors.Is(err, errNotThere):
		return "", err
	}
	_, err = d.callWrangler(ctx, "", "r2", "bucket", "create", name)
	return fmt.Sprintf("R2 bucket %q was made", name), err
}

// fillDatabase copies the store of --dir into a database without publishers.
// The texts are copied first, so that everything the database refers to exists.
func (d *deployment) fillDatabase(ctx context.Context) (string, error) {
	count := append([]string{"d1", "execute", d.databaseName()}, d.locationFlags()...)
	text, err := d.callWrangler(ctx, "", append(count, "--json", "--command", "SELECT COUNT(*) AS n FROM sites")...)
	if err != nil {
		return "", err
	}
	if !d.DryRun {
		n, err := readCount(text)
		if err != nil || n > 0 {
			return fmt.Sprintf("the database has %d publishers and stays as it is", n), err
		}
	}
	folder, err := os.MkdirTemp(d.work, "fill-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	bodies, statements := filepath.Join(folder, "bodies"), filepath.Join(folder, "origin.sql")
	size, err := d.dumpTo(ctx, statements, bodies)
	if err != nil {
		return "", err
	}
	const empty = "if there are no publishers in it"
	list := filepath.Join(bodies, dump.BulkList)
	if _, err := d.callWrangler(ctx, empty, append([]string{"r2", "bulk", "put", d.bucketName(), "--filename", list}, d.locationFlags()...)...); err != nil {
		return "", err
	}
	if _, err := d.callWrangler(ctx, empty, append([]string{"d1", "execute", d.databaseName(), "--yes", "--file", statements}, d.locationFlags()...)...); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes of statements, from %s", size, d.File(registrydir.OriginFile)), nil
}

// readCount reads the one number that wrangler d1 execute --json answers with.
func readCount(text string) (int, error) {
	var answers []struct {
		Results []struct{ N int }
	}
	if err := json.Unmarshal([]byte(text), &answers); err != nil || len(answers) != 1 || len(answers[0].Results) != 1 {
		return 0, fmt.Errorf("\"wrangler d1 execute\" answered %.200q, not one number: see what it says when you run it", text)
	}
	return answers[0].Results[0].N, nil
}

// dumpTo writes the store as statements and a folder of texts, and returns the
// bytes of the statements. A dry run only counts.
func (d *deployment) dumpTo(ctx context.Context, statements, bodies string) (int64, error) {
	store, done, err := d.OpenFile(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	if d.DryRun {
		return dump.Size(ctx, store.DB())
	}
	f, err := os.OpenFile(statements, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(dump.Apart(ctx, f, store.DB(), bodies), f.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(statements)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// putSecrets sets the secrets that the worker lacks. The service's secret is
// never changed, because open conversations depend on it. The signing key is
// set each time, because "colophon key rotate" changes it.
func (d *deployment) putSecrets(ctx context.Context) (string, error) {
	secrets, err := d.workerSecrets()
	if err != nil {
		return "", err
	}
	if d.Local {
		return "in .dev.vars", d.writeDevVars(secrets)
	}
	text, err := d.callWrangler(ctx, "", "secret", "list", "--format", "json")
	if err != nil && !errors.Is(err, errNotThere) { // there is no worker before the first deployment
		return "", err
	}
	if strings.Contains(text, `"SERVICE_SECRET"`) {
		delete(secrets, "SERVICE_SECRET")
	}
	if len(secrets) == 0 {
		return "all are there", nil
	}
	names := make([]string, 0, len(secrets))
	for name := range secrets {
		names = append(names, name)
	}
	slices.Sort(names)
	data, err := json.Marshal(secrets)
	if err != nil {
		return "", err
	}
	file := filepath.Join(d.work, "secrets.json")
	if !d.DryRun {
		defer os.Remove(file)
		if err := registrydir.WriteFile(file, data, 0o600); err != nil {
			return "", err
		}
	}
	_, err = d.callWrangler(ctx, "those that are missing", "secret", "bulk", file)
	return strings.Join(names, ", "), err
}

// workerSecrets returns the worker's secrets by their names.
func (d *deployment) workerSecrets() (map[string]string, error) {
	out := map[string]string{"SERVICE_SECRET": ""}
	if !d.DryRun {
		secret, err := d.LoadSecret()
		if err != nil {
			return nil, err
		}
		out["SERVICE_SECRET"] = base64.RawURLEncoding.EncodeToString(secret)
	}
	if !d.Sign {
		return out, nil
	}
	key, err := d.signingSeed()
	out["SIGNING_KEY"] = key
	return out, err
}

func (d *deployment) signingSeed() (string, error) {
	keys, err := d.ReadKeys(registrydir.KeysFolder)
	if err != nil {
		return "", err
	}
	key := registrydir.NewestActiveKey(keys)
	if key == nil || key.Status != record.KeyActive {
		return "", errors.New("there is no active signing key; make one with \"colophon key generate\"")
	}
	return base64.RawURLEncoding.EncodeToString(key.Seed[:]), nil
}

func (d *deployment) writeDevVars(secrets map[string]string) error {
	var b strings.Builder
	for name, value := range secrets {
		fmt.Fprintf(&b, "%s=%s\n", name, value)
	}
	if d.DryRun {
		return nil
	}
	return registrydir.WriteFile(filepath.Join(d.work, ".dev.vars"), []byte(b.String()), 0o600)
}

// deployWorker uploads the worker with the published files, which are its
// assets, so that one deployment shows one release; files in a bucket are
// published there apart. A dry run bundles it.
func (d *deployment) deployWorker(ctx context.Context) (string, error) {
	if d.DryRun {
		d.step.Commands = append(d.step.Commands, "wrangler deploy")
		out, err := d.wrangler.runCommand(ctx, "deploy", "--dry-run", "--outdir", filepath.Join(d.work, "bundle"), "--config", d.configFile())
		return bundleSize(out), err
	}
	if d.Local {
		return "wrangler dev bundles it", nil
	}
	_, err := d.callWrangler(ctx, "", "deploy")
	if published := d.worker.bucket(publishedBinding); published != "" {
		return fmt.Sprintf("%q over the bucket %q", d.worker.Name, published), err
	}
	return fmt.Sprintf("%q with the files of %s", d.worker.Name, d.files), err
}

var uploadLine = regexp.MustCompile(`(?m)Total Upload: .*`)

// bundleSize returns the line in which wrangler reports the size of a bundle.
func bundleSize(out string) string {
	if line := uploadLine.FindString(out); line != "" {
		return "bundled: " + strings.TrimSpace(line)
	}
	return "bundled"
}
