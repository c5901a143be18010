package contract

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
)

// completeArguments makes the shell complete the arguments of a command, and
// --site, from the registry.
func completeArguments(by map[string]cobra.CompletionFunc, cmd *cobra.Command) {
	names := strings.Fields(cmd.Use)[1:]
	if cmd.ValidArgsFunction == nil && slices.ContainsFunc(names, func(name string) bool { return by[name] != nil }) {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) >= len(names) || by[names[len(args)]] == nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return by[names[len(args)]](cmd, args, typed)
		}
	}
	if site := cmd.Flags().Lookup("site"); site != nil {
		_ = cmd.RegisterFlagCompletionFunc("site", by[cli.SiteNoun.Argument]) // the flag is there, and has none yet
	}
}
