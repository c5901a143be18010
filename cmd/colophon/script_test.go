package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"colophon/internal/openapi/openapitest"
)

// TestMain lets scripts run the program as "colophon", and tests run it in a
// separate process.
func TestMain(m *testing.M) {
	if args := os.Getenv("COLOPHON_TEST_ARGS"); args != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		os.Exit(runProgram(ctx, strings.Fields(args), os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	testscript.Main(judged{m}, map[string]func(){
		"colophon": func() {
			os.Exit(runProgram(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
		},
	})
}

// judged runs a package's tests and checks every answer that they get from a
// server against the contract.
type judged struct{ tests *testing.M }

// Run runs the tests. More of them than there are processors run at a time,
// unless -parallel says else, because most wait for processes, servers and timers.
func (j judged) Run() int {
	defer removeFixtures()
	debug.SetMemoryLimit(2 << 30)
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "colophon-root")
	if err == nil {
		defer os.RemoveAll(folder)
		err = trustTestRoot(folder)
	}
	if err != nil {
		fmt.Println("FAIL:", err)
		return 1
	}
	return openapitest.Run(j.tests)
}

// TestScripts runs the scripts in testdata, one for each topic. In a script
// "colophon" is a process, and "run" calls the program without one, which is
// cheaper and needs absolute paths; "exitcode" does likewise.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOMEMLIMIT", "off") // see environment
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"run": runHere, "exitcode": exitCode, "mode": fileMode, "corrupt": corrupt, "keep": keep,
		},
	})
}

// runHere runs the program and checks whether it succeeds: run publisher list.
func runHere(ts *testscript.TestScript, neg bool, args []string) {
	if code := runProgram(context.Background(), args, strings.NewReader(""), ts.Stdout(), ts.Stderr(), ts.Getenv); (code != exitOK) != neg {
		ts.Fatalf("exit code %d", code)
	}
}

// exitCode runs the program and checks its exit code, and that an error is
// printed in one line: exitcode 2 publisher add.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE ARGS...")
	}
	var told strings.Builder
	got := runProgram(context.Background(), args[1:], strings.NewReader(""), ts.Stdout(), io.MultiWriter(ts.Stderr(), &told), ts.Getenv)
	if args[0] != strconv.Itoa(got) {
		ts.Fatalf("exit code %d, want %s: %s", got, args[0], told.String())
	}
	if n := strings.Count(told.String(), "\n"); got != exitOK && n != 1 {
		ts.Fatalf("an error is told in %d lines", n)
	}
}

// fileMode checks or sets the permissions of files: mode 600 FILE, mode =644 FILE.
func fileMode(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args[1:] {
		path := ts.MkAbs(name)
		if args[0][0] == '=' {
			ts.Check(os.Chmod(path, parseMode(ts, args[0][1:])))
			continue
		}
		info, err := os.Stat(path)
		ts.Check(err)
		if info.Mode().Perm() != parseMode(ts, args[0]) {
			ts.Fatalf("%s has mode %o", name, info.Mode().Perm())
		}
	}
}

func parseMode(ts *testscript.TestScript, s string) os.FileMode {
	var m os.FileMode
	for _, c := range s {
		if c < '0' || c > '7' {
			ts.Fatalf("not a mode: %s", s)
		}
		m = m<<3 | os.FileMode(c-'0')
	}
	return m
}

// corrupt overwrites the middle of a file.
func corrupt(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	for i := range data {
		if i >= 100 {
			data[i] ^= 0x5a
		}
	}
	ts.Check(os.WriteFile(path, data, 0o600))
}

// keep stores a part of the last command's output in a variable: keep NAME
// PATTERN; the value is the pattern's first group.
func keep(ts *testscript.TestScript, _ bool, args []string) {
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if m == nil {
		ts.Fatalf("nothing on stdout matches %s", args[1])
	}
	ts.Setenv(args[0], m[1])
}
