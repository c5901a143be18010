package generator

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary run a single build, so that a test can kill
// it as an operator's machine might.
func TestMain(m *testing.M) {
	if dir := os.Getenv("COLOPHON_TEST_BUILD"); dir != "" {
		buildForever(dir)
	}
	if dir := os.Getenv("COLOPHON_TEST_KILL"); dir != "" {
		buildUntilKilled(dir)
	}
	os.Exit(m.Run())
}

// buildForever builds the origin beside dir again and again, each time with
// one more page, until it is killed.
func buildForever(dir string) {
	tb := &fatal{}
	store := openStore(tb, filepath.Join(filepath.Dir(dir), "origin.db"))
	for n := 10_000; ; n++ {
		addPage(tb, store, "alpha", n+os.Getpid()*1000)
		os.Stdout.WriteString("begin\n")
		if _, err := Build(context.Background(), store, dir, testOptions(tb, 2)); err != nil {
			tb.Fatal(err)
		}
		os.Stdout.WriteString("done\n")
	}
}

// fatal is a testing.TB for the process that is to be killed.
type fatal struct{ testing.TB }

func (*fatal) Helper()        {}
func (*fatal) Cleanup(func()) {}
func (*fatal) Fatal(args ...any) {
	os.Stderr.WriteString(args[0].(error).Error() + "\n")
	os.Exit(3)
}

// TestKilledBuildLeavesAWholeOne kills builds at moments spread over their
// whole length and verifies what is left, each time.
func TestKilledBuildLeavesAWholeOne(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	populate(t, store, 30)
	whole := build1(t, store, dir, 2).Duration
	releases := map[string]bool{}
	for i := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "COLOPHON_TEST_BUILD="+dir)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		lines := bufio.NewScanner(out)
		for done := 0; lines.Scan() && (done < i%3 || lines.Text() != "begin"); {
			if lines.Text() == "done" {
				done++
			}
		}
		time.Sleep(time.Duration(i) * whole / 12)
		must(t, cmd.Process.Signal(syscall.SIGKILL))
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() == 3 {
			t.Fatalf("the build failed by itself: %v: %s", err, said.String())
		}
		a, err := Verify(dir)
		must(t, err)
		if len(a.Findings) > 0 {
			t.Fatalf("kill %d left a broken build: %q", i, a.Findings)
		}
		s, err := readState(dir)
		must(t, err)
		releases[s.Release.Name] = true
	}
	if len(releases) < 3 {
		t.Errorf("only %d different builds were seen: the kills came too early", len(releases))
	}
	build1(t, store, dir, 2)
	left, err := filepath.Glob(filepath.Join(root, ".dist.next*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("a later build left %q lying about", left)
	}
}

// smallDisk mounts a file system of its own. Only root may; elsewhere the
// test says that it did not run.
func smallDisk(t *testing.T, options string, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("SKIPPED: cannot mount a small file system here (%v); run as root", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestFullDisk(t *testing.T) {
	disk := smallDisk(t, "size=900k", 0)
	store := newStore(t)
	addSite(t, store, "alpha")
	dir := filepath.Join(disk, "dist")
	for n := range 400 {
		addPage(t, store, "alpha", n)
	}
	_, err := Build(context.Background(), store, dir, testOptions(t, 2))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "cannot") {
		t.Fatalf("a full disk: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a build was left: %v", err)
	}
	if left, _ := os.ReadDir(disk); len(left) > 1 { // the lock file stays
		t.Errorf("left behind: %v", left)
	}
}

func TestReadOnlyOutput(t *testing.T) {
	disk := smallDisk(t, "size=900k", syscall.MS_RDONLY)
	store := newStore(t)
	addSite(t, store, "alpha")
	_, err := Build(context.Background(), store, filepath.Join(disk, "dist"), testOptions(t, 2))
	if !errors.Is(err, syscall.EROFS) {
		t.Fatalf("a read-only output: %v", err)
	}
}

func TestOneBuildAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	first, err := newTree(dir)
	must(t, err)
	if _, err := newTree(dir); err == nil || !strings.Contains(err.Error(), "another build") {
		t.Errorf("a second build at the same time: %v", err)
	}
	first.discard()
	second, err := newTree(dir)
	must(t, err)
	second.discard()
}

// TestExchangeInSteps covers systems without an atomic exchange: a kill
// between the steps is mended by Recover.
func TestExchangeInSteps(t *testing.T) {
	root := t.TempDir()
	dir, stage := filepath.Join(root, "dist"), filepath.Join(root, "stage")
	put := func(path, text string) {
		must(t, os.MkdirAll(path, 0o755))
		must(t, os.WriteFile(filepath.Join(path, "f"), []byte(text), 0o644))
	}
	get := func(path string) string {
		data, err := os.ReadFile(filepath.Join(path, "f"))
		must(t, err)
		return string(data)
	}
	put(stage, "one")
	must(t, exchangeInSteps(stage, dir))
	put(stage, "two")
	must(t, exchangeInSteps(stage, dir))
	if get(dir) != "two" || get(stage) != "one" {
		t.Errorf("dist has %q, stage %q", get(dir), get(stage))
	}
	must(t, os.Rename(dir, dir+".previous")) // killed after the first step
	must(t, Recover(dir))
	if get(dir) != "two" {
		t.Errorf("recovered %q", get(dir))
	}
	must(t, Recover(dir))
}

func TestTreeRefuses(t *testing.T) {
	tree, err := newTree(filepath.Join(t.TempDir(), "dist"))
	must(t, err)
	defer tree.discard()
	must(t, tree.put("a.json", []byte("{}")))
	for _, name := range []string{"a.json", "../b.json", "/c.json", "", "d//e.json"} {
		if err := tree.write(name, nil); err == nil {
			t.Errorf("%q was written", name)
		}
	}
	if _, err := tree.swap(); err == nil {
		t.Error("an unsealed build was put in place")
	}
	must(t, os.WriteFile(filepath.Join(tree.stage, "stray.json"), []byte("{}"), 0o644))
	if err := tree.seal(nil); err == nil || !strings.Contains(err.Error(), `unexpected file "stray.json"`) {
		t.Errorf("a stray file: %v", err)
	}
	must(t, os.Remove(filepath.Join(tree.stage, "stray.json")))
	must(t, os.Remove(filepath.Join(tree.stage, "a.json")))
	if err := tree.seal(nil); err == nil || !strings.Contains(err.Error(), `missing file "a.json"`) {
		t.Errorf("a missing file: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(tree.stage, "a.json"), []byte("[]"), 0o644))
	if err := tree.seal(nil); err == nil || !strings.Contains(err.Error(), "not as it was written") {
		t.Errorf("a changed file: %v", err)
	}
}
