package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/usage"
)

// maxEdits is how many edits a suggested word may differ from a misspelt one;
// maxSuggested is how many words are suggested.
const (
	maxEdits     = 2
	maxSuggested = 3
)

// OtherWords lists what people type who come from other programs, and the
// commands that do it here. In a group those count that it has.
var OtherWords = []struct{ Typed, Meant string }{
	{"delete remove rm del erase drop destroy", "remove, withdraw, close, revoke, erase, reject, decline, suspend, pause, entry withdraw, publisher close"},
	{"ls list dir all", "list, publisher list, entry list"},
	{"show get describe info view cat inspect", "show, publisher show, entry show"},
	{"add create new register insert", "add, issue, generate, set, publisher add, init"},
	{"set edit update change modify", "set, publisher set, offer set"},
	{"start run server daemon", "serve"},
	{"check validate test health", "check, lint, doctor"},
	{"crawl fetch scan index", "import"},
	{"compile make render", "build"},
	{"push upload sync", "publish, deploy"},
	{"log logs history", "audit"},
	{"about ver", "version"},
}

func unknownWord(cmd *cobra.Command, word string) error {
	var suggested []string
	for _, s := range SuggestCommands(cmd, word) {
		suggested = append(suggested, fmt.Sprintf("%q", s.CommandPath()))
	}
	hint := ""
	if len(suggested) > 0 {
		hint = "; did you mean " + strings.Join(suggested, " or ") + "?"
	}
	return usage.Errorf("unknown command %q for %q%s (%q lists all)", word, cmd.CommandPath(), hint, cmd.CommandPath()+" --help")
}

// SuggestCommands returns the commands that an unknown word of a group may
// mean: those with its usual meaning, else the nearest names, else commands of
// that name further down.
func SuggestCommands(cmd *cobra.Command, word string) []*cobra.Command {
	var found []*cobra.Command
	for _, row := range OtherWords {
		if !slices.Contains(strings.Fields(row.Typed), strings.ToLower(word)) {
			continue
		}
		for _, path := range strings.Split(row.Meant, ", ") {
			if c, rest, err := cmd.Find(strings.Fields(path)); err == nil && len(rest) == 0 && c != cmd {
				found = append(found, c)
			}
		}
	}
	for edits := 1; edits <= maxEdits && len(found) == 0; edits++ {
		cmd.SuggestionsMinimumDistance = edits
		for _, name := range cmd.SuggestionsFor(word) {
			if c, _, err := cmd.Find([]string{name}); err == nil {
				found = append(found, c)
			}
		}
	}
	if len(found) == 0 {
		WalkCommands(cmd, func(c *cobra.Command) {
			if strings.EqualFold(c.Name(), word) && c != cmd {
				found = append(found, c)
			}
		})
	}
	return found[:min(len(found), maxSuggested)]
}
