package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// setHeld sets the state of whoever may be let in or shut out.
func setHeld(state, changedAt *string, to, at string) error {
	*state, *changedAt = to, at
	return nil
}

// listCommand lists all records of a kind.
func listCommand[T any](e *env, n *noun.Description[T], short string) *cobra.Command {
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
func showCommand[T any](e *env, n *noun.Description[T], short string) *cobra.Command {
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

// stateCommand sets the state of a record at once. Revoked is for good.
func stateCommand[T any](e *env, n *noun.Description[T], verb, to string) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: verb + " " + n.Argument, Short: strings.ToUpper(verb[:1]) + verb[1:] + " " + n.About + " at once", Args: cli.ExactArgs(n.Argument),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			x, err := n.Get(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			if err := n.SetState(&x, to, reason, cli.Now()); errors.Is(err, inquiry.ErrRevoked) {
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

// completions complete the argument of a command by its name. They read the
// registry in the folder, unless it is of another version or is somewhere else.
func completions(e *env) map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		cli.SiteNoun.Argument: completeNoun(e, &cli.SiteNoun), groupNoun.Argument: completeNoun(e, &groupNoun), demandNoun.Argument: completeNoun(e, &demandNoun),
		grantNoun.Argument: completeNoun(e, &grantNoun), buyerNoun.Argument: completeNoun(e, &buyerNoun), partnerNoun.Argument: completeNoun(e, &partnerNoun),
		webhookNoun.Argument: completeNoun(e, &webhookNoun),
	}
}

func completeNoun[T any](e *env, n *noun.Description[T]) cobra.CompletionFunc {
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

// completeArguments has the arguments of a command, and --site, completed by what
// the registry holds.
func completeArguments(e *env, cmd *cobra.Command) {
	by := completions(e)
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

// sourceOf is a document with some lists.
func sourceOf(lists ...wire.Member) (registry.Source, error) {
	v := wire.Object(append(lists, wire.M("format", wire.String(registry.Format)))...)
	return registry.Read("the call", v.Append(nil))
}

// applyFlags writes a record that flags made as a document would, and tells it.
func (e *env) applyFlags(ctx context.Context, list string, flags *noun.Flags, item wire.Value, tell func(*originsql.Store) error) error {
	source, err := sourceOf(wire.M(list, wire.Array(item)))
	if err == nil {
		err = e.applySources(ctx, []registry.Source{source}, nil, func(*registry.Plan) error { return e.WithStore(ctx, tell) })
	}
	return noun.Faults(err, noun.Part{At: "/" + list + "/0", Flags: flags})
}

// addHolder adds an organization that keys or credentials are issued to, with an id
// of its own, and tells the next step.
func addHolder[T any](e *env, n *noun.Description[T], flags *noun.Flags, list, prefix, next, short, example string) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add NAME", Short: short, Args: cli.ExactArgs("NAME"), Example: example,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := newInquiryService(nil).NewID(prefix)
			if err != nil {
				return err
			}
			item := flags.Value(cmd, wire.M("id", wire.String(id)), wire.M("name", wire.String(args[0])))
			return e.applyFlags(cmd.Context(), list, flags, item, func(store *originsql.Store) error {
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

// issueCommand issues a secret to an organization, which is shown once.
func issueCommand[T any](e *env, n *noun.Description[T], use, long, label string, issue func(context.Context, *originsql.Store, string, inquiry.IssueOptions) (origin.Credential, string, string, error)) *cobra.Command {
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
