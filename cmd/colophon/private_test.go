package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/cli"
	"colophon/internal/originsql"
	"colophon/internal/registrydir"
)

func modeOf(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// TestStoreIsMadePrivate checks that a registry which others can read is made
// private at the next command, which says so, and that nothing is said about a
// private one.
func TestStoreIsMadePrivate(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	store := filepath.Join(o.dir, registrydir.OriginFile)
	if modeOf(t, o.dir) != 0o700 || modeOf(t, store) != 0o600 {
		t.Errorf("a new registry has the modes %o and %o", modeOf(t, o.dir), modeOf(t, store))
	}
	if _, _, errs := o.run("inquiry", "list"); strings.Contains(errs, "mode") {
		t.Errorf("a private registry: %q", errs)
	}
	db, err := registrydir.OpenPlain(store)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE meta SET value = value"); err != nil { // so that there is a write-ahead log
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{o.dir: 0o755, store: 0o644, store + "-wal": 0o640, store + "-shm": 0o604} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	_, _, errs := o.run("inquiry", "list")
	for path, want := range map[string]os.FileMode{o.dir: 0o700, store: 0o600, store + "-wal": 0o600, store + "-shm": 0o600} {
		if got := modeOf(t, path); got != want {
			t.Errorf("%s has mode %o, not %o", path, got, want)
		}
		if !strings.Contains(errs, path+" could be read by others") {
			t.Errorf("nothing is said about %s: %s", path, errs)
		}
	}
}

// TestStoreIsOpenedWithSecureDelete checks that erased rows leave no bytes
// behind, on any connection.
func TestStoreIsOpenedWithSecureDelete(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	e := &cli.Env{Dir: registrydir.Dir{Path: o.dir}, Quiet: true}
	store, done, err := e.OpenFile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	var on int
	if err := store.DB().QueryRow("PRAGMA secure_delete").Scan(&on); err != nil || on != 1 {
		t.Errorf("secure_delete is %d: %v", on, err)
	}
}

// olderSchema makes an origin look as if it had the schema before the newest
// one.
func olderSchema(t *testing.T, o operator) {
	t.Helper()
	db, err := registrydir.OpenPlain(filepath.Join(o.dir, registrydir.OriginFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA user_version = 1"); err != nil {
		t.Fatal(err)
	}
}

// TestCopyBeforeMigration checks that a store is copied before its schema
// changes, that the copy is complete, private and reported, and that without a
// copy nothing changes.
func TestCopyBeforeMigration(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	folder := filepath.Join(o.dir, registrydir.CopiesFolder)
	if _, err := os.Stat(folder); err == nil {
		t.Error("a new store was copied")
	}
	olderSchema(t, o)
	if err := os.WriteFile(folder, nil, 0o600); err != nil { // no folder can be made there
		t.Fatal(err)
	}
	o.no(1, "not a directory", "inquiry", "list")
	if got := schemaOf(t, filepath.Join(o.dir, registrydir.OriginFile)); got != 1 {
		t.Errorf("the schema is %d although there is no copy", got)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	_, _, errs := o.run("inquiry", "list") // fails, because the tables exist already
	copies, err := filepath.Glob(filepath.Join(folder, "schema-1-*.db"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies %v: %v; %s", copies, err, errs)
	}
	if !strings.Contains(errs, copies[0]) || modeOf(t, copies[0]) != 0o600 || modeOf(t, folder) != 0o700 {
		t.Errorf("mode %o in %o; told: %s", modeOf(t, copies[0]), modeOf(t, folder), errs)
	}
	db, err := registrydir.OpenPlain(copies[0])
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if sites, err := originsql.New(db).Sites(t.Context()); err != nil || len(sites) != 2 {
		t.Errorf("the copy holds %d sites: %v", len(sites), err)
	}
	if got := schemaOf(t, copies[0]); got != 1 {
		t.Errorf("the copy has schema %d", got)
	}
}

func schemaOf(t *testing.T, path string) int {
	t.Helper()
	db, err := registrydir.OpenPlain(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	version, err := originsql.SchemaVersion(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return version
}
