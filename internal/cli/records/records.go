// Package records implements the commands for the records that an operator
// keeps: offers, buyers' requests, buyers, partners, grants, groups and
// entries, and the documents that apply and export use.
package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// SetHeld sets the state of an organization to active or suspended.
func SetHeld(state, changedAt *string, to, at string) error {
	*state, *changedAt = to, at
	return nil
}

// ListCommand lists all records of a kind.
func ListCommand[T any](e *cli.Env, n *noun.Description[T], short string) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: short, Args: cli.ExactArgs(), Long: short + ".\n" + n.Legend(),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			list, err := n.All(store, cmd.Context())
			if err != nil {
				return err
			}
			return e.PrintTable(&n.Table, n.Rows(list))
		}),
	}
}

// showCommand shows all members of one record.
func showCommand[T any](e *cli.Env, n *noun.Description[T], short string) *cobra.Command {
	return &cobra.Command{
		Use: "show " + n.Argument, Short: short, Args: cli.ExactArgs(n.Argument),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			x, err := n.Get(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			row := n.Row(&x)
			return e.PrintResult(row, func(w io.Writer) { n.Show(w, row) })
		}),
	}
}

// stateAfter is the state that a verb leads to.
var stateAfter = map[string]string{"pause": "paused", "resume": "active", "revoke": "revoked", "suspend": "suspended"}

// StateCommand returns the command that sets the state of a record at once. A
// revoked record stays revoked.
func StateCommand[T any](e *cli.Env, n *noun.Description[T], verb string) *cobra.Command {
	var reason string
	to := stateAfter[verb]
	cmd := &cobra.Command{
		Use: verb + " " + n.Argument, Short: strings.ToUpper(verb[:1]) + verb[1:] + " " + n.About + " at once", Args: cli.ExactArgs(n.Argument),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			x, err := n.Get(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			if err := n.SetState(&x, to, reason, cli.Now()); errors.Is(err, credential.ErrRevoked) {
				return fmt.Errorf("%s %q is revoked for good; issue another", n.Word, args[0])
			}
			if err := n.Put(store, cmd.Context(), x); err != nil {
				return err
			}
			row := map[string]any{n.Key: args[0], "state": to}
			if n.Row != nil {
				maps.Copy(row, n.Row(&x))
			}
			return e.PrintResult(row, func(w io.Writer) { fmt.Fprintln(w, args[0], to) })
		}),
	}
	if n.Reason {
		cmd.Flags().StringVar(&reason, "reason", "", "why (private)")
	}
	return cmd
}

// CompleteNoun completes an argument by the records that there are.
func CompleteNoun[T any](e *cli.Env, n *noun.Description[T]) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		store, done, err := e.OpenToRead(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer done()
		list, err := n.All(store, cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var found []cobra.Completion
		for _, row := range n.Rows(list) {
			id, _ := row[n.Key].(string)
			about, _ := row["name"].(string)
			found = append(found, cobra.CompletionWithDesc(id, noun.OneLine(about)))
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}

// SourceOf returns a document with some lists.
func SourceOf(lists ...wire.Member) (registry.Source, error) {
	v := wire.Object(append(lists, wire.M("format", wire.String(registry.Format)))...)
	return registry.Read("the call", v.Append(nil))
}

// applyFlags stores a record made from flags as a document would, and prints
// it.
func applyFlags(ctx context.Context, e *cli.Env, list string, flags *noun.Flags, item wire.Value, tell func(*originsql.Store) error) error {
	source, err := SourceOf(wire.M(list, wire.Array(item)))
	if err == nil {
		err = ApplySources(ctx, e, []registry.Source{source}, nil, func(*registry.Plan) error { return e.WithStore(ctx, tell) })
	}
	return noun.Faults(err, noun.Part{At: "/" + list + "/0", Flags: flags})
}

// holderCommand returns the commands for organizations to which secrets are
// issued. what and whatSecrets complete "Manage …" in the help. addSecrets adds
// the secrets of an organization to its row of the list.
func holderCommand[T, S any](e *cli.Env, holder *noun.Description[T], secret *noun.Description[S], what, listed string,
	addSecrets func(context.Context, *originsql.Store, map[string]any, *T) error, add, issue *cobra.Command, whatSecrets string) *cobra.Command {
	secrets := &cobra.Command{Use: secret.Word, Short: "Manage " + whatSecrets}
	secrets.AddCommand(issue, StateCommand(e, secret, "revoke"), StateCommand(e, secret, "suspend"), StateCommand(e, secret, "resume"))
	list := &cobra.Command{
		Use: "list", Short: listed, Args: cli.ExactArgs(),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			holders, err := holder.All(store, cmd.Context())
			if err != nil {
				return err
			}
			rows := holder.Rows(holders)
			for i := range holders {
				if err := addSecrets(cmd.Context(), store, rows[i], &holders[i]); err != nil {
					return err
				}
			}
			return e.PrintTable(&holder.Table, rows)
		}),
	}
	cmd := &cobra.Command{Use: holder.Word, Short: "Manage " + what}
	cmd.AddCommand(add, secrets, StateCommand(e, holder, "suspend"), StateCommand(e, holder, "resume"), list)
	return cmd
}

// addHolder returns the command that adds an organization to which keys or
// credentials are issued, with a new id, and prints the next step.
func addHolder[T any](e *cli.Env, n *noun.Description[T], flags *noun.Flags, list, prefix, next, short, example string) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add NAME", Short: short, Args: cli.ExactArgs("NAME"), Example: example,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := cli.NewInquiryService(nil).NewID(prefix)
			if err != nil {
				return err
			}
			item := flags.Value(cmd, wire.M("id", wire.String(id)), wire.M("name", wire.String(args[0])))
			return applyFlags(cmd.Context(), e, list, flags, item, func(store *originsql.Store) error {
				x, err := n.Get(cmd.Context(), store, id)
				if err != nil {
					return err
				}
				e.PrintNext(next, id, e.Path)
				return e.PrintResult(n.Row(&x), func(w io.Writer) { fmt.Fprintln(w, id) })
			})
		},
	}
	flags.AddTo(cmd)
	return cmd
}

// issueCommand returns the command that issues a secret to an organization,
// which is shown once.
func issueCommand[T any](e *cli.Env, n *noun.Description[T], use, long, label string, issue func(context.Context, *originsql.Store, string, inquiry.IssueOptions) (origin.Credential, string, string, error)) *cobra.Command {
	var o issueOptions
	word, key, _ := strings.Cut(use, " ")
	cmd := &cobra.Command{
		Use: "issue " + n.Argument, Short: "Issue a " + word + "; its secret is shown once", Args: cli.ExactArgs(n.Argument), Long: long,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := n.Get(cmd.Context(), store, args[0]); err != nil {
					return err
				}
				c, id, secret, err := issue(cmd.Context(), store, args[0], inquiry.IssueOptions(o))
				if err != nil {
					return err
				}
				e.PrintNote("%s %s: keep the secret, it is shown only now", word, id)
				return e.PrintResult(map[string]any{key: id, "secret": secret, "expires_at": c.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, secret) })
			})
		},
	}
	o.addFlags(cmd, label)
	return cmd
}
