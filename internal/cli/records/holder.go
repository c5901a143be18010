package records

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/wire"
)

// holders are the organizations of a kind, to which secrets of a kind are issued.
type holders[T, S any] struct {
	noun   *noun.Description[T]
	secret *noun.Description[S]
	prefix string // of a new organization's id
	use    string // what a secret's label says
	issue  func(ctx context.Context, store *originsql.Store, id string, scopes []string, o inquiry.IssueOptions) (c origin.Credential, secretID, secret string, err error)
	texts  holderTexts
	scopes bool // whether a secret has a part of the organization's scopes
}

// holderTexts are the help of the commands for organizations.
type holderTexts struct{ short, secrets, add, example, issue, list string }

// command returns the commands for organizations and their secrets.
func (h *holders[T, S]) command(e *cli.Env) *cobra.Command {
	secrets := &cobra.Command{Use: h.secret.Word, Short: h.texts.secrets}
	secrets.AddCommand(h.issueCommand(e), StateCommand(e, h.secret, "revoke"), StateCommand(e, h.secret, "suspend"), StateCommand(e, h.secret, "resume"))
	cmd := &cobra.Command{Use: h.noun.Word, Short: h.texts.short}
	cmd.AddCommand(h.addCommand(e), secrets, StateCommand(e, h.noun, "suspend"), StateCommand(e, h.noun, "resume"), ListCommand(e, h.noun, h.texts.list))
	return cmd
}

func (h *holders[T, S]) addCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add NAME", Short: h.texts.add, Args: cli.ExactArgs("NAME"), Example: h.texts.example,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := cli.NewInquiryService(nil).NewID(h.prefix)
			if err != nil {
				return err
			}
			return write(cmd.Context(), e, h.noun, id, h.noun.Value(cmd, wire.M("id", wire.String(id)), wire.M("name", wire.String(args[0]))))
		},
	}
	h.noun.AddTo(cmd)
	return cmd
}

// issueCommand issues a secret, which is shown once.
func (h *holders[T, S]) issueCommand(e *cli.Env) *cobra.Command {
	var o inquiry.IssueOptions
	var scopes []string
	cmd := &cobra.Command{
		Use: "issue " + h.noun.Argument, Short: "Issue a " + h.secret.Word + "; its secret is shown once", Args: cli.ExactArgs(h.noun.Argument), Long: h.texts.issue,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.ValidateWord("env", o.Environment, []string{"live", "test"}); err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := h.noun.Get(cmd.Context(), store, args[0]); err != nil {
					return err
				}
				c, id, secret, err := h.issue(cmd.Context(), store, args[0], scopes, o)
				if err != nil {
					return err
				}
				e.PrintNote("%s %s: keep the secret, it is shown only now", h.secret.Word, id)
				return e.PrintResult(map[string]any{h.secret.Key: id, "secret": secret, "expires_at": c.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, secret) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Label, "label", "", h.use)
	f.StringVar(&o.Environment, "env", "live", "live or test")
	f.IntVar(&o.Days, "days", 0, "days until it expires; 0 never")
	if h.scopes {
		f.StringSliceVar(&scopes, "scope", nil, "a part of the organization's scopes (default: all of them)")
	}
	return cmd
}

// secretRow returns a credential or a key as the operator sees it.
func secretRow(key, id string, c origin.Credential, last4, environment string) map[string]any {
	return map[string]any{key: id, "label": c.Label, "last4": last4, "environment": environment, "state": c.State, "expires_at": c.ExpiresAt}
}
