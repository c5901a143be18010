package records

import (
	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/inquiry"
)

// issueOptions are the flags of commands that issue a secret.
type issueOptions inquiry.IssueOptions

func (o *issueOptions) addFlags(cmd *cobra.Command, label string) {
	cmd.Flags().StringVar(&o.Label, "label", "", label)
	cmd.Flags().StringVar(&o.Environment, "env", "live", "live or test")
	cmd.Flags().IntVar(&o.Days, "days", 0, "days until it expires; 0 never")
}

func (o *issueOptions) validate() error {
	return cli.ValidateWord("env", o.Environment, []string{"live", "test"})
}
