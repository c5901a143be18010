package main

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
)

var (
	partnerFlags = noun.Flags{Record: &registry.Partner{}, Names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": "", "scopes": "scope"}}
	partnerNoun  = noun.Description[origin.Partner]{
		Word: "partner", About: "an organization with all its keys", Argument: "ORG_ID", Key: "org_id", Lister: "partner list",
		Find: (*originsql.Store).Partner, Put: (*originsql.Store).PutPartner, All: (*originsql.Store).Partners,
		Row: func(p *origin.Partner) map[string]any {
			return noun.Row((*registry.Partner)(p), map[string]string{"id": "org_id"})
		},
		SetState: func(p *origin.Partner, state, _, at string) error { return setHeld(&p.State, &p.ChangedAt, state, at) },
		Table: noun.Table{Line: "{org_id}  {state:9}  {name}  [{scopes}]", Within: []noun.Within{
			{Member: "keys", Table: noun.Table{Line: "{key_id}  {state:9}  {environment} …{last4}  {label}"}},
		}},
	}
	partnerKeyNoun = noun.Description[origin.PartnerKey]{
		Word: "key", About: "a key", Argument: "KEY_ID", Key: "key_id", Lister: "partner list",
		Find: (*originsql.Store).PartnerKey, Put: (*originsql.Store).PutKey,
		SetState: func(k *origin.PartnerKey, state, _, at string) error {
			return inquiry.SetCredentialState(&k.Credential, state, at)
		},
	}
)

func partnerCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "partner", Short: "Manage partner organizations and their API keys"}
	key := &cobra.Command{Use: "key", Short: "Manage partners' API keys"}
	key.AddCommand(partnerKeyIssue(e), stateCommand(e, &partnerKeyNoun, "revoke", "revoked"), stateCommand(e, &partnerKeyNoun, "suspend", "suspended"), stateCommand(e, &partnerKeyNoun, "resume", "active"))
	cmd.AddCommand(
		addHolder(e, &partnerNoun, &partnerFlags, "partners", exports.PrefixPartner, "colophon partner key issue %s --dir %s",
			"Approve an organization", "  colophon partner add \"Example Labs\" --scope catalog:read --scope licensing:intake --scope partner:status"),
		key, stateCommand(e, &partnerNoun, "suspend", "suspended"), stateCommand(e, &partnerNoun, "resume", "active"), partnerList(e))
	return cmd
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

func partnerKeyIssue(e *env) *cobra.Command {
	var scopes []string
	cmd := issueCommand(e, &partnerNoun, "key key_id", "", "name of the key", func(ctx context.Context, store *originsql.Store, orgID string, o inquiry.IssueOptions) (c origin.Credential, id, secret string, err error) {
		if err := checkScopes(scopes); err != nil {
			return c, "", "", err
		}
		return newInquiryService(nil).IssuePartnerKey(ctx, store, orgID, scopes, o)
	})
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "a part of the organization's scopes (default: all of them)")
	return cmd
}

func partnerList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List organizations and their keys", Args: cli.ExactArgs(),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			partners, err := store.Partners(cmd.Context())
			if err != nil {
				return err
			}
			rows := partnerNoun.Rows(partners)
			for i := range partners {
				keys, err := store.KeysOf(cmd.Context(), partners[i].OrgID)
				if err != nil {
					return err
				}
				list := []map[string]any{}
				for _, k := range keys {
					row := secretRow("key_id", k.KeyID, k.Credential, k.Last4, k.Environment)
					row["scopes"] = k.Scopes
					list = append(list, row)
				}
				rows[i]["keys"] = list
			}
			return e.PrintTable(&partnerNoun.Table, rows)
		}),
	}
}
