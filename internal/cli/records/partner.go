package records

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
)

var (
	partnerFlags = noun.Flags{Record: &registry.Partner{}, Names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": "", "scopes": "scope"}}
	PartnerNoun  = noun.Description[origin.Partner]{
		Word: "partner", About: "an organization with all its keys", Argument: "ORG_ID", Key: "org_id", Lister: "partner list",
		Find: (*originsql.Store).Partner, Put: (*originsql.Store).PutPartner, All: (*originsql.Store).Partners,
		Row: func(p *origin.Partner) map[string]any {
			return noun.Row((*registry.Partner)(p), map[string]string{"id": "org_id"})
		},
		SetState: func(p *origin.Partner, state, _, at string) error { return SetHeld(&p.State, &p.ChangedAt, state, at) },
		Table: noun.Table{Line: "{org_id}  {state:9}  {name}  [{scopes}]", Within: []noun.Within{
			{Member: "keys", Table: noun.Table{Line: "{key_id}  {state:9}  {environment} …{last4}  {label}"}},
		}},
	}
	partnerKeyNoun = noun.Description[origin.PartnerKey]{
		Word: "key", About: "a key", Argument: "KEY_ID", Key: "key_id", Lister: "partner list",
		Find: (*originsql.Store).PartnerKey, Put: (*originsql.Store).PutKey,
		SetState: func(k *origin.PartnerKey, state, _, at string) error {
			return credential.SetState(&k.Credential, state, at)
		},
	}
)

// PartnerCommand manages partner organizations and their keys.
func PartnerCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "partner", Short: "Manage partner organizations and their API keys"}
	key := &cobra.Command{Use: "key", Short: "Manage partners' API keys"}
	key.AddCommand(partnerKeyIssue(e), StateCommand(e, &partnerKeyNoun, "revoke"), StateCommand(e, &partnerKeyNoun, "suspend"), StateCommand(e, &partnerKeyNoun, "resume"))
	cmd.AddCommand(
		addHolder(e, &PartnerNoun, &partnerFlags, "partners", exports.PrefixPartner, "colophon partner key issue %s --dir %s",
			"Approve an organization", "  colophon partner add \"Example Labs\" --scope catalog:read --scope licensing:intake --scope partner:status"),
		key, StateCommand(e, &PartnerNoun, "suspend"), StateCommand(e, &PartnerNoun, "resume"), partnerList(e))
	return cmd
}

func checkScopes(scopes []string) error {
	for _, s := range scopes {
		if !exports.OneOf(s, exports.PartnerScopes) {
			return usage.Errorf("--scope %q is not one of %s", s, strings.Join(exports.PartnerScopes, ", "))
		}
	}
	return nil
}

func partnerKeyIssue(e *cli.Env) *cobra.Command {
	var scopes []string
	cmd := issueCommand(e, &PartnerNoun, "key key_id", "", "name of the key", func(ctx context.Context, store *originsql.Store, orgID string, o inquiry.IssueOptions) (c origin.Credential, id, secret string, err error) {
		if err := checkScopes(scopes); err != nil {
			return c, "", "", err
		}
		return cli.NewInquiryService(nil).IssuePartnerKey(ctx, store, orgID, scopes, o)
	})
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "a part of the organization's scopes (default: all of them)")
	return cmd
}

func partnerList(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List organizations and their keys", Args: cli.ExactArgs(),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			partners, err := store.Partners(cmd.Context())
			if err != nil {
				return err
			}
			rows := PartnerNoun.Rows(partners)
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
			return e.PrintTable(&PartnerNoun.Table, rows)
		}),
	}
}
