package records

import (
	"context"
	"slices"
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
	// PartnerNoun describes organizations that use the partner API.
	PartnerNoun = noun.Description[origin.Partner]{
		Word: "partner", About: "an organization with all its keys", Argument: "ORG_ID", Key: "org_id", Lister: "partner list",
		Find: (*originsql.Store).Partner, Put: (*originsql.Store).PutPartner, All: (*originsql.Store).Partners, Add: addKeys,
		Row: func(p *origin.Partner) map[string]any {
			return noun.Row((*registry.Partner)(p), map[string]string{"id": "org_id"})
		},
		SetState: func(p *origin.Partner, state, _, at string) error { return SetHeld(&p.State, &p.ChangedAt, state, at) },
		Table: noun.Table{Line: "{org_id}  {state:9}  {name}  [{scopes}]", Within: []noun.Within{
			{Member: "keys", Table: noun.Table{Line: "{key_id}  {state:9}  {environment} …{last4}  {label}"}},
		}},
		Flags: noun.Flags{Record: &registry.Partner{}, Names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": "", "scopes": "scope"}},
		At:    "/partners/0", Given: true,
		Next: func(p *origin.Partner, dir string) string {
			return "colophon partner key issue " + p.OrgID + " --dir " + dir
		},
	}
	partnerKeyNoun = noun.Description[origin.PartnerKey]{
		Word: "key", About: "a key", Argument: "KEY_ID", Key: "key_id", Lister: "partner list",
		Find: (*originsql.Store).PartnerKey, Put: (*originsql.Store).PutKey,
		SetState: func(k *origin.PartnerKey, state, _, at string) error {
			return credential.SetState(&k.Credential, state, at)
		},
	}
	partners = holders[origin.Partner, origin.PartnerKey]{
		noun: &PartnerNoun, secret: &partnerKeyNoun, prefix: exports.PrefixPartner, use: "name of the key", scopes: true, issue: issuePartnerKey,
		texts: holderTexts{
			short: "Manage partner organizations and their API keys", secrets: "Manage partners' API keys", list: "List organizations and their keys",
			add: "Approve an organization", example: "  colophon partner add \"Example Labs\" --scope catalog:read --scope licensing:intake --scope partner:status",
		},
	}
)

// PartnerCommand manages partner organizations and their keys.
func PartnerCommand(e *cli.Env) *cobra.Command { return partners.command(e) }

func issuePartnerKey(ctx context.Context, store *originsql.Store, orgID string, scopes []string, o inquiry.IssueOptions) (c origin.Credential, id, secret string, err error) {
	for _, s := range scopes {
		if !slices.Contains(exports.PartnerScopes, s) {
			return c, "", "", usage.Errorf("--scope %q is not one of %s", s, strings.Join(exports.PartnerScopes, ", "))
		}
	}
	return cli.NewInquiryService(nil).IssuePartnerKey(ctx, store, orgID, scopes, o)
}

// addKeys adds to the row of an organization its keys.
func addKeys(ctx context.Context, store *originsql.Store, row map[string]any, p *origin.Partner) error {
	keys, err := store.KeysOf(ctx, p.OrgID)
	list := []map[string]any{}
	for _, k := range keys {
		key := secretRow("key_id", k.KeyID, k.Credential, k.Last4, k.Environment)
		key["scopes"] = k.Scopes
		list = append(list, key)
	}
	row["keys"] = list
	return err
}
