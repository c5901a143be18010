// Package config implements the command that shows the settings and where they
// come from.
package config

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

// Command shows every setting, and where its value comes from.
func Command(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show every setting, its value and where that comes from", Args: cli.ExactArgs(),
		Long: "A flag takes precedence over an environment variable, that over colophon.toml, and that over the default. Secrets are\n" +
			"not shown. \"config check\" reports what is wrong with the settings.",
		Example: "  colophon config\n  colophon config --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := e.ListSettings(func(flag string) bool { return cmd.Flags().Changed(flag) })
			if err != nil {
				return err
			}
			return e.PrintResult(list, func(w io.Writer) {
				for _, s := range list {
					fmt.Fprintf(w, "%-36s %-18s %s\n", s.Name, s.From, registrydir.SettingText(s.Value))
				}
			})
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use: "check", Short: "Report what is wrong with the settings", Args: cli.ExactArgs(),
		Example: "  colophon config check",
		RunE: func(*cobra.Command, []string) error {
			if err := e.CheckSettings(); err != nil {
				return err
			}
			return e.PrintResult(map[string]bool{"ok": true}, func(w io.Writer) { fmt.Fprintf(w, "%s is valid\n", e.File(registrydir.SettingsFile)) })
		},
	})
	return cmd
}
