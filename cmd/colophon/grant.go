package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

func grantCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "grant", Short: "Manage buyers' grants",
		Long: "Enter a grant here after a contract was made elsewhere. It takes effect, and ends, at once.",
	}
	cmd.AddCommand(grantAdd(e), grantState(e, "revoke", "revoked"), grantState(e, "suspend", "suspended"), grantState(e, "resume", "active"),
		grantSite(e, "join", true), grantSite(e, "leave", false), grantList(e), grantShow(e))
	return cmd
}

var grantFlags = recordFlags{record: &registry.Grant{}, names: map[string]string{
	"content_formats": "content-format", "excludes": "exclude", "paths": "path", "sites": "site", "uses": "use", "valid_from": "from", "valid_until": "until",
	"buyer": "", "id": "", "kind": "", "reason": "", "state": "",
}}

func grantAdd(e *env) *cobra.Command {
	var enterprise bool
	cmd := &cobra.Command{
		Use: "add BUYER_ID", Short: "Grant a buyer the content of one or more sites", Args: exactArgs("BUYER_ID"),
		Example: "  colophon grant add byr_01j… --site harbor-ledger --use rag --use summarization --path '/shipping/*' --until 2027-06-30T00:00:00Z\n" +
			"  colophon grant add byr_01j… --enterprise --site harbor-ledger --site knooppunt --use rag",
		RunE: func(cmd *cobra.Command, args []string) error { return e.addGrant(cmd, args[0], enterprise) },
	}
	grantFlags.addTo(cmd)
	cmd.Flags().Lookup("use").Usage += " (default: rag)"
	cmd.Flags().BoolVar(&enterprise, "enterprise", false, "an enterprise licence, whose sites are participating publishers")
	return cmd
}

// addGrant writes a grant with an id of its own as a document would.
func (e *env) addGrant(cmd *cobra.Command, buyerID string, enterprise bool) error {
	ctx, kind, id := cmd.Context(), "direct", ""
	if enterprise {
		kind = "enterprise"
	}
	uses, err := usesOf(cmd)
	if err != nil {
		return err
	}
	err = e.WithStore(ctx, func(store *originsql.Store) (err error) {
		if _, err := buyerHolder.findEntity(ctx, store, buyerID); err != nil {
			return err
		}
		sites, _ := cmd.Flags().GetStringSlice("site")
		for _, site := range sites {
			if _, err := findSite(ctx, store, site); err != nil {
				return err
			}
		}
		id, err = newInquiryService(store).NewID(exports.PrefixGrant)
		return err
	})
	if err != nil {
		return err
	}
	item := grantFlags.recordValue(cmd, wire.M("id", wire.String(id)), wire.M("buyer", wire.String(buyerID)), wire.M("kind", wire.String(kind)), wire.M("uses", wire.Strings(uses...)))
	return e.applyFlags(ctx, "grants", &grantFlags, item, func(*originsql.Store) error {
		return e.printResult(map[string]any{"grant_id": id, "buyer_id": buyerID}, func(w io.Writer) { fmt.Fprintln(w, id) })
	})
}

// usesOf are the uses of a grant in the words of documents.
func usesOf(cmd *cobra.Command) ([]string, error) {
	said, err := cmd.Flags().GetStringSlice("use")
	if err != nil || !cmd.Flags().Changed("use") {
		return []string{"rag"}, err
	}
	var uses []string
	for _, text := range said {
		use, _, known := exports.ParseUse(text)
		if !known {
			return nil, usage.Errorf("--use %q is not one of %s", text, strings.Join(exports.UseWords(), ", "))
		}
		uses = append(uses, string(use))
	}
	return uses, nil
}

func noGrant(id string, err error) error {
	if errors.Is(err, origin.ErrNotFound) {
		return fmt.Errorf("there is no grant %q; \"colophon grant list\" shows them", id)
	}
	return err
}

func grantState(e *env, verb, state string) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: verb + " GRANT_ID", Short: strings.ToUpper(verb[:1]) + verb[1:] + " a grant at once", Args: exactArgs("GRANT_ID"),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			g, err := store.Grant(cmd.Context(), args[0])
			if err != nil {
				return noGrant(args[0], err)
			}
			if g.State != state {
				g.State = state
				g.StateAt = nowRFC3339()
				g.StateReason = reason
				g.ChangedAt = nowRFC3339()
			}
			if err := store.PutGrant(cmd.Context(), g); err != nil {
				return err
			}
			return e.printResult(grantRow(g), func(w io.Writer) { fmt.Fprintln(w, g.GrantID, g.State) })
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why (private)")
	return cmd
}

func grantSite(e *env, verb string, covered bool) *cobra.Command {
	short := "Add a participating publisher to a grant"
	if !covered {
		short = "Take a participating publisher out of a grant at once"
	}
	return &cobra.Command{
		Use: verb + " GRANT_ID SITE_ID", Short: short, Args: exactArgs("GRANT_ID", "SITE_ID"),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			g, err := store.Grant(cmd.Context(), args[0])
			if err != nil {
				return noGrant(args[0], err)
			}
			if _, err := findSite(cmd.Context(), store, args[1]); err != nil {
				return err
			}
			if covered && g.Kind == "direct" && len(g.Sites) > 0 && !exports.OneOf(args[1], g.Sites) {
				return fmt.Errorf("grant %q is direct and covers %s already; add another grant", g.GrantID, g.Sites[0])
			}
			if err := store.SetGrantSite(cmd.Context(), g.GrantID, args[1], covered, nowRFC3339()); err != nil {
				return err
			}
			if g, err = store.Grant(cmd.Context(), g.GrantID); err != nil {
				return err
			}
			return e.printResult(grantRow(g), func(w io.Writer) { fmt.Fprintln(w, grantLine(g)) })
		}),
	}
}

// grantRow is a grant as the operator sees it.
func grantRow(g origin.Grant) map[string]any {
	row := rowOf((*registry.Grant)(&g))
	for from, to := range map[string]string{"id": "grant_id", "buyer": "buyer_id", "kind": "type", "license": "license_id"} {
		row[to] = row[from]
		delete(row, from)
	}
	row["state_at"], row["version"] = g.StateAt, g.Version
	return row
}

func grantLine(g origin.Grant) string {
	until := "open"
	if g.ValidUntil != "" {
		until = g.ValidUntil
	}
	return fmt.Sprintf("%s  %-9s  %-10s  %s  %s  until %s", g.GrantID, g.State, g.Kind, strings.Join(g.Sites, ","), strings.Join(g.Uses, ","), until)
}

func grantList(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all grants", Args: exactArgs(),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, _ []string) error {
			buyers, err := store.Buyers(cmd.Context())
			if err != nil {
				return err
			}
			var all []origin.Grant
			for _, b := range buyers {
				grants, err := store.GrantsOf(cmd.Context(), b.BuyerID)
				if err != nil {
					return err
				}
				all = append(all, grants...)
			}
			return printRows(e, all, func(g *origin.Grant) map[string]any { return grantRow(*g) }, func(g *origin.Grant) string { return grantLine(*g) + " " + g.BuyerID })
		}),
	}
}

func grantShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "show GRANT_ID", Short: "Show one grant", Args: exactArgs("GRANT_ID"),
		RunE: e.onStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			g, err := store.Grant(cmd.Context(), args[0])
			if err != nil {
				return noGrant(args[0], err)
			}
			return e.printRow(grantRow(g))
		}),
	}
}
