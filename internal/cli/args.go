package cli

import (
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// ExactArgs requires n arguments, which are named in the error.
func ExactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == len(names) {
			return nil
		}
		takes := "no arguments"
		if len(names) > 0 {
			takes = strings.Join(names, " ")
		}
		return usage.Errorf("%q takes %s; see \"%s --help\"", cmd.CommandPath(), takes, cmd.CommandPath())
	}
}

// OptionalArg accepts one argument or none. It is named in the error.
func OptionalArg(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= 1 {
			return nil
		}
		return usage.Errorf("%q takes one %s or none; see \"%s --help\"", cmd.CommandPath(), name, cmd.CommandPath())
	}
}

// RequireSite adds --site, without which a command does nothing.
func RequireSite(cmd *cobra.Command, site *string) {
	cmd.Flags().StringVar(site, "site", "", "publisher whose pages these are")
	cmd.MarkFlagRequired("site") //nolint:errcheck // the flag exists
}

// ValidateWord refuses a value outside its closed list.
func ValidateWord(flag, value string, list []string) error {
	if value == "" || slices.Contains(list, value) {
		return nil
	}
	return usage.Errorf("--%s %q is not one of %s", flag, value, strings.Join(list, ", "))
}

// ParseUses returns the uses that --use names, in their published words.
func ParseUses(list []string) (uses []string, err error) {
	for _, text := range list {
		u, _, known := exports.ParseUse(text)
		if !known {
			return nil, usage.Errorf("--use %q is not one of %s", text, strings.Join(exports.UseWords(), ", "))
		}
		uses = append(uses, string(u))
	}
	return uses, nil
}

// ToUTC converts the value of a flag that is an RFC 3339 instant to UTC. A flag
// that was not given stays empty. It returns a usage error for a value that is
// not an instant.
func ToUTC(flag string, value *string) error {
	if *value == "" {
		return nil
	}
	at, ok := wire.ToUTC(*value)
	if !ok {
		return usage.Errorf("%s %q is no instant such as 2026-11-20T09:00:00Z", flag, *value)
	}
	*value = at
	return nil
}

// Now is now, as the origin writes times.
func Now() string { return time.Now().UTC().Format("2006-01-02T15:04:05Z") }

// CreateFile creates a file with the output of write.
func CreateFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
