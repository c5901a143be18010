package main

import (
	"slices"
	"strings"
	"testing"

	"colophon/internal/cli/contract"
)

// TestSuggestedCommands tries what people type: words of other programs,
// misspelt words, and words of a group without the group.
func TestSuggestedCommands(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"frobnicate":        "",
		"zzzz":              "",
		"vresion":           "colophon version",
		"bulid":             "colophon build",
		"delete":            "colophon entry withdraw, colophon publisher close",
		"remove":            "colophon entry withdraw, colophon publisher close",
		"RM":                "colophon entry withdraw, colophon publisher close",
		"ls":                "colophon publisher list, colophon entry list",
		"list":              "colophon publisher list, colophon entry list",
		"create":            "colophon publisher add, colophon init",
		"run":               "colophon serve",
		"approve":           "colophon publisher approve, colophon demand approve, colophon join approve",
		"learn":             "colophon template learn",
		"publisher delete":  "colophon publisher close, colophon publisher suspend",
		"entry remove":      "colophon entry withdraw",
		"offer rm":          "colophon offer withdraw, colophon offer pause",
		"grant delete":      "colophon grant revoke, colophon grant suspend",
		"key create":        "colophon key generate",
		"key delete":        "colophon key revoke",
		"answer delete":     "colophon answer remove",
		"person delete":     "colophon person erase",
		"join ls":           "colophon join list",
		"publisher edit":    "colophon publisher set",
		"webhook frobnitz":  "",
		"buyer ls":          "colophon buyer list",
		"backup list-all-x": "",
	} {
		words := strings.Fields(typed)
		group, rest, err := newRoot().Find(words)
		if err != nil || len(rest) != 1 {
			t.Fatalf("%q: left over %q, %v", typed, rest, err)
		}
		var got []string
		for _, c := range contract.SuggestCommands(group, rest[0]) {
			got = append(got, c.CommandPath())
		}
		slices.Sort(got)
		expected := strings.Split(want, ", ")
		slices.Sort(expected)
		if strings.Join(got, ", ") != strings.Join(expected, ", ") {
			t.Errorf("%q: suggested %q, want %q", typed, got, want)
		}
	}
}

// TestOtherWordsLeadSomewhere checks that every command named in OtherWords
// exists in some group.
func TestOtherWordsLeadSomewhere(t *testing.T) {
	t.Parallel()
	paths := map[string]bool{}
	for name := range allEffects() {
		paths[name] = true
		words := strings.Fields(name)
		paths[words[len(words)-1]] = true
	}
	for _, row := range contract.OtherWords {
		for _, meant := range strings.Split(row.Meant, ", ") {
			if !paths[meant] {
				t.Errorf("%q is meant to be %q, which is no command", row.Typed, meant)
			}
		}
	}
}
