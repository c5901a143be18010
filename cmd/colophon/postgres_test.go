package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"colophon/internal/assert"
	"colophon/internal/originsql/postgres/pgtest"
	"colophon/internal/registrydir"
)

// startCluster starts a Postgres for all tests, which runs until removeFixtures.
var startCluster = sync.OnceValues(func() (*pgtest.Cluster, error) {
	c, err := pgtest.Start()
	started = c
	return c, err
})

// started is the cluster, if any test needed it.
var started *pgtest.Cluster

// clusterOf returns the Postgres of the tests.
func clusterOf(t *testing.T) *pgtest.Cluster {
	t.Helper()
	c, err := startCluster()
	if err != nil {
		pgtest.SkipOrFail(t, err)
	}
	return c
}

// runWith runs a command with environment variables.
func (o operator) runWith(env map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = runProgram(context.Background(), append(args, "--dir", o.dir), strings.NewReader(""), &out, &errs, environment(env))
	return code, out.String(), errs.String()
}

// TestRegistryInPostgres does an operator's work with an origin in Postgres,
// and requires the same files as with an origin in a file.
func TestRegistryInPostgres(t *testing.T) {
	t.Parallel()
	c := clusterOf(t)
	address := c.NewDatabase(t)
	there := operator{t, filepath.Join(t.TempDir(), "there")}
	here := operator{t, filepath.Join(t.TempDir(), "here")}
	there.ok("init", "--base-url", "https://registry.example", "--origin", address)
	settings, err := os.ReadFile(filepath.Join(there.dir, registrydir.SettingsFile))
	if err != nil || !strings.Contains(string(settings), "origin = '"+address+"'") {
		t.Fatalf("init noted no origin: %v %s", err, settings)
	}
	assert.Fails(t, assert.Err(os.Stat(filepath.Join(there.dir, registrydir.OriginFile))), "a registry in Postgres has an origin in a file")

	// The other registry has the same keys, and its origin in a file.
	here.ok("init", "--base-url", "https://registry.example")
	for _, folder := range []string{registrydir.KeysFolder, registrydir.LedgerKeysFolder} {
		must(t, os.RemoveAll(filepath.Join(here.dir, folder)))
		copyTree(t, filepath.Join(there.dir, folder), filepath.Join(here.dir, folder))
	}
	for _, o := range []operator{here, there} {
		o.ok("corpus", "--publishers", "5", "--pages", "60")
		o.ok("build")
		o.ok("verify", filepath.Join(o.dir, "dist"))
	}
	compareTrees(t, filepath.Join(here.dir, "dist"), filepath.Join(there.dir, "dist"))

	for _, o := range []operator{here, there} {
		o.ok("status")
		o.ok("partner", "add", "Partner")
		o.ok("audit")
	}

	// The tests' cluster does not wait for the disk, and its user has all
	// rights.
	code, findings, _ := there.runWith(nil, "doctor", "--offline")
	for _, want := range []string{"failed   durability", "ok       store ", "ok       schema", "ok       release", "ok       ledger", "warning  store-role", "skipped  backup"} {
		if code != exitFailed || !strings.Contains(findings, want) {
			t.Errorf("the doctor does not say %q: %d %s", want, code, findings)
		}
	}

	there.no(exitUsage, "pg_dump", "backup", "--to", t.TempDir())
	there.no(exitUsage, "--dir only", "origin", "dump")
	there.no(exitUsage, "neither postgres", "status", "--origin", "mysql://x")
	there.no(exitFailed, "the origin in Postgres", "status", "--origin", "postgres://127.0.0.1:1/none?connect_timeout=2")
}

func TestDemoStaysInItsFolder(t *testing.T) {
	t.Parallel()
	o := operator{t, filepath.Join(t.TempDir(), "demo")}
	o.no(exitUsage, "in its folder", "demo", "--no-serve", "--origin", "postgres://127.0.0.1:1/none")
	o.no(exitUsage, "in its folder", "demo", "--no-serve", "--origin", "d1:http://127.0.0.1:1/d1")
}

func TestNoPasswordInSettings(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"postgres://colophon@db/registry": false, "postgres://colophon:secret@db/registry": true, "postgres://db/registry?password=x": true, "d1:a/b": false,
	} {
		assert.Equal(t, registrydir.HasPassword(address), want, "%s", address)
	}
	o := operator{t, filepath.Join(t.TempDir(), "reg")}
	o.ok("init")
	path := filepath.Join(o.dir, registrydir.SettingsFile)
	settings, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, append([]byte("origin = 'postgres://u:secret@127.0.0.1:1/x'\n"), settings...), 0o600))
	o.no(exitFailed, "PGPASSFILE", "status")
	if _, _, errs := o.run("status"); strings.Contains(errs, "secret") {
		t.Errorf("the password is told: %s", errs)
	}
}
