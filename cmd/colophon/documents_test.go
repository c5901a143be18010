package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var (
	calledInDocument = regexp.MustCompile("(?m)(?:^|[`'(]|[$#&;] |^ +)(?:bin/)?colophon ([a-z][^`\n]*)")
	flagInDocument   = regexp.MustCompile(`(?:^|\s)--([a-z][a-z0-9-]*)`)
	wordInDocument   = regexp.MustCompile(`^[a-z][a-z-]*$`)
)

// TestDocumentsCallCommands checks that each command in a document exists and
// has the flags that it is called with.
func TestDocumentsCallCommands(t *testing.T) {
	t.Parallel()
	calls := 0
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "site/docs/*.md", "deploy/*.service", "clients/*/README.md"} {
		names, err := filepath.Glob("../../" + pattern)
		must(t, err)
		for _, name := range names {
			if base := filepath.Base(name); base == "CHANGELOG.md" || base == "ROADMAP.md" {
				continue // these documents name former or future commands
			}
			text, err := os.ReadFile(name)
			must(t, err)
			joined := strings.ReplaceAll(string(text), "\\\n", " ")
			for _, m := range calledInDocument.FindAllStringSubmatch(joined, -1) {
				calls++
				if err := findCall(m[1]); err != "" {
					t.Errorf("%s calls \"colophon %s\": %s", strings.TrimPrefix(name, "../../"), m[1], err)
				}
			}
		}
	}
	if calls < 150 {
		t.Errorf("%d calls were found", calls)
	}
}

func TestFindCall(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		"build --dir registry --whole  # all of it": "",
		"publisher add https://site.example/":       "",
		"publisher frobnicate":                      "frobnicate is no command",
		"frobnicate":                                "frobnicate is no command",
		"build --join folder":                       "there is no --join",
		"status --json | jq --raw-output .data":     "",
	} {
		if got := findCall(call); got != want {
			t.Errorf("%q: %q, want %q", call, got, want)
		}
	}
}

// findCall looks up a call in the tree of commands and returns what is wrong
// with it, "" if nothing is.
func findCall(call string) string {
	call, _, _ = strings.Cut(call, " #")
	for _, end := range []string{"&&", "||", "|", ";", ">"} {
		call, _, _ = strings.Cut(call, end)
	}
	cmd := newRoot()
	for _, word := range strings.Fields(call) {
		word = strings.TrimRight(word, ".,:)'\"")
		if !wordInDocument.MatchString(word) {
			break
		}
		next := childOf(cmd, word)
		if next == nil {
			if cmd.HasSubCommands() {
				return word + " is no command"
			}
			break
		}
		cmd = next
	}
	for _, m := range flagInDocument.FindAllStringSubmatch(call, -1) {
		if cmd.Flags().Lookup(m[1]) == nil && cmd.InheritedFlags().Lookup(m[1]) == nil && m[1] != "help" && m[1] != "version" {
			return "there is no --" + m[1]
		}
	}
	return ""
}

func childOf(cmd *cobra.Command, name string) *cobra.Command {
	for _, c := range cmd.Commands() {
		if c.Name() == name || c.HasAlias(name) {
			return c
		}
	}
	return nil
}
