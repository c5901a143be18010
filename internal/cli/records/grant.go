package records

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// GrantCommand manages buyers' grants.
func GrantCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "grant", Short: "Manage buyers' grants",
		Long: "Enter a grant here after a contract was made elsewhere. It takes effect, and ends, at once.",
	}
	cmd.AddCommand(grantAdd(e), StateCommand(e, &GrantNoun, "revoke"), StateCommand(e, &GrantNoun, "suspend"), StateCommand(e, &GrantNoun, "resume"),
		grantSite(e, "join", true), grantSite(e, "leave", false), ListCommand(e, &GrantNoun, "List all grants"), showCommand(e, &GrantNoun, "Show one grant"))
	return cmd
}

var grantTable = noun.Table{Line: "{grant_id}  {state:9}  {type:10}  {sites}  {uses}[  until {valid_until}]  {buyer_id}"}

// GrantNoun describes buyers' grants.
var GrantNoun = noun.Description[origin.Grant]{
	Word: "grant", About: "a grant", Argument: "GRANT_ID", Key: "grant_id", Lister: "grant list",
	Find: (*originsql.Store).Grant, Put: (*originsql.Store).PutGrant, All: allGrants, Row: grantRow, Table: grantTable,
	Reason: true, SetState: setGrantState,
	Flags: noun.Flags{Record: &registry.Grant{}, Names: map[string]string{
		"content_formats": "content-format", "excludes": "exclude", "paths": "path", "sites": "site", "uses": "use", "valid_from": "from", "valid_until": "until",
		"buyer": "", "id": "", "kind": "", "reason": "", "state": "",
	}},
	At: "/grants/0", Given: true, Next: func(*origin.Grant, string) string { return "" },
}

func grantAdd(e *cli.Env) *cobra.Command {
	var enterprise bool
	cmd := &cobra.Command{
		Use: "add BUYER_ID", Short: "Grant a buyer the content of one or more sites", Args: cli.ExactArgs("BUYER_ID"),
		Example: "  colophon grant add byr_01j… --site harbor-ledger --use rag --use summarization --path '/shipping/*' --until 2027-06-30T00:00:00Z\n" +
			"  colophon grant add byr_01j… --enterprise --site harbor-ledger --site knooppunt --use rag",
		RunE: func(cmd *cobra.Command, args []string) error { return addGrant(e, cmd, args[0], enterprise) },
	}
	GrantNoun.AddTo(cmd)
	cmd.Flags().Lookup("use").Usage += " (default: rag)"
	cmd.Flags().BoolVar(&enterprise, "enterprise", false, "an enterprise licence, whose sites are participating publishers")
	return cmd
}

// addGrant stores a new grant, with a new id, as a document would.
func addGrant(e *cli.Env, cmd *cobra.Command, buyerID string, enterprise bool) error {
	ctx, kind, id := cmd.Context(), "direct", ""
	if enterprise {
		kind = "enterprise"
	}
	uses, err := usesOf(cmd)
	if err != nil {
		return err
	}
	err = e.WithStore(ctx, func(store *originsql.Store) (err error) {
		if _, err := BuyerNoun.Get(ctx, store, buyerID); err != nil {
			return err
		}
		sites, _ := cmd.Flags().GetStringSlice("site")
		for _, site := range sites {
			if _, err := cli.SiteNoun.Get(ctx, store, site); err != nil {
				return err
			}
		}
		id, err = cli.NewInquiryService(store).NewID(exports.PrefixGrant)
		return err
	})
	if err != nil {
		return err
	}
	return write(ctx, e, &GrantNoun, id, GrantNoun.Value(cmd, wire.M("id", wire.String(id)), wire.M("buyer", wire.String(buyerID)), wire.M("kind", wire.String(kind)), wire.M("uses", wire.Strings(uses...))))
}

// usesOf returns the uses of a grant in the words of documents.
func usesOf(cmd *cobra.Command) ([]string, error) {
	said, err := cmd.Flags().GetStringSlice("use")
	if err != nil || !cmd.Flags().Changed("use") {
		return []string{"rag"}, err
	}
	return cli.ParseUses(said)
}

func setGrantState(g *origin.Grant, state, reason, at string) error {
	if g.State != state {
		g.State, g.StateReason = state, reason
		g.StateAt, g.ChangedAt = at, at
	}
	return nil
}

func grantSite(e *cli.Env, verb string, covered bool) *cobra.Command {
	short := "Add a participating publisher to a grant"
	if !covered {
		short = "Take a participating publisher out of a grant at once"
	}
	return &cobra.Command{
		Use: verb + " GRANT_ID SITE_ID", Short: short, Args: cli.ExactArgs("GRANT_ID", "SITE_ID"),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			g, err := GrantNoun.Get(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			if _, err := cli.SiteNoun.Get(cmd.Context(), store, args[1]); err != nil {
				return err
			}
			if covered && g.Kind == "direct" && len(g.Sites) > 0 && !slices.Contains(g.Sites, args[1]) {
				return fmt.Errorf("grant %q is direct and covers %s already; add another grant", g.GrantID, g.Sites[0])
			}
			if err := store.SetGrantSite(cmd.Context(), g.GrantID, args[1], covered, cli.Now()); err != nil {
				return err
			}
			if g, err = store.Grant(cmd.Context(), g.GrantID); err != nil {
				return err
			}
			return e.PrintOne(&grantTable, grantRow(&g))
		}),
	}
}

// grantRow returns a grant as the operator sees it.
func grantRow(g *origin.Grant) map[string]any {
	row := noun.Row((*registry.Grant)(g), map[string]string{"id": "grant_id", "buyer": "buyer_id", "kind": "type", "license": "license_id"})
	row["state_at"], row["version"] = g.StateAt, g.Version
	return row
}

func allGrants(store *originsql.Store, ctx context.Context) ([]origin.Grant, error) {
	buyers, err := store.Buyers(ctx)
	var all []origin.Grant
	for i := 0; i < len(buyers) && err == nil; i++ {
		var grants []origin.Grant
		grants, err = store.GrantsOf(ctx, buyers[i].BuyerID)
		all = append(all, grants...)
	}
	return all, err
}
