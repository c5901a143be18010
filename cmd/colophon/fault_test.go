package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/originsql/faulttest"
	"colophon/internal/originsql/local"
)

// TestFaultsOfCommands runs each command that writes to the origin on copies
// of a registry whose disk fails. A command that ended well has stored all of
// it, also after a loss of power; one that did not says so in one line, with
// exit code 1, and can be run again.
//
// By default one call of SQLite fails for each of three commands and each way;
// with COLOPHON_FAULTS=all ("make test-durable") all calls of all commands.
func TestFaultsOfCommands(t *testing.T) {
	o := newOperator(t)
	id := o.submit("")
	held := o.submit("honeypot")
	buyer := o.ok("buyer", "add", "Example Answers")
	grant := o.ok("grant", "add", buyer, "--site", "harbor-ledger", "--use", "rag")
	partner := o.ok("partner", "add", "Example Agents")
	d := faulttest.Default(t)
	f := &commandFaults{T: t, base: o.dir, disk: d, random: rand.New(rand.NewPCG(1, 2))}

	first := func(line string) string { return strings.Fields(line)[0] }
	commands := [][]string{
		{"publisher", "add", "tide-times", "--name", "Tide Times", "--site-url", "https://tide-times.example/"},
		{"grant", "add", first(buyer), "--site", "harbor-ledger", "--use", "training"},
		{"grant", "revoke", first(grant), "--reason", "ended"},
		{"publisher", "suspend", "quay-times"},
		{"inquiry", "reply", id, "--body", "How many?", "--kind", "question"},
		{"inquiry", "move", id, "decline", "--reason", "budget"},
		{"inquiry", "release", held},
		{"buyer", "add", "Another"},
		{"buyer", "suspend", first(buyer)},
		{"buyer", "credential", "issue", first(buyer)},
		{"grant", "leave", first(grant), "harbor-ledger"},
		{"partner", "add", "Others"},
		{"partner", "key", "issue", first(partner)},
		{"webhook", "add", "https://hook.example/y", "--site", "quay-times"},
		{"publisher", "inbox-link", "harbor-ledger"},
	}
	if os.Getenv("COLOPHON_FAULTS") != "all" {
		commands = commands[:3]
	}
	for _, args := range commands {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			f.T = t
			f.try(args)
		})
	}
}

type commandFaults struct {
	*testing.T
	base   string // folder of the registry before the command
	disk   *faulttest.Disk
	random *rand.Rand
}

func (f *commandFaults) copy() string {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "reg")
	if err := os.CopyFS(dir, os.DirFS(f.base)); err != nil {
		f.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		f.Fatal(err)
	}
	return dir
}

// try runs a command without a fault, then with each.
func (f *commandFaults) try(args []string) {
	for _, kind := range []faulttest.Fault{faulttest.NoSpace, faulttest.Short, faulttest.IO, faulttest.Busy} {
		dir := f.copy()
		f.disk.Set(faulttest.Plan{Fault: kind})
		operator{f.T, dir}.ok(args...)
		calls := f.disk.Calls()
		f.disk.Set(faulttest.Plan{})
		want := contents(f.T, dir)
		if want == contents(f.T, f.base) {
			f.Fatal("it writes nothing")
		}
		if os.Getenv("COLOPHON_FAULTS") != "all" {
			f.fail(args, faulttest.Plan{Fault: kind, From: 1 + f.random.IntN(calls)}, want)
			continue
		}
		for from := 1; from <= calls; from++ {
			f.fail(args, faulttest.Plan{Fault: kind, From: from}, want)
			f.fail(args, faulttest.Plan{Fault: kind, From: from, Times: 1}, want)
		}
	}
}

func (f *commandFaults) fail(args []string, plan faulttest.Plan, want string) {
	f.Helper()
	dir := f.copy()
	f.disk.Set(plan)
	code, _, told := operator{f.T, dir}.run(args...)
	f.disk.Set(faulttest.Plan{})

	after := f.TempDir()
	if err := f.disk.PowerLoss(dir, after, nil); err != nil {
		f.Fatal(err)
	}
	stored := contents(f.T, after)
	switch {
	case code == exitOK && stored != want:
		f.Errorf("%+v: ended well, but stored is\n%s\nand not\n%s", plan, stored, want)
	case code == exitOK:
	case code != exitFailed || strings.Count(told, "\n") != 1 || strings.Contains(told, "damaged"):
		f.Errorf("%+v: exit code %d, told %q", plan, code, told)
	}
	if code == exitOK || stored == want { // the answer alone was lost
		return
	}
	if code, _, told := (operator{f.T, dir}).run(args...); code != exitOK {
		f.Errorf("%+v: run again: exit code %d, told %q", plan, code, told)
	}
}

// contents is how many rows the tables of a registry have, in each state.
func contents(t *testing.T, dir string) string {
	t.Helper()
	db, err := sql.Open("sqlite", local.Address(filepath.Join(dir, originFile)))
	if err != nil {
		t.Fatal(err)
	}
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
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			found = append(found, line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if got := query("PRAGMA integrity_check"); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity: %v", got)
	}
	for _, table := range query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('counters', 'proofs', 'meta') ORDER BY name") {
		state := "''"
		if len(query("SELECT name FROM pragma_table_info('"+table+"') WHERE name = 'state'")) > 0 {
			state = "state"
		}
		for _, n := range query("SELECT " + state + " || count(*) FROM " + table + " GROUP BY " + state) {
			lines = append(lines, fmt.Sprint(table, " ", n))
		}
	}
	return strings.Join(lines, "\n")
}
