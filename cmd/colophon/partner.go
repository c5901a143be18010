package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/inquiry"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

func partnerCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "partner", Short: "Manage partner organizations and their API keys"}
	key := &cobra.Command{Use: "key", Short: "Manage partners' API keys"}
	key.AddCommand(partnerKeyIssue(e), keyHolder.stateCommand(e, "revoke", "revoked"), keyHolder.stateCommand(e, "suspend", "suspended"), keyHolder.stateCommand(e, "resume", "active"))
	cmd.AddCommand(partnerAdd(e), key, partnerHolder.stateCommand(e, "suspend", "suspended"), partnerHolder.stateCommand(e, "resume", "active"), partnerList(e))
	return cmd
}

// onStore runs a command with the origin open.
func (e *env) onStore(run func(*cobra.Command, *originsql.Store, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return e.WithStore(cmd.Context(), func(store *originsql.Store) error { return run(cmd, store, args) })
	}
}

// newInquiryService is where the operator acts.
func newInquiryService(store *originsql.Store) inquiry.Service {
	return inquiry.Service{Store: store, Now: time.Now, Rand: rand.Reader}
}

func checkScopes(scopes []string) error {
	for _, s := range scopes {
		if !exports.OneOf(s, exports.PartnerScopes) {
			return usage.Errorf("--scope %q is not one of %s", s, strings.Join(exports.PartnerScopes, ", "))
		}
	}
	return nil
}

var partnerFlags = recordFlags{record: &registry.Partner{}, names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": "", "scopes": "scope"}}

func partnerAdd(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add NAME", Short: "Approve an organization", Args: exactArgs("NAME"),
		Example: "  colophon partner add \"Example Labs\" --scope catalog:read --scope licensing:intake --scope partner:status",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := newInquiryService(nil).NewID(exports.PrefixPartner)
			if err != nil {
				return err
			}
			item := partnerFlags.recordValue(cmd, wire.M("id", wire.String(id)), wire.M("name", wire.String(args[0])))
			return e.applyFlags(cmd.Context(), "partners", &partnerFlags, item, func(store *originsql.Store) error {
				p, err := store.Partner(cmd.Context(), id)
				if err != nil {
					return err
				}
				e.printNext("colophon partner key issue %s --dir %s", id, e.Path)
				return e.printResult(map[string]any{"org_id": id, "name": p.Name, "scopes": p.Scopes}, func(w io.Writer) { fmt.Fprintln(w, id) })
			})
		},
	}
	partnerFlags.addTo(cmd)
	return cmd
}

func partnerKeyIssue(e *env) *cobra.Command {
	var o issueOptions
	var scopes []string
	cmd := &cobra.Command{
		Use: "issue ORG_ID", Short: "Issue a key; its secret is shown once", Args: exactArgs("ORG_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(checkScopes(scopes), o.validate()); err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				if _, err := partnerHolder.findEntity(cmd.Context(), store, args[0]); err != nil {
					return err
				}
				k, secret, err := issuePartnerKey(cmd.Context(), store, args[0], scopes, o)
				if err != nil {
					return err
				}
				e.printNote("key %s: keep the secret, it is shown only now", k.KeyID)
				return e.printResult(map[string]any{"key_id": k.KeyID, "secret": secret, "expires_at": k.ExpiresAt}, func(w io.Writer) { fmt.Fprintln(w, secret) })
			})
		},
	}
	o.addFlags(cmd, "name of the key")
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "a part of the organization's scopes (default: all of them)")
	return cmd
}

func partnerList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List organizations and their keys", Args: exactArgs(),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			partners, err := store.Partners(cmd.Context())
			if err != nil {
				return err
			}
			rows, lines := []map[string]any{}, []string{}
			for _, p := range partners {
				keys, err := store.KeysOf(cmd.Context(), p.OrgID)
				if err != nil {
					return err
				}
				list := []map[string]any{}
				lines = append(lines, fmt.Sprintf("%s  %-9s  %s  [%s]", p.OrgID, p.State, p.Name, strings.Join(p.Scopes, " ")))
				for _, k := range keys {
					list = append(list, map[string]any{"key_id": k.KeyID, "label": k.Label, "last4": k.Last4, "environment": k.Environment, "state": k.State, "expires_at": k.ExpiresAt, "scopes": k.Scopes})
					lines = append(lines, fmt.Sprintf("  %s  %-9s  %s …%s  %s", k.KeyID, k.State, k.Environment, k.Last4, k.Label))
				}
				rows = append(rows, map[string]any{"org_id": p.OrgID, "name": p.Name, "state": p.State, "scopes": p.Scopes, "keys": list})
			}
			return e.printResult(rows, func(w io.Writer) { fmt.Fprintln(w, strings.Join(lines, "\n")) })
		}),
	}
}
