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
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// SetHeld sets the state of an organization to active or suspended.
func SetHeld(state, changedAt *string, to, at string) error {
	*state, *changedAt = to, at
	return nil
}

// ListCommand lists all records of a kind, or those of one publisher.
func ListCommand[T any](e *cli.Env, n *noun.Description[T], short string) *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: "list", Short: short, Args: cli.ExactArgs(), Long: short + ".\n" + n.Legend(),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			list, err := listOf(cmd.Context(), store, n, site)
			if err != nil {
				return err
			}
			rows := make([]map[string]any, len(list))
			for i := range list {
				if rows[i], err = n.Describe(cmd.Context(), store, &list[i]); err != nil {
					return err
				}
			}
			return e.PrintTable(&n.Table, rows)
		}),
	}
	if n.Of != nil {
		cmd.Flags().StringVar(&site, "site", "", "only those of this publisher")
		cmd.Example = "  colophon " + n.Lister + " --site harbor-ledger"
	}
	return cmd
}

func listOf[T any](ctx context.Context, store *originsql.Store, n *noun.Description[T], site string) ([]T, error) {
	if site == "" {
		return n.All(store, ctx)
	}
	if _, err := cli.SiteNoun.Get(ctx, store, site); err != nil {
		return nil, err
	}
	return n.Of(store, ctx, site)
}

// showCommand shows all members of one record.
func showCommand[T any](e *cli.Env, n *noun.Description[T], short string) *cobra.Command {
	return &cobra.Command{
		Use: "show " + n.Argument, Short: short, Args: cli.ExactArgs(strings.Fields(n.Argument)...),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			x, err := n.Get(cmd.Context(), store, strings.Join(args, "/"))
			if err != nil {
				return err
			}
			row, err := n.Describe(cmd.Context(), store, &x)
			if err != nil {
				return err
			}
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

// changeCommand returns the command that changes one member of a record. check,
// if not nil, refuses a record that cannot be changed so.
func changeCommand[T any](e *cli.Env, n *noun.Description[T], verb, short, member, value string, check func(*T) error) *cobra.Command {
	return &cobra.Command{
		Use: verb + " " + n.Argument, Short: short, Args: cli.ExactArgs(strings.Fields(n.Argument)...),
		RunE: func(cmd *cobra.Command, args []string) error {
			var members []wire.Member
			id := strings.Join(args, "/")
			err := e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				x, err := n.Get(cmd.Context(), store, id)
				if err == nil && check != nil {
					err = check(&x)
				}
				members = n.Item(&x)
				return err
			})
			if err != nil {
				return err
			}
			return write(cmd.Context(), e, n, id, wire.Object(append(members, wire.M(member, wire.String(value)))...))
		},
	}
}

// write stores a record made from flags as a document would, and prints it.
func write[T any](ctx context.Context, e *cli.Env, n *noun.Description[T], id string, item wire.Value) error {
	if n.Wrap != nil {
		item = n.Wrap(id, item)
	}
	return applyItem(ctx, e, n.At, &n.Flags, item, func(store *originsql.Store) error {
		x, err := n.Get(ctx, store, id)
		if err != nil {
			return err
		}
		next := "colophon build --dir " + e.Path
		if n.Next != nil {
			next = n.Next(&x, e.Path)
		}
		if next != "" {
			e.PrintNext("%s", next)
		}
		row := n.Row(&x)
		return e.PrintResult(row, func(w io.Writer) {
			if n.Given {
				fmt.Fprintln(w, id)
				return
			}
			n.Print(w, row)
		})
	})
}

// applyItem applies a document of one record, which stands in its list at a
// pointer, and then calls tell.
func applyItem(ctx context.Context, e *cli.Env, at string, flags *noun.Flags, item wire.Value, tell func(*originsql.Store) error) error {
	list, _, _ := strings.Cut(at[1:], "/")
	source, err := SourceOf(wire.M(list, wire.Array(item)))
	if err == nil {
		err = ApplySources(ctx, e, []registry.Source{source}, nil, func(*registry.Plan) error { return e.WithStore(ctx, tell) })
	}
	return noun.Faults(err, noun.Part{At: at, Flags: flags})
}
