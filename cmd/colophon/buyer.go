package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

const prefixCredential = "crd_"

func buyerCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "buyer", Short: "Manage buyers of licensed content and their credentials"}
	credential := &cobra.Command{Use: "credential", Short: "Manage buyers' credentials"}
	credential.AddCommand(credentialIssue(e), credentialHolder.stateCommand(e, "revoke", "revoked"), credentialHolder.stateCommand(e, "suspend", "suspended"), credentialHolder.stateCommand(e, "resume", "active"))
	cmd.AddCommand(buyerAdd(e), credential, buyerHolder.stateCommand(e, "suspend", "suspended"), buyerHolder.stateCommand(e, "resume", "active"), buyerList(e))
	return cmd
}

var buyerFlags = recordFlags{record: &registry.Buyer{}, names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": ""}}

func buyerAdd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add NAME", Short: "Add a buyer", Args: exactArgs("NAME"),
		Example: "  colophon buyer add \"Example Answers\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := newInquiryService(nil).NewID(registry.PrefixBuyer)
			if err != nil {
				return err
			}
			item := buyerFlags.recordValue(cmd, wire.M("id", wire.String(id)), wire.M("name", wire.String(args[0])))
			return e.applyFlags(cmd.Context(), "buyers", &buyerFlags, item, func(store *originsql.Store) error {
				b, err := store.Buyer(cmd.Context(), id)
				if err != nil {
					return err
				}
				e.printNext("colophon buyer credential issue %[1]s --dir %[2]s, colophon grant add %[1]s --site SITE_ID --dir %[2]s", id, e.Path)
				return e.printResult(map[string]any{"buyer_id": id, "name": b.Name}, func(w io.Writer) { fmt.Fprintln(w, id) })
			})
		},
	}
	buyerFlags.addTo(cmd)
	return cmd
}

func credentialIssue(e *env) *cobra.Command {
	var o issueOptions
	cmd := &cobra.Command{
		Use: "issue BUYER_ID", Short: "Issue a credential; its secret is shown once", Args: exactArgs("BUYER_ID"),
		Long: "A credential only names the buyer. What the buyer may have is decided by its grants, item by item.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := buyerHolder.findEntity(cmd.Context(), store, args[0]); err != nil {
					return err
				}
				c, secret, err := issueBuyerCredential(cmd.Context(), store, args[0], o)
				if err != nil {
					return err
				}
				e.printNote("credential %s: keep the secret, it is shown only now", c.CredentialID)
				return e.printResult(map[string]any{"credential_id": c.CredentialID, "secret": secret, "expires_at": c.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, secret) })
			})
		},
	}
	o.addFlags(cmd, "what it is used for")
	return cmd
}

func buyerList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List buyers, their credentials and grants", Args: exactArgs(),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			buyers, err := store.Buyers(cmd.Context())
			if err != nil {
				return err
			}
			rows, lines := []map[string]any{}, []string{}
			for _, b := range buyers {
				row, text, err := buyerRow(cmd.Context(), store, b)
				if err != nil {
					return err
				}
				rows, lines = append(rows, row), append(lines, text...)
			}
			return e.printResult(rows, func(w io.Writer) {
				for _, l := range lines {
					fmt.Fprintln(w, l)
				}
			})
		}),
	}
}

// buyerRow is a buyer as the operator sees it.
func buyerRow(ctx context.Context, store *originsql.Store, b origin.Buyer) (map[string]any, []string, error) {
	credentials, err := store.CredentialsOf(ctx, b.BuyerID)
	if err != nil {
		return nil, nil, err
	}
	grants, err := store.GrantsOf(ctx, b.BuyerID)
	if err != nil {
		return nil, nil, err
	}
	lines := []string{fmt.Sprintf("%s  %-9s  %s", b.BuyerID, b.State, b.Name)}
	list, held := []map[string]any{}, []map[string]any{}
	for _, c := range credentials {
		list = append(list, map[string]any{"credential_id": c.CredentialID, "label": c.Label, "last4": c.Last4, "environment": c.Environment, "state": c.State, "expires_at": c.ExpiresAt})
		lines = append(lines, fmt.Sprintf("  %s  %-9s  %s …%s  %s", c.CredentialID, c.State, c.Environment, c.Last4, c.Label))
	}
	for _, g := range grants {
		held = append(held, grantRow(g))
		lines = append(lines, "  "+grantLine(g))
	}
	return map[string]any{"buyer_id": b.BuyerID, "name": b.Name, "state": b.State, "credentials": list, "grants": held}, lines, nil
}
