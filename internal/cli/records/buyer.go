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
	buyerFlags = noun.Flags{Record: &registry.Buyer{}, Names: map[string]string{"contact_email": "email", "id": "", "name": "", "state": ""}}
	BuyerNoun  = noun.Description[origin.Buyer]{
		Word: "buyer", About: "the delivery to a buyer", Argument: "BUYER_ID", Key: "buyer_id", Lister: "buyer list",
		Find: (*originsql.Store).Buyer, Put: (*originsql.Store).PutBuyer, All: (*originsql.Store).Buyers,
		Row: func(b *origin.Buyer) map[string]any {
			return noun.Row((*registry.Buyer)(b), map[string]string{"id": "buyer_id"})
		},
		SetState: func(b *origin.Buyer, state, _, at string) error { return SetHeld(&b.State, &b.ChangedAt, state, at) },
		Table: noun.Table{Line: "{buyer_id}  {state:9}  {name}", Within: []noun.Within{
			{Member: "credentials", Table: noun.Table{Line: "{credential_id}  {state:9}  {environment} …{last4}  {label}"}}, {Member: "grants", Table: grantTable},
		}},
	}
	credentialNoun = noun.Description[origin.BuyerCredential]{
		Word: "credential", About: "a credential", Argument: "CREDENTIAL_ID", Key: "credential_id", Lister: "buyer list",
		Find: (*originsql.Store).Credential, Put: (*originsql.Store).PutCredential,
		SetState: func(c *origin.BuyerCredential, state, _, at string) error {
			return credential.SetState(&c.Credential, state, at)
		},
	}
)

// BuyerCommand manages buyers and their credentials.
func BuyerCommand(e *cli.Env) *cobra.Command {
	return holderCommand(e, &BuyerNoun, &credentialNoun, "buyers of licensed content and their credentials", "List buyers, their credentials and grants",
		func(ctx context.Context, store *originsql.Store, row map[string]any, b *origin.Buyer) error {
			return addHeld(ctx, store, row, b.BuyerID)
		},
		addHolder(e, &BuyerNoun, &buyerFlags, "buyers", registry.PrefixBuyer, "colophon buyer credential issue %[1]s --dir %[2]s, colophon grant add %[1]s --site SITE_ID --dir %[2]s",
			"Add a buyer", "  colophon buyer add \"Example Answers\""),
		issueCommand(e, &BuyerNoun, "credential credential_id", "A credential only names the buyer. What the buyer may have is decided by its grants, item by item.", "what it is used for", func(ctx context.Context, store *originsql.Store, buyerID string, o inquiry.IssueOptions) (origin.Credential, string, string, error) {
			return cli.NewInquiryService(nil).IssueBuyerCredential(ctx, store, buyerID, o)
		}), "buyers' credentials")
}

// addHeld adds to the row of a buyer what it holds.
func addHeld(ctx context.Context, store *originsql.Store, row map[string]any, buyerID string) error {
	credentials, err := store.CredentialsOf(ctx, buyerID)
	if err != nil {
		return err
	}
	grants, err := store.GrantsOf(ctx, buyerID)
	if err != nil {
		return err
	}
	list := []map[string]any{}
	for i := range credentials {
		list = append(list, secretRow("credential_id", credentials[i].CredentialID, credentials[i].Credential, credentials[i].Last4, credentials[i].Environment))
	}
	row["credentials"], row["grants"] = list, GrantNoun.Rows(grants)
	return nil
}

// secretRow returns a credential or a key as the operator sees it.
func secretRow(key, id string, c origin.Credential, last4, environment string) map[string]any {
	return map[string]any{key: id, "label": c.Label, "last4": last4, "environment": environment, "state": c.State, "expires_at": c.ExpiresAt}
}
