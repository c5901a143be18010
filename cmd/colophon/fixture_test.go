package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"colophon/internal/assert"
)

var must = assert.NoError

// fixture is a registry that is made once for all tests; each takes a copy.
type fixture struct {
	commands [][]string // the commands that make it
	once     sync.Once

	temporary string // folder to be removed
	dir       string // the registry's folder
	err       error
}

// fixtures are the registries that tests share.
var fixtures = struct{ empty, local, publishers, built, demo fixture }{
	empty:      fixture{commands: [][]string{{"init", "--base-url", "https://registry.example", "--contact", "desk@registry.example"}}},
	local:      fixture{commands: [][]string{{"init", "--base-url", "http://127.0.0.1:8787"}, {"build"}}},
	publishers: fixture{commands: twoPublishers},
	built:      fixture{commands: append(twoPublishers[:len(twoPublishers):len(twoPublishers)], []string{"build"})},
	demo:       fixture{commands: [][]string{{"demo", "--no-serve", "--base-url", "https://demo.registry.example"}}},
}

var twoPublishers = [][]string{
	{"init", "--base-url", "https://registry.example"},
	{"publisher", "add", "harbor-ledger", "--name", "harbor-ledger", "--site-url", "https://harbor-ledger.example/"},
	{"publisher", "approve", "harbor-ledger"},
	{"publisher", "add", "quay-times", "--name", "quay-times", "--site-url", "https://quay-times.example/"},
	{"publisher", "approve", "quay-times"},
}

// copyTo copies the registry to dir, which must not exist.
func (f *fixture) copyTo(t testing.TB, dir string) {
	t.Helper()
	f.once.Do(f.make)
	if f.err != nil {
		t.Fatal(f.err)
	}
	copyTree(t, f.dir, dir)
}

func (f *fixture) make() {
	f.temporary, f.err = os.MkdirTemp("", "colophon-fixture")
	f.dir = filepath.Join(f.temporary, "reg")
	for _, args := range f.commands {
		if code, _, told := call(append(args, "--dir", f.dir)...); code != exitOK && f.err == nil {
			f.err = fmt.Errorf("%q: exit code %d: %s", args, code, told)
		}
	}
}

// removeFixtures removes the fixtures that were made.
func removeFixtures() {
	for _, f := range []*fixture{&fixtures.empty, &fixtures.local, &fixtures.publishers, &fixtures.built, &fixtures.demo} {
		if f.temporary != "" {
			os.RemoveAll(f.temporary) //nolint:errcheck // a temporary folder
		}
	}
	if madeWorld.folder != "" {
		os.RemoveAll(madeWorld.folder) //nolint:errcheck // a temporary folder
	}
	if started != nil {
		started.Stop()
	}
}

// copyTree copies a folder and the modes of its contents.
func copyTree(t testing.TB, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, info.Mode().Perm())
	})
	must(t, err)
}

// waitUntil waits until done, for at most two minutes: a machine may be busy.
func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
