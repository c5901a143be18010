package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/originsql"
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

// grantFlags are what grant add is told.
type grantFlags struct {
	origin.Grant
	sites []string
	uses  []string
}

func grantAdd(e *env) *cobra.Command {
	f := grantFlags{Grant: origin.Grant{State: "active", DeleteHours: 72}}
	cmd := &cobra.Command{
		Use: "add BUYER_ID", Short: "Grant a buyer the content of one or more sites", Args: exactArgs("BUYER_ID"),
		Example: "  colophon grant add byr_01j… --site harbor-ledger --use rag --use summarization --path '/shipping/*' --until 2027-06-30T00:00:00Z\n" +
			"  colophon grant add byr_01j… --enterprise --site harbor-ledger --site knooppunt --use rag",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("enterprise") {
				f.Kind = "enterprise"
			} else {
				f.Kind = "direct"
			}
			if err := f.validate(); err != nil {
				return err
			}
			return e.withStore(cmd.Context(), func(store *originsql.Store) error { return e.addGrant(cmd.Context(), store, args[0], &f) })
		},
	}
	flags := cmd.Flags()
	flags.Bool("enterprise", false, "an enterprise licence, whose sites are participating publishers")
	flags.StringSliceVar(&f.sites, "site", nil, "site that it covers; may be repeated")
	flags.StringSliceVar(&f.uses, "use", []string{"rag"}, "use that it covers; may be repeated")
	flags.StringSliceVar(&f.Paths, "path", nil, "path pattern that it covers (default: all)")
	flags.StringSliceVar(&f.Excludes, "exclude", nil, "path pattern that it leaves out")
	flags.StringSliceVar(&f.ContentFormats, "content-format", nil, "content format that it covers (default: all)")
	flags.StringVar(&f.PublishedAfter, "published-after", "", "only pages published at or after this instant")
	flags.StringVar(&f.PublishedBefore, "published-before", "", "only pages published before this instant")
	flags.StringVar(&f.ValidFrom, "from", "", "when it begins (default: now)")
	flags.StringVar(&f.ValidUntil, "until", "", "when it ends (default: open)")
	flags.StringVar(&f.Title, "title", "", "name of the licence, shown to the buyer")
	flags.StringVar(&f.LicenseID, "license", "", "offer that it came from (lic_…)")
	flags.StringVar(&f.Attribution, "attribution", "", "link or name")
	flags.Int64Var(&f.DisplayLimit, "display-limit", 0, "characters that may be shown; 0 no limit")
	flags.Int64Var(&f.DeleteHours, "delete-hours", 72, "hours to delete after the right has ended")
	flags.StringVar(&f.Reporting, "reporting", "", "address that use is reported to")
	flags.StringVar(&f.Agreement, "agreement", "", "reference to the contract (private)")
	flags.StringVar(&f.PrivateNotes, "notes", "", "the operator's own notes (private)")
	return cmd
}

// validate refuses a grant that could not mean what was meant.
func (f *grantFlags) validate() error {
	if len(f.sites) == 0 {
		return usage("--site is needed: the site that the grant covers")
	}
	if f.Kind == "direct" && len(f.sites) > 1 {
		return usage("a direct grant covers one --site; use --enterprise for several")
	}
	f.Uses = nil
	for _, text := range f.uses {
		u, _, ok := exports.ParseUse(text)
		if !ok {
			return usage("--use %q is not one of %s", text, strings.Join(exports.UseWords(), ", "))
		}
		f.Uses = append(f.Uses, string(u))
	}
	for _, p := range append(append([]string{}, f.Paths...), f.Excludes...) {
		if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
			return usage("a path pattern begins with \"/\", not %q", p)
		}
	}
	for _, format := range f.ContentFormats {
		if !exports.OneOf(format, exports.ContentFormats) {
			return usage("--content-format %q is not one of %s", format, strings.Join(exports.ContentFormats, ", "))
		}
	}
	for name, text := range map[string]*string{"published-after": &f.PublishedAfter, "published-before": &f.PublishedBefore, "from": &f.ValidFrom, "until": &f.ValidUntil} {
		if err := toUTC("--"+name, text); err != nil {
			return err
		}
	}
	if f.Attribution != "" && f.Attribution != "link" && f.Attribution != "name" {
		return usage("--attribution %q is neither link nor name", f.Attribution)
	}
	if f.DeleteHours < 0 || f.DisplayLimit < 0 {
		return usage("hours and limits cannot be negative")
	}
	return nil
}

func (e *env) addGrant(ctx context.Context, store *originsql.Store, buyerID string, f *grantFlags) error {
	if _, err := buyerHolder.findEntity(ctx, store, buyerID); err != nil {
		return err
	}
	for _, id := range f.sites {
		if _, err := store.Site(ctx, id); errors.Is(err, origin.ErrNotFound) {
			return noPublisher(id)
		} else if err != nil {
			return err
		}
	}
	id, err := newInquiryService(store).NewID(exports.PrefixGrant)
	if err != nil {
		return err
	}
	g := f.Grant
	now := nowRFC3339()
	g.GrantID = id
	g.BuyerID = buyerID
	g.StateAt = now
	g.CreatedAt = now
	g.ChangedAt = now
	if g.ValidFrom == "" {
		g.ValidFrom = now
	}
	err = store.Atomically(ctx, func(store *originsql.Store) error { return writeGrant(ctx, store, g, f.sites) })
	if err != nil {
		return err
	}
	return e.printResult(map[string]any{"grant_id": id, "buyer_id": buyerID}, func(w io.Writer) { fmt.Fprintln(w, id) })
}

// writeGrant stores a grant and the sites it covers. Without sites it covers
// nothing, so a call that was cut short grants too little and not too much.
func writeGrant(ctx context.Context, store origin.Buyers, g origin.Grant, sites []string) error {
	if err := store.PutGrant(ctx, g); err != nil {
		return err
	}
	for _, id := range sites {
		if err := store.SetGrantSite(ctx, g.GrantID, id, true, g.ChangedAt); err != nil {
			return err
		}
	}
	return nil
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
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
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
			})
		},
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
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				g, err := store.Grant(cmd.Context(), args[0])
				if err != nil {
					return noGrant(args[0], err)
				}
				if _, err := store.Site(cmd.Context(), args[1]); errors.Is(err, origin.ErrNotFound) {
					return noPublisher(args[1])
				} else if err != nil {
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
			})
		},
	}
}

// grantRow is a grant as the operator sees it.
func grantRow(g origin.Grant) map[string]any {
	return map[string]any{
		"grant_id": g.GrantID, "buyer_id": g.BuyerID, "type": g.Kind, "state": g.State, "state_at": g.StateAt, "uses": g.Uses, "sites": g.Sites,
		"paths": g.Paths, "excludes": g.Excludes, "content_formats": g.ContentFormats, "published_after": g.PublishedAfter,
		"published_before": g.PublishedBefore, "valid_from": g.ValidFrom, "valid_until": g.ValidUntil, "title": g.Title, "license_id": g.LicenseID,
		"attribution": g.Attribution, "display_limit": g.DisplayLimit, "delete_hours": g.DeleteHours, "reporting": g.Reporting, "version": g.Version,
	}
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				buyers, err := store.Buyers(cmd.Context())
				if err != nil {
					return err
				}
				rows, all := []map[string]any{}, []origin.Grant{}
				for _, b := range buyers {
					grants, err := store.GrantsOf(cmd.Context(), b.BuyerID)
					if err != nil {
						return err
					}
					for _, g := range grants {
						rows, all = append(rows, grantRow(g)), append(all, g)
					}
				}
				return e.printResult(rows, func(w io.Writer) {
					for _, g := range all {
						fmt.Fprintln(w, grantLine(g), g.BuyerID)
					}
				})
			})
		},
	}
}

func grantShow(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "show GRANT_ID", Short: "Show one grant", Args: exactArgs("GRANT_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), func(store *originsql.Store) error {
				g, err := store.Grant(cmd.Context(), args[0])
				if err != nil {
					return noGrant(args[0], err)
				}
				row := grantRow(g)
				return e.printResult(row, func(w io.Writer) {
					text, _ := jsonIndent(row)
					fmt.Fprintf(w, "%s", text)
				})
			})
		},
	}
}
