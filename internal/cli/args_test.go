package cli

import (
	"testing"

	"github.com/spf13/cobra"
)

// TestArguments names the arguments of a command that got too few or too many.
func TestArguments(t *testing.T) {
	cmd := &cobra.Command{Use: "watch [SITE_ID]"}
	for _, c := range []struct {
		args  cobra.PositionalArgs
		given []string
		want  string
	}{
		{OptionalArg("SITE_ID"), nil, ""},
		{OptionalArg("SITE_ID"), []string{"a"}, ""},
		{OptionalArg("SITE_ID"), []string{"a", "b"}, `"watch" takes one SITE_ID or none; see "watch --help"`},
		{ExactArgs("SITE_ID", "SLUG"), []string{"a", "b"}, ""},
		{ExactArgs("SITE_ID", "SLUG"), []string{"a"}, `"watch" takes SITE_ID SLUG; see "watch --help"`},
		{ExactArgs(), []string{"a"}, `"watch" takes no arguments; see "watch --help"`},
	} {
		got := ""
		if err := c.args(cmd, c.given); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.given, got, c.want)
		}
	}
}
