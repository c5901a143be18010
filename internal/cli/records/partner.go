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
	return holderCommand(e, &PartnerNoun, &partnerKeyNoun, "partner organizations and their API keys", "List organizations and their keys", addKeys,
		addHolder(e, &PartnerNoun, &partnerFlags, "partners", exports.PrefixPartner, "colophon partner key issue %s --dir %s",
			"Approve an organization", "  colophon partner add \"Example Labs\" --scope catalog:read --scope licensing:intake --scope partner:status"),
		partnerKeyIssue(e), "partners' API keys")
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

// addKeys adds to the row of an organization its keys.
func addKeys(ctx context.Context, store *originsql.Store, row map[string]any, p *origin.Partner) error {
	keys, err := store.KeysOf(ctx, p.OrgID)
	if err != nil {
		return err
	}
	list := []map[string]any{}
	for _, k := range keys {
		key := secretRow("key_id", k.KeyID, k.Credential, k.Last4, k.Environment)
		key["scopes"] = k.Scopes
		list = append(list, key)
	}
	row["keys"] = list
	return nil
}
