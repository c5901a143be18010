package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"colophon/internal/cli/contract"
)

// readOf has the arguments of commands that only read, for the registry of
// TestDryRun.
var readOf = map[string]string{
	"answer list":  "harbor-ledger",
	"audit":        "",
	"backup list":  "--to {backups}",
	"buyer list":   "",
	"config":       "",
	"config check": "",
	"demand list":  "",
	"entry list":   "--site harbor-ledger",
	"entry show":   "{waiting}",
	"grant list":   "",
	"grant show":   "{grant}",
	"group list":   "",
	"group show":   "{group}",
	"inquiry list": "",
	"inquiry show": "{request}",
	"join list":    "",
	"key list":     "",
	"letter list":  "",
	"lint":         "{dir}/dist/publishers/harbor-ledger/pack",
	"offer list":   "",

	"reservation list": "",
	"reservation show": "{reservation}",

	"offer show":     "harbor-ledger grounding",
	"partner list":   "",
	"person export":  "r@example.org",
	"publisher list": "",
	"publisher show": "harbor-ledger",
	"review list":    "--site harbor-ledger",
	"review show":    "{waiting}",
	"status":         "",
	"template list":  "--site harbor-ledger",
	"template show":  "{template} --site harbor-ledger",
	"verify":         "{dir}/dist",
	"version":        "",
	"watch":          "harbor-ledger",
	"webhook list":   "",
}

// readElsewhere lists the reading commands whose answer is not a record of a
// registry, or that need a server.
var readElsewhere = map[string]string{
	"help": "a text", "join show": "TestJoinCommand", "template diff": "TestTemplateIsProposedBeforeItCounts", "verify-edge": "TestVerifyEdge",
}

var memberName = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)

// badNames collects the members of a document that are not in snake_case. It
// skips members whose names are data, such as a format or an address, which it
// recognises by their contents.
func badNames(v any, bad map[string]bool) {
	switch x := v.(type) {
	case map[string]any:
		for name, inner := range x {
			if !memberName.MatchString(name) && !strings.ContainsAny(name, "./:- ") {
				bad[name] = true
			}
			badNames(inner, bad)
		}
	case []any:
		for _, inner := range x {
			badNames(inner, bad)
		}
	}
}

// TestReadingCommandsAnswerInJSON runs every reading command with --json: it
// must print one object whose members are named like the API's.
func TestReadingCommandsAnswerInJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.ok("build")
	contract.WalkCommands(newRoot(), func(cmd *cobra.Command) {
		name := contract.CommandPath(cmd)
		if contract.EffectOf(effects, cmd) != contract.Reads || readElsewhere[name] != "" {
			return
		}
		arguments, ok := readOf[name]
		if !ok {
			t.Errorf("%q reads: add a call of it to readOf", name)
			return
		}
		args := append(strings.Fields(name), "--json", "--dir", w.dir)
		args = append(args, w.fill(arguments, w.dir, "", w.backups)...)
		code, stdout, stderr := call(args...)
		if code != exitOK && name != "lint" { // lint finds something
			t.Errorf("%q: exit code %d: %s", args, code, stderr)
			return
		}
		checkAnswer(t, args, stdout)
	})
}

// checkAnswer fails unless a command printed one JSON object with members in
// snake_case.
func checkAnswer(t *testing.T, args []string, stdout string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewBufferString(stdout))
	var doc map[string]any
	if err := d.Decode(&doc); err != nil || d.More() {
		t.Errorf("%q: not one JSON object: %v: %.200s", args, err, stdout)
		return
	}
	bad := map[string]bool{}
	badNames(doc, bad)
	for member := range bad {
		t.Errorf("%q has a member %q", args, member)
	}
}

// TestUnknownFlagInJSON misspells a flag before --json.
func TestUnknownFlagInJSON(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"grant", "revoke", "--resaon", "x", "--json"}, {"--bogus", "--json"}, {"status", "--json=true", "--bogus"}, {"status", "--days", "x", "--json"},
	} {
		code, stdout, stderr := call(args...)
		var doc struct{ Error struct{ Message string } }
		if err := json.Unmarshal([]byte(stderr), &doc); err != nil || code != exitUsage || stdout != "" || doc.Error.Message == "" {
			t.Errorf("%q: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
	if _, _, stderr := call("grant", "--bogus", "--", "--json"); strings.HasPrefix(stderr, "{") {
		t.Errorf("an argument is taken for the flag: %s", stderr)
	}
}
