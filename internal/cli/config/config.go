// Package config implements the command that shows the settings and where they
// come from.
package config

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/registrydir"
)

// Setting is one value that the program works with.
type Setting struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
	From  string `json:"from"` // a flag, an environment variable, colophon.toml or "default"
	About string `json:"about"`
}

// Command shows every setting, and where its value comes from.
func Command(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show every setting, its value and where that comes from", Args: cli.ExactArgs(),
		Long: "A flag takes precedence over an environment variable, that over colophon.toml, and that over the default. Secrets are\n" +
			"not shown. \"config check\" reports what is wrong with the settings.",
		Example: "  colophon config\n  colophon config --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := listSettings(e, cmd)
			if err != nil {
				return err
			}
			return e.PrintResult(list, func(w io.Writer) {
				for _, s := range list {
					fmt.Fprintf(w, "%-36s %-18s %s\n", s.Name, s.From, SettingText(s.Value))
				}
			})
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use: "check", Short: "Report what is wrong with the settings", Args: cli.ExactArgs(),
		Example: "  colophon config check",
		RunE:    func(*cobra.Command, []string) error { return checkSettings(e) },
	})
	return cmd
}

// SettingText returns a value as people read it.
func SettingText(value any) string {
	if m, ok := value.(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}

// listSettings lists the settings that a command would work with.
func listSettings(e *cli.Env, cmd *cobra.Command) ([]Setting, error) {
	s, err := e.ReadSettings()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(e.File(registrydir.SettingsFile))
	if err != nil {
		return nil, err
	}
	var stated map[string]any
	if err := toml.Unmarshal(data, &stated); err != nil {
		return nil, err
	}
	list := []Setting{{"dir", e.Path, sourceOf(e, cmd, "dir", "COLOPHON_DIR", "default"), "Folder of the registry."}}
	defaults := map[string]any{}
	registrydir.VisitSettings("", reflect.ValueOf(registrydir.DefaultSettings()), func(table, name, _ string, v reflect.Value) { defaults[table+"."+name] = v.Interface() })
	registrydir.VisitSettings("", reflect.ValueOf(s), func(table, name, about string, v reflect.Value) {
		row := Setting{strings.TrimPrefix(table+"."+name, "."), v.Interface(), registrydir.SettingsFile, about}
		if !isStated(stated, table, name) {
			row.Value, row.From = defaults[table+"."+name], "default"
			if said, ok := registrydir.SaidDefaults[row.Name]; ok {
				row.Value = strings.ReplaceAll(said, "`", "")
			}
		}
		switch row.Name {
		case "base_url":
			row.Value = s.BaseURL
			row.From = sourceOf(e, cmd, "", "COLOPHON_BASE_URL", row.From)
		case "origin":
			row.Value = e.OriginName()
			if row.From = sourceOf(e, cmd, "origin", "COLOPHON_ORIGIN", row.From); e.D1 != "" {
				row.From = sourceOf(e, cmd, "d1", "COLOPHON_D1", row.From)
			}
		}
		list = append(list, row)
	})
	return list, nil
}

// isStated reports whether a file states a setting.
func isStated(file map[string]any, table, name string) bool {
	if table != "" {
		if strings.HasSuffix(table, "]") {
			return true
		}
		file, _ = file[table].(map[string]any)
	}
	_, stated := file[name]
	return stated
}

// SourceOf is where a value comes from that a flag and an environment variable can
// state, otherwise what stands below them.
func sourceOf(e *cli.Env, cmd *cobra.Command, flag, variable, otherwise string) string {
	if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
		return "--" + flag
	}
	if e.Getenv(variable) != "" {
		return "$" + variable
	}
	return otherwise
}

// checkSettings tells everything that is wrong with the settings, not the first of
// it alone.
func checkSettings(e *cli.Env) error {
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	_, badBrand := e.ReadBrand(s)
	var badServer error
	if err := s.Server.Check(); err != nil {
		badServer = fmt.Errorf("%s: %w", e.File(registrydir.SettingsFile), err)
	}
	if err := errors.Join(badBrand, badServer); err != nil {
		return err
	}
	return e.PrintResult(map[string]bool{"ok": true}, func(w io.Writer) { fmt.Fprintf(w, "%s is valid\n", e.File(registrydir.SettingsFile)) })
}
