package generator

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"colophon/generator/target"
	"colophon/generator/verify"
	"colophon/internal/assert"
	"colophon/internal/release"
)

// TestMain lets the test binary build instead of running tests, so that a test
// can kill the process.
func TestMain(m *testing.M) {
	if dir := os.Getenv("COLOPHON_TEST_BUILD"); dir != "" {
		buildForever(dir)
	}
	if dir := os.Getenv("COLOPHON_TEST_KILL"); dir != "" {
		buildUntilKilled(dir)
	}
	code := m.Run()
	removeCatalogs()
	os.Exit(code)
}

// buildForever builds the origin beside dir repeatedly, each time with one more
// page, until it is killed.
func buildForever(dir string) {
	tb := &fatal{}
	store := openStore(tb, filepath.Join(filepath.Dir(dir), "origin.db"))
	for n := 10_000; ; n++ {
		addPage(tb, store, "alpha", n+os.Getpid()*1000)
		os.Stdout.WriteString("begin\n")
		if _, err := Build(context.Background(), store, dir, crashOptions(tb, Form(os.Getenv(testForm)))); err != nil {
			tb.Fatal(err)
		}
		os.Stdout.WriteString("done\n")
	}
}

// testForm is the environment variable with the form of a build that will be
// killed.
const testForm = "COLOPHON_TEST_FORM"

func crashOptions(tb testing.TB, form Form) Options {
	opt := testOptions(tb, 2)
	opt.Form = form
	return opt
}

// fatal is a testing.TB for the process that will be killed.
type fatal struct{ testing.TB }

func (*fatal) Helper()        {}
func (*fatal) Cleanup(func()) {}
func (*fatal) Fatal(args ...any) {
	os.Stderr.WriteString(args[0].(error).Error() + "\n")
	os.Exit(3)
}

// namesMissing returns the findings about documents in a folder that name a
// missing file, and about files that cannot be read.
func namesMissing(t *testing.T, dir string) []string {
	t.Helper()
	copied := t.TempDir()
	must(t, os.CopyFS(copied, os.DirFS(dir)))
	var files []release.File
	for name, data := range readTree(t, dir) {
		if release.Listed(name) && !target.IsNote(name) {
			files = append(files, release.FileOf(name, data))
		}
	}
	writeList(t, copied, files)
	audit, err := verify.Release(copied)
	must(t, err)
	var out []string
	for _, f := range audit.Findings {
		if strings.Contains(f, ": links to ") || strings.Contains(f, ": names ") || strings.Contains(f, "is missing") || strings.Contains(f, "cannot be read") {
			out = append(out, f)
		}
	}
	return out
}

// TestKilledBuildLeavesAWholeOne kills builds at moments spread over their
// whole length. At every moment, no document may name a missing file; after the
// interrupted publication is finished the build must be whole, and the next
// build must continue. COLOPHON_KILLS sets the number of kills (make
// test-kills).
func TestKilledBuildLeavesAWholeOne(t *testing.T) {
	t.Parallel()
	for _, form := range bothForms {
		t.Run(string(form), func(t *testing.T) { killBuilds(t, form) })
	}
}

// killsAsked returns the number in COLOPHON_KILLS. If it is not set, it
// returns usual, or half of it with -short.
func killsAsked(t *testing.T, usual int) int {
	t.Helper()
	text := os.Getenv("COLOPHON_KILLS")
	switch {
	case text == "" && testing.Short():
		return usual / 2
	case text == "":
		return usual
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

func killBuilds(t *testing.T, form Form) {
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	store := openStore(t, filepath.Join(root, "origin.db"))
	populate(t, store, 15)
	first, err := Build(t.Context(), store, dir, crashOptions(t, form))
	must(t, err)
	whole := first.Duration
	releases := map[string]bool{}
	kills := killsAsked(t, 4)
	interrupted := 0
	for i := range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "COLOPHON_TEST_BUILD="+dir, testForm+"="+string(form))
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
		must(t, lines.Err())
		time.Sleep(time.Duration(i%40) * whole / time.Duration(min(kills, 40)))
		must(t, cmd.Process.Signal(syscall.SIGKILL))
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() == 3 {
			t.Fatalf("the build failed by itself: %v: %s", err, said.String())
		}
		if missing := namesMissing(t, dir); len(missing) > 0 {
			t.Fatalf("kill %d: %q", i, missing)
		}
		if _, err := os.Stat(filepath.Join(root, ".dist.journal")); err == nil {
			interrupted++
		}
		must(t, target.Recover(dir))
		a, err := verify.Release(dir)
		must(t, err)
		if len(a.Findings) > 0 {
			t.Fatalf("kill %d left a broken build: %q", i, a.Findings)
		}
		s, err := ReadPublished(dir)
		must(t, err)
		releases[s.Release] = true
	}
	t.Logf("%d of %d kills came while files were moved", interrupted, kills)
	if len(releases) < min(3, kills/2) {
		t.Errorf("only %d different builds were seen: the kills came too early", len(releases))
	}
	_, err = Build(t.Context(), store, dir, crashOptions(t, form))
	must(t, err)
	left, err := filepath.Glob(filepath.Join(root, ".dist.*"))
	must(t, err)
	if want := []string{filepath.Join(root, ".dist.lock"), rowsPath(dir)}; !slices.Equal(left, want) {
		t.Errorf("a later build left %q lying about", left)
	}
}

// TestBuildKeepsNothingElsewhere builds on a system without a folder for
// temporary files. A build must keep everything beside its own folder, where
// the next build removes it after a kill.
func TestBuildKeepsNothingElsewhere(t *testing.T) {
	for _, form := range bothForms {
		t.Run(string(form), func(t *testing.T) {
			store := newStore(t)
			populate(t, store, 30)
			root := t.TempDir()
			opt := crashOptions(t, form)
			t.Setenv("TMPDIR", filepath.Join(root, "missing"))
			_, err := Build(t.Context(), store, filepath.Join(root, "dist"), opt)
			must(t, err)
		})
	}
}

func TestOneBuildAtATime(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "dist")
	first, err := newTree(dir)
	must(t, err)
	assert.ErrorContains(t, assert.Err(newTree(dir)), "a second build at the same time", "another build")
	first.discardStage()
	second, err := newTree(dir)
	must(t, err)
	second.discardStage()
}

func TestTreeRefuses(t *testing.T) {
	t.Parallel()
	tree, err := newTree(filepath.Join(t.TempDir(), "dist"))
	must(t, err)
	defer tree.discardStage()
	must(t, tree.putFile("a.json", []byte("{}")))
	for _, name := range []string{"a.json", "../b.json", "/c.json", "", "d//e.json"} {
		assert.Fails(t, tree.writeFile(name, nil), "%q was written", name)
	}
}

// newTree opens an output folder, with the list of the files published there.
func newTree(dir string) (*tree, error) {
	t, err := openTree(dir)
	if err != nil {
		return nil, err
	}
	if err := t.readPublished(); err != nil {
		t.discardStage()
		return nil, err
	}
	return t, nil
}
