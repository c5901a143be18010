package publishers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/cli"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// siteChanges is how what one publisher states changed.
type siteChanges struct {
	SiteID  string        `json:"site_id"`
	Changes policyChanges `json:"changes"` // the newest first
}

// policyChanges are written in JSON as the published history has them.
type policyChanges = wire.Rows[exports.PolicyChange, *exports.PolicyChange]

// WatchCommand lists how what publishers state changed.
func WatchCommand(e *cli.Env) *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use: "watch [SITE_ID]", Short: "Show how publishers' channels and preferences changed",
		Long: "It lists the versions of each public publisher's policy, the newest first: the documents that were read differently, by\n" +
			"whom, and each use with its verdict before and after. Who changed a document is unknown unless it tells: a CDN marks its\n" +
			"lines of robots.txt, and a publisher's own file is the publisher's. It reaches no network: \"colophon refresh\" and\n" +
			"\"colophon import\" read the sites. A webhook is told of each change (policy.changed).",
		Example: "  colophon watch --since 2026-11-01T00:00:00Z\n  colophon watch harbor-ledger --json",
		Args:    cli.OptionalArg("SITE_ID"),
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			if err := cli.ToUTC("--since", &since); err != nil {
				return err
			}
			list, err := readChanges(cmd.Context(), store, args, since)
			if err != nil {
				return err
			}
			return e.PrintResult(list, func(w io.Writer) {
				for _, s := range list {
					fmt.Fprintln(w, s.SiteID)
					printChanges(w, s.Changes)
				}
			})
		}),
	}
	cmd.Flags().StringVar(&since, "since", "", "only changes from this instant on")
	return cmd
}

// readChanges reads those of one publisher, or of all that changed.
func readChanges(ctx context.Context, store *originsql.Store, ids []string, since string) ([]siteChanges, error) {
	all := len(ids) == 0
	if all {
		sites, err := store.Sites(ctx)
		if err != nil {
			return nil, err
		}
		for _, s := range sites {
			ids = append(ids, s.SiteID)
		}
	}
	out := []siteChanges{}
	for _, id := range ids {
		changes, err := snapshot.PolicyChanges(ctx, store, id)
		if errors.Is(err, origin.ErrNotFound) {
			return nil, cli.SiteNoun.Missing(id)
		}
		if err != nil {
			return nil, err
		}
		changes = slices.DeleteFunc(changes, func(c exports.PolicyChange) bool { return c.From < since })
		slices.Reverse(changes)
		if len(changes) > 0 || !all {
			out = append(out, siteChanges{id, changes})
		}
	}
	return out, nil
}

// printChanges prints a line for each document and each use that changed.
func printChanges(w io.Writer, changes []exports.PolicyChange) {
	for _, c := range changes {
		fmt.Fprintf(w, "  version %d    since %s\n", c.Version, c.From)
		for _, d := range c.Channels {
			fmt.Fprintf(w, "  %-12s %s: %s, by %s\n", d.Channel, urlkey.Display(d.URL), d.Change, strings.Join(d.By, " and "))
		}
		for _, u := range c.Uses {
			fmt.Fprintf(w, "  %-12s %s before, %s now\n", u.Use, u.Before, u.After)
		}
	}
}
