package records

import (
	"context"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/credential"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
)

var (
	// BuyerNoun describes buyers of licensed content.
	BuyerNoun = noun.Description[origin.Buyer]{
		Word: "buyer", About: "the delivery to a buyer", Argument: "BUYER_ID", Key: "buyer_id", Lister: "buyer list",
		Find: (*originsql.Store).Buyer, Put: (*originsql.Store).PutBuyer, All: (*originsql.Store).Buyers, Add: addHeld,
		Row: func(b *origin.Buyer) map[string]any {
			return noun.Row((*registry.Buyer)(b), map[string]string{"id": "buyer_id"})
		},
		SetState: func(b *origin.Buyer, state, _, at string) error { return SetHeld(&b.State, &b.ChangedAt, state, at) },
		Table: noun.Table{Line: "{buyer_id}  {state:9}  {name}", Within: []noun.Within{
			{Member: "credentials", Table: noun.Table{Line: "{credential_id}  {state:9}  {environment} …{last4}  {label}"}}, {Member: "grants", Table: grantTable},
		}},
		Flags: noun.Flags{Record: &registry.Buyer{}, Names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": ""}},
		At:    "/buyers/0", Given: true,
		Next: func(b *origin.Buyer, dir string) string {
			return "colophon buyer credential issue " + b.BuyerID + " --dir " + dir + ", colophon grant add " + b.BuyerID + " --site SITE_ID --dir " + dir
		},
	}
	credentialNoun = noun.Description[origin.BuyerCredential]{
		Word: "credential", About: "a credential", Argument: "CREDENTIAL_ID", Key: "credential_id", Lister: "buyer list",
		Find: (*originsql.Store).Credential, Put: (*originsql.Store).PutCredential,
		SetState: func(c *origin.BuyerCredential, state, _, at string) error {
			return credential.SetState(&c.Credential, state, at)
		},
	}
	buyers = holders[origin.Buyer, origin.BuyerCredential]{
		noun: &BuyerNoun, secret: &credentialNoun, prefix: registry.PrefixBuyer, use: "what it is used for",
		texts: holderTexts{
			short: "Manage buyers of licensed content and their credentials", secrets: "Manage buyers' credentials",
			add: "Add a buyer", example: "  colophon buyer add \"Example Answers\"", list: "List buyers, their credentials and grants",
			issue: "A credential only names the buyer. What the buyer may have is decided by its grants, item by item.",
		},
		issue: func(ctx context.Context, store *originsql.Store, buyerID string, _ []string, o inquiry.IssueOptions) (origin.Credential, string, string, error) {
			return cli.NewInquiryService(nil).IssueBuyerCredential(ctx, store, buyerID, o)
		},
	}
)

// BuyerCommand manages buyers and their credentials.
func BuyerCommand(e *cli.Env) *cobra.Command { return buyers.command(e) }

// addHeld adds to the row of a buyer what it holds.
func addHeld(ctx context.Context, store *originsql.Store, row map[string]any, b *origin.Buyer) error {
	credentials, err := store.CredentialsOf(ctx, b.BuyerID)
	if err != nil {
		return err
	}
	grants, err := store.GrantsOf(ctx, b.BuyerID)
	list := []map[string]any{}
	for i := range credentials {
		list = append(list, secretRow("credential_id", credentials[i].CredentialID, credentials[i].Credential, credentials[i].Last4, credentials[i].Environment))
	}
	row["credentials"], row["grants"] = list, GrantNoun.Rows(grants)
	return err
}
