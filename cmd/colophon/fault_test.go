package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"colophon/internal/cli"
	"colophon/internal/cli/contract"
	"colophon/internal/cli/keys"
	"colophon/internal/originsql"
	"colophon/internal/originsql/faulttest"
	"colophon/internal/originsql/local"
	"colophon/internal/registrydir"
)

// TestFaultsOfCommands runs each command that writes to an origin on copies of
// a registry whose disk fails. A command that succeeded must have stored
// everything, even after a loss of power. One that failed must say so in one
// line, with exit code 1, must have stored nothing or everything, and must be
// repeatable.
//
// By default, one call of SQLite fails for each of a few commands and each kind
// of failure; with COLOPHON_FAULTS=all ("make test-durable") all calls of all
// commands fail, for builds and similar commands a hundred. It is not parallel,
// because the disk of the whole process fails.
func TestFaultsOfCommands(t *testing.T) {
	names := []string{"grant add", "grant revoke", "import", "key rotate", "backup", "restore"}
	if os.Getenv("COLOPHON_FAULTS") == "all" {
		names = writingCommands(t)
	}
	w := newWorld(t)
	disk, random := faulttest.Default(t), rand.New(rand.NewPCG(1, 2))
	for _, name := range names {
		for _, arguments := range realCallsOf(name) {
			t.Run(name+" "+arguments, func(t *testing.T) {
				f := &commandFaults{T: t, world: w, name: name, arguments: arguments, disk: disk, random: random}
				f.try()
				t.Logf("%d faults, of which %d were answered as done", f.runs, f.done)
			})
		}
	}
}

// writingCommands returns all commands that write to an origin, except those
// that others represent, and those that need a server.
func writingCommands(t *testing.T) (names []string) {
	t.Helper()
	for name, what := range allEffects() {
		if what != contract.Publishes && what != contract.WritesRegistry && !writesOriginElsewhere[name] || standInFor[name] != "" || dryRunElsewhere[name] != "" {
			continue
		}
		if _, ok := dryRunOf[name]; !ok {
			t.Errorf("%q writes, and there is no call of it in dryRunOf", name)
		}
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) < 40 {
		t.Errorf("only %d commands write: %q", len(names), names)
	}
	return names
}

// writesOriginElsewhere lists the commands that write to an origin and are not
// recorded like others.
var writesOriginElsewhere = map[string]bool{"backup": true, "doctor": true, "restore": true}

// standInFor lists the commands that are not run on a failing disk, and why.
var standInFor = map[string]string{
	"init":           "it makes a registry from nothing: TestFaultsOfInit",
	"key generate":   "it refuses where there is a key, and writes as \"key rotate\" does",
	"template learn": "it needs a site, and writes the row that \"template set\" writes",
}

// realCallsOf returns the argument lists with which a command is run: those of
// its dry run, and those of an act that stores more.
func realCallsOf(name string) []string {
	calls := []string{dryRunOf[name]}
	if name == "inquiry move" {
		calls = append(calls, "{request} transfer --to quay-times")
	}
	return calls
}

// inParts lists the commands that store their work in parts, each complete; run
// again, they do the rest.
var inParts = map[string]bool{"build": true, "corpus": true, "import": true, "person erase": true}

type commandFaults struct {
	*testing.T
	*world
	name      string
	arguments string
	disk      *faulttest.Disk
	random    *rand.Rand

	runs, done int
}

// trial is one run of a command, on a copy of the world.
type trial struct {
	operator
	args     []string
	empty    string
	backups  string
	identity string // file that opens the backups
}

func (f *commandFaults) newTrial() *trial {
	f.T.Helper()
	root, err := os.MkdirTemp(f.T.TempDir(), "trial")
	if err != nil {
		f.Fatal(err)
	}
	x := &trial{operator: operator{f.T, filepath.Join(root, "reg")}, empty: filepath.Join(root, "empty"), backups: filepath.Join(root, "backups")}
	copyTree(f.T, f.dir, x.dir)
	copyTree(f.T, f.world.backups, x.backups)
	x.args = append(strings.Fields(f.name), "--quiet", "--dir", x.dir)
	x.args = append(x.args, f.fill(f.arguments, x.dir, x.empty, x.backups)...)
	x.identity = f.words["identity"]
	return x
}

// remove removes a trial, also from the disk's memory.
func (f *commandFaults) remove(x *trial) {
	root := filepath.Dir(x.dir)
	os.RemoveAll(root) //nolint:errcheck // a temporary folder
	f.disk.Forget(root)
}

// run runs the command.
func (x *trial) run() (code int, told string) {
	code, _, told = call(x.args...)
	return code, told
}

// try runs the command without a failure, then with each.
func (f *commandFaults) try() {
	untouched := f.newTrial()
	before := untouched.outcome("")
	f.remove(untouched)
	for _, kind := range []faulttest.Fault{faulttest.NoSpace, faulttest.Short, faulttest.IO, faulttest.Busy} {
		x := f.newTrial()
		f.disk.Set(faulttest.Plan{Fault: kind})
		code, told := x.run()
		calls := f.disk.Calls()
		f.disk.Set(faulttest.Plan{})
		if code != exitOK {
			f.Fatalf("without a fault: %d %s", code, told)
		}
		want := x.outcome("")
		f.remove(x)
		if want == before {
			f.Fatal("it writes nothing")
		}
		if calls == 0 {
			continue // it takes no lock, for example
		}
		for _, from := range callsToFail(f.random, calls) {
			f.fail(faulttest.Plan{Fault: kind, From: from}, before, want)
			if os.Getenv("COLOPHON_FAULTS") == "all" {
				f.fail(faulttest.Plan{Fault: kind, From: from, Times: 1}, before, want)
			}
		}
	}
}

// maxFailing is the most calls of one command and kind that fail. A build makes
// hundreds of similar calls.
const maxFailing = 100

// callsToFail returns the numbers of the SQLite calls that fail, one in each
// run: one of n by default, otherwise all; if there are very many, the first,
// the last and random ones between them.
func callsToFail(random *rand.Rand, n int) (list []int) {
	if os.Getenv("COLOPHON_FAULTS") != "all" {
		return []int{1 + random.IntN(n)}
	}
	for from := 1; from <= n; from++ {
		const edge = maxFailing / 3
		atEdge := from <= edge || from > n-edge
		if n <= maxFailing || atEdge || random.IntN(n) < edge {
			list = append(list, from)
		}
	}
	return list
}

// TestFaultsOfInit makes a registry on a failing disk: run again, the command
// must complete it.
func TestFaultsOfInit(t *testing.T) {
	disk, random := faulttest.Default(t), rand.New(rand.NewPCG(1, 2))
	initialize := func(dir string) (code int, told string) {
		code, _, told = call("init", "--base-url", "https://registry.example", "--quiet", "--dir", dir)
		return code, told
	}
	for _, kind := range []faulttest.Fault{faulttest.NoSpace, faulttest.Short, faulttest.IO, faulttest.Busy} {
		whole := filepath.Join(t.TempDir(), "whole")
		disk.Set(faulttest.Plan{Fault: kind})
		code, told := initialize(whole)
		calls := disk.Calls()
		disk.Set(faulttest.Plan{})
		if code != exitOK || calls == 0 {
			t.Fatalf("%s: without a fault: %d %s", kind, code, told)
		}
		for _, from := range callsToFail(random, calls) {
			plan := faulttest.Plan{Fault: kind, From: from}
			dir := filepath.Join(t.TempDir(), "reg")
			disk.Set(plan)
			code, told := initialize(dir)
			disk.Set(faulttest.Plan{})
			if code != exitOK {
				if code != exitFailed || strings.Count(told, "\n") != 1 {
					t.Errorf("%+v: exit code %d, told %q", plan, code, told)
				}
				unrecorded := strings.Contains(told, originsql.ErrNotRecorded.Error()) // the registry was made
				if code, told := initialize(dir); code != exitOK && !unrecorded {
					t.Errorf("%+v: run again: exit code %d, told %q", plan, code, told)
				}
			}
			operator{t, dir}.ok("publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/")
			operator{t, dir}.ok("build")
		}
	}
}

func (f *commandFaults) fail(plan faulttest.Plan, before, want string) {
	f.T.Helper()
	f.runs++
	x := f.newTrial()
	defer f.remove(x)
	f.disk.Set(plan)
	code, told := x.run()
	f.disk.Set(faulttest.Plan{})

	after, err := os.MkdirTemp(f.T.TempDir(), "after")
	if err != nil {
		f.Fatal(err)
	}
	defer func() {
		os.RemoveAll(after) //nolint:errcheck // a temporary folder
		f.disk.Forget(after)
	}()
	if err := f.disk.PowerLoss(x.dir, after, nil); err != nil {
		f.Fatal(err)
	}
	stored, live := x.outcome(after), x.outcome("")
	switch {
	case code == exitOK && stored != want:
		f.Errorf("%+v: ended well, but stored is\n%s\nand not\n%s", plan, stored, want)
	case code == exitOK:
		f.done++
		return
	case code != exitFailed || strings.Count(told, "\n") != 1 || strings.Contains(told, "damaged"):
		f.Errorf("%+v: exit code %d, told %q", plan, code, told)
	}
	for _, left := range []string{stored, live} {
		if !inParts[f.name] && withoutTrail(left) != withoutTrail(before) && withoutTrail(left) != withoutTrail(want) {
			f.Errorf("%+v: failed with %q, and half of it is stored:\n%s\nof\n%s", plan, told, left, want)
		}
	}
	if !inParts[f.name] && live != before { // it was done, and only the answer was lost
		return
	}
	if code, told := x.run(); code != exitOK {
		f.Errorf("%+v: run again: exit code %d, told %q", plan, code, told)
	}
}

// withoutTrail returns an outcome without the audit trail, whose record follows
// a change: see docs/decisions/audit-trail.md.
func withoutTrail(outcome string) string {
	return regexp.MustCompile(`(?m)^audit_log .*\n?`).ReplaceAllString(outcome, "")
}

// outcome describes what a trial left in the origin and beside it. If after is
// not empty, it reads what a loss of power left of the origin there.
func (x *trial) outcome(after string) string {
	x.Helper()
	if after == "" || !fileExists(filepath.Join(after, registrydir.OriginFile)) { // the origin was not opened
		after = x.dir
	}
	lines := []string{contents(x.T, after)}
	for _, folder := range []string{registrydir.KeysFolder, registrydir.LedgerKeysFolder} {
		held, err := (&cli.Env{Dir: registrydir.Dir{Path: x.dir}}).ReadKeys(folder)
		if err != nil {
			x.Fatal(err)
		}
		var statuses []string
		for i := range held {
			statuses = append(statuses, folder+" "+keys.KeyRow(held[i])["status"].(string))
		}
		slices.Sort(statuses) // keys are sorted by name, which is random
		lines = append(lines, statuses...)
	}
	if dist := filepath.Join(x.dir, "dist"); fileExists(dist) {
		x.ok("verify", dist)
		lines = append(lines, "published")
	}
	if fileExists(x.empty) {
		lines = append(lines, "restored", contents(x.T, x.empty))
	}
	if x.args[0] == "backup" {
		lines = append(lines, fmt.Sprint("backups ", x.verifyBackups()))
	}
	return strings.Join(lines, "\n")
}

// verifyBackups verifies all backups and returns how many there are.
func (x *trial) verifyBackups() int {
	x.Helper()
	var list []struct{ ID string }
	x.data(&list, "backup", "list", "--to", x.backups)
	for _, b := range list {
		code, _, told := call("restore", "--dry-run", "--offline", "--from", x.backups, "--identity", x.identity, "--id", b.ID, "--dir", x.empty)
		if code != exitOK {
			x.Errorf("backup %s: %s", b.ID, told)
		}
	}
	return len(list)
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// contents returns the number of rows in each table of a registry, by state.
func contents(t *testing.T, dir string) string {
	t.Helper()
	db, err := sql.Open("sqlite", local.Address(filepath.Join(dir, registrydir.OriginFile)))
	must(t, err)
	defer db.Close()
	var lines []string
	query := func(text string) (found []string) {
		rows, err := db.Query(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			must(t, rows.Scan(&line))
			found = append(found, line)
		}
		must(t, rows.Err())
		return found
	}
	if got := query("PRAGMA integrity_check"); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity: %v", got)
	}
	for _, table := range query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('counters', 'proofs', 'meta') ORDER BY name") {
		state := "''"
		if len(query("SELECT name FROM pragma_table_info('"+table+"') WHERE name = 'state'")) > 0 {
			state = "state"
		} else if table == "answers" {
			state = "iif(body = '', 'removed', '')" // the row of a removed text stays
		}
		for _, n := range query("SELECT " + state + " || count(*) FROM " + table + " GROUP BY " + state) {
			lines = append(lines, fmt.Sprint(table, " ", n))
		}
	}
	return strings.Join(lines, "\n")
}
