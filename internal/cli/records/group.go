package records

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/enrol"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/registry"
	"colophon/internal/wire"
)

// GroupCommand manages groups of sites.
func GroupCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "group", Short: "Manage groups of sites",
		Long: "A group is an organization with a public name. The map lists its sites below it, and they share one inbox. In documents for\n" +
			"\"colophon apply\" they take their organization's preferences and rights holder where they state none of their own.\n" +
			"A site whose file names its parent company's file (\"policy_of\") joins by itself when that file lists it in return.",
	}
	cmd.AddCommand(groupSet(e), ListCommand(e, &GroupNoun, "List all groups"), showCommand(e, &GroupNoun, "Show a group with its sites"), groupJoin(e), groupLeave(e), groupInboxLink(e))
	return cmd
}

// GroupNoun describes groups of sites.
var GroupNoun = noun.Description[origin.Publisher]{
	Word: "group", Argument: "GROUP_ID", Key: "group_id", Lister: "group list", Find: findGroup, All: (*originsql.Store).Groups,
	Row: func(p *origin.Publisher) map[string]any {
		return map[string]any{"group_id": p.PublisherID, "name": p.GroupName, "legal_name": p.LegalName}
	},
	Add:   addSites,
	Table: noun.Table{Line: "{group_id:28} {name}", Within: []noun.Within{{Member: "sites", Table: cli.SiteNoun.Table}}},
	Flags: noun.Flags{Record: &registry.Organization{}, Names: map[string]string{
		"group_name": "name", "contact_name": "", "id": "", "notes": "", "preferences": "", "rights_holder": "",
	}},
	At: "/organizations/0",
}

// findGroup reads an account that is a group.
func findGroup(store *originsql.Store, ctx context.Context, id string) (origin.Publisher, error) {
	account, err := store.Publisher(ctx, id)
	if err == nil && account.GroupName == "" {
		err = fmt.Errorf("there is no group %q; \"colophon group set\" makes one of an organization", id)
	}
	return account, err
}

// addSites adds to the row of a group its sites.
func addSites(ctx context.Context, store *originsql.Store, row map[string]any, account *origin.Publisher) error {
	sites, err := store.SitesOfPublisher(ctx, account.PublisherID)
	row["sites"] = cli.SiteNoun.Rows(sites)
	return err
}

func groupSet(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "set GROUP_ID", Short: "Make an organization a group, or rename it", Args: cli.ExactArgs("GROUP_ID"),
		Long:    "GROUP_ID is the id of an organization and begins with \"pub_\"; an unknown id makes a new one. --name \"\" ends the group.",
		Example: "  colophon group set pub_tideway-press --name \"Tideway Press\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, id := cmd.Context(), args[0]
			members := []wire.Member{wire.M("id", wire.String(id))}
			err := e.WithStore(ctx, func(store *originsql.Store) error {
				_, err := store.Publisher(ctx, id)
				if !errors.Is(err, origin.ErrNotFound) {
					return err
				}
				if name := cmd.Flags().Lookup("name"); !cmd.Flags().Changed("legal-name") {
					members = append(members, wire.M("legal_name", wire.String(name.Value.String())))
				}
				return nil
			})
			if err != nil {
				return err
			}
			return applyItem(ctx, e, GroupNoun.At, &GroupNoun.Flags, GroupNoun.Value(cmd, members...), func(store *originsql.Store) error {
				account, err := store.Publisher(ctx, id) // which is no group any more if it lost its name
				if err != nil {
					return err
				}
				row, err := GroupNoun.Describe(ctx, store, &account)
				if err != nil {
					return err
				}
				return e.PrintOne(&GroupNoun.Table, row)
			})
		},
	}
	GroupNoun.AddTo(cmd)
	return cmd
}

func groupJoin(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "join GROUP_ID SITE_ID", Short: "Put a site into a group", Args: cli.ExactArgs("GROUP_ID", "SITE_ID"),
		Example: "  colophon group join pub_tideway-press harbor-ledger",
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeGroup(cmd.Context(), e, args[1], func(store *originsql.Store, s origin.Site) (origin.Site, error) {
				account, err := GroupNoun.Get(cmd.Context(), store, args[0])
				if err != nil {
					return s, err
				}
				return enrol.JoinGroup(cmd.Context(), store, s, account.PublisherID, cli.Now())
			})
		},
	}
}

func groupLeave(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "leave SITE_ID", Short: "Take a site out of its group", Args: cli.ExactArgs("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeGroup(cmd.Context(), e, args[0], func(store *originsql.Store, s origin.Site) (origin.Site, error) {
				return enrol.LeaveGroup(cmd.Context(), store, s, cli.Now())
			})
		},
	}
}

// changeGroup changes the account of a site.
func changeGroup(ctx context.Context, e *cli.Env, siteID string, change func(*originsql.Store, origin.Site) (origin.Site, error)) error {
	return e.WithStore(ctx, func(store *originsql.Store) error {
		s, err := cli.SiteNoun.Get(ctx, store, siteID)
		if err != nil {
			return err
		}
		if s, err = change(store, s); err != nil {
			return err
		}
		e.PrintNext("colophon build --dir %s", e.Path)
		row := cli.SiteRow(&s)
		row["publisher_id"] = s.PublisherID
		return e.PrintResult(row, func(w io.Writer) { fmt.Fprintf(w, "%s belongs to %s\n", s.SiteID, s.PublisherID) })
	})
}

func groupInboxLink(e *cli.Env) *cobra.Command {
	return inboxLinkCommand(e, "GROUP_ID", "Create a link to a group's shared inbox, shown once", func(ctx context.Context, store *originsql.Store, id string) (o inboxOwner, err error) {
		account, err := GroupNoun.Get(ctx, store, id)
		if err != nil {
			return o, err
		}
		sites, err := store.SitesOfPublisher(ctx, id)
		if err == nil && len(sites) == 0 {
			err = fmt.Errorf("group %q has no site yet; \"colophon group join\" puts one into it", id)
		}
		if err != nil {
			return o, err
		}
		o.siteID, o.publisherID = sites[0].SiteID, account.PublisherID
		o.links, err = store.LinksOfGroup(ctx, id)
		return o, err
	})
}
