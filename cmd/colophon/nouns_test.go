package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"colophon/internal/cli/records"
	"colophon/internal/origin"
)

// TestCompletion checks that shells complete the words of a description, and
// ids from the registry.
func TestCompletion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	getenv := environment(map[string]string{"COLOPHON_DIR": dir})
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := runProgram(context.Background(), args, strings.NewReader(""), &out, &errs, getenv); code != exitOK {
			t.Fatalf("%q: %s", args, errs.String())
		}
		return out.String()
	}
	run("init", "--dir", dir)
	run("publisher", "add", "harbor-ledger", "--name", "Harbor Ledger", "--site-url", "https://harbor-ledger.example/")
	run("group", "set", "pub_tideway-press", "--name", "Tideway Press")
	for _, c := range []struct {
		typed []string
		want  string
	}{
		{[]string{"publisher", "show", ""}, "harbor-ledger\tHarbor Ledger"},
		{[]string{"entry", "list", "--site", ""}, "harbor-ledger\tHarbor Ledger"},
		{[]string{"group", "join", "pub_tideway-press", ""}, "harbor-ledger\tHarbor Ledger"},
		{[]string{"group", "show", ""}, "pub_tideway-press\tTideway Press"},
		{[]string{"offer", "add", "harbor-ledger", "x", "--kind", ""}, "collective"},
	} {
		if out := run(append([]string{"__complete"}, c.typed...)...); !strings.Contains(out, c.want) {
			t.Errorf("%q: %q, want %q", c.typed, out, c.want)
		}
	}
	must(t, os.Remove(filepath.Join(dir, "origin.db")))
	if out := run("__complete", "publisher", "show", ""); !strings.HasPrefix(out, ":4") {
		t.Errorf("without an origin: %q", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "origin.db")); err == nil {
		t.Error("completing made an origin")
	}
}

// TestPrivateMembers checks that no list shows private members of a record,
// whatever its description says.
func TestPrivateMembers(t *testing.T) {
	t.Parallel()
	for _, row := range []map[string]any{
		records.DemandNoun.Row(&origin.Demand{BuyerEmail: "secret", BuyerName: "secret", PrivateNotes: "secret", PipelineStage: "secret", SavedSearch: "secret"}),
		records.BuyerNoun.Row(&origin.Buyer{ContactEmail: "secret", PrivateNotes: "secret"}),
		records.GrantNoun.Row(&origin.Grant{Agreement: "secret", PrivateNotes: "secret", StateReason: "secret"}),
	} {
		for name, value := range row {
			if value == "secret" {
				t.Errorf("%s is shown", name)
			}
		}
	}
}
