package publishers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
	"colophon/internal/wire"
)

// JoinCommand returns the commands that decide on sites that asked to be
// listed.
func JoinCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "join", Short: "Review sites that asked to be listed",
		Long: "People enter the address of their site at /join/. Nothing about it is public before you approve it. \"check\" reads the\n" +
			"sites from this machine, as an import does; \"approve\" adds the publisher by the file on its own domain.",
	}
	cmd.AddCommand(joinList(e), joinShow(e), joinCheck(e), joinApprove(e), joinDecline(e))
	return cmd
}

// MostJoins is how many requests to join a list has.
const MostJoins = 10_000

func joinRow(j *origin.Join) map[string]any {
	row := map[string]any{
		"looked": "not looked at", "join_id": j.JoinID, "host": j.Host, "state": j.State, "site_id": j.SiteID, "reason": j.Reason, "created_at": j.CreatedAt, "looked_at": j.LookedAt,
	}
	if f, ok := foundOf(j); ok {
		row["looked"] = "file " + f.File + ", control " + f.Control
		row["found"] = map[string]any{
			"address": f.Address, "file": f.File, "problem": f.Problem, "control": f.Control, "name": f.Name, "public": f.Public, "channels": f.Channels, "missing": f.Missing,
		}
	}
	return row
}

func foundOf(j *origin.Join) (f exports.JoinFound, ok bool) {
	ok = j.Found != "" && wire.Decode([]byte(j.Found), &f, wire.Trusted) == nil
	return f, ok
}

var joinTable = noun.Table{Line: "{join_id}  {state:8}  {host}  {looked}"}

func tellJoins(e *cli.Env, list []origin.Join) error {
	rows := []map[string]any{}
	for i := range list {
		rows = append(rows, joinRow(&list[i]))
	}
	return e.PrintTable(&joinTable, rows)
}

func joinList(e *cli.Env) *cobra.Command {
	var state string
	cmd := &cobra.Command{
		Use: "list", Short: "List listing requests, pending ones first", Args: cli.ExactArgs(),
		Example: "  colophon join list\n  colophon join list --state declined",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.ValidateWord("state", state, []string{"all", origin.JoinWaiting, origin.JoinApproved, origin.JoinDeclined}); err != nil {
				return err
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				list, err := store.JoinsOf(cmd.Context(), strings.TrimPrefix(state, "all"), MostJoins)
				if err != nil {
					return err
				}
				return tellJoins(e, list)
			})
		},
	}
	cmd.Flags().StringVar(&state, "state", origin.JoinWaiting, "waiting, approved, declined, all")
	return cmd
}

func joinShow(e *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use: "show JOIN_ID", Short: "Show a listing request and what was found at its site", Args: cli.ExactArgs("JOIN_ID"),
		Example: "  colophon join show jn_01m833r94vtybzngwgacp3vv81",
		RunE: e.OnStore(func(cmd *cobra.Command, store *originsql.Store, args []string) error {
			j, err := findJoin(cmd.Context(), store, args[0])
			if err != nil {
				return err
			}
			return e.PrintResult(joinRow(&j), func(w io.Writer) { printJoin(w, &j) })
		}),
	}
}

func printJoin(w io.Writer, j *origin.Join) {
	joinTable.Print(w, joinRow(j))
	if j.Reason != "" {
		fmt.Fprintf(w, "  reason       %s\n", noun.OneLine(j.Reason))
	}
	f, _ := foundOf(j)
	for _, list := range []struct {
		word  string
		lines []string
	}{{"public", f.Public}, {"channel", f.Channels}, {"missing", f.Missing}} {
		for _, line := range list.lines {
			fmt.Fprintf(w, "  %-12s %s\n", list.word, noun.OneLine(line))
		}
	}
}

// findJoin finds a request by its id, or the newest one of a host.
func findJoin(ctx context.Context, store *originsql.Store, id string) (origin.Join, error) {
	j, err := store.Join(ctx, id)
	if !errors.Is(err, origin.ErrNotFound) {
		return j, err
	}
	of, err := store.JoinsOfHost(ctx, exports.HomeHost(id))
	if err == nil && len(of) == 0 {
		err = fmt.Errorf("nobody asked to join as %q; \"colophon join list --state all\" shows who did", id)
	}
	if err != nil {
		return origin.Join{}, err
	}
	return of[0], nil
}

func joinCheck(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	cmd := &cobra.Command{
		Use: "check [JOIN_ID]", Short: "Check the sites of pending requests, and store the findings", Args: cli.OptionalArg("JOIN_ID"),
		Long:    "Check never contacts a private address, whatever DNS says, and follows no redirect to one.",
		Example: "  colophon join check\n  colophon join check site.example",
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.Look(cmd.Context(), &l, func(p *intake.Prover, store *originsql.Store) error {
				return checkJoins(cmd.Context(), e, store, p, args)
			})
		},
	}
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	return cmd
}

func checkJoins(ctx context.Context, e *cli.Env, store *originsql.Store, p *intake.Prover, args []string) error {
	var list []origin.Join
	var err error
	if len(args) == 0 {
		list, err = store.JoinsOf(ctx, origin.JoinWaiting, MostJoins)
	} else {
		list = make([]origin.Join, 1)
		list[0], err = findJoin(ctx, store, args[0])
	}
	if err != nil {
		return err
	}
	printed := e.NewProgress()
	defer printed.Clear()
	for i := range list {
		printed.Show(int64(i), int64(len(list)), "sites")
		found, system := enrol.LookToJoin(ctx, p, list[i].Host, cli.Now())
		for _, line := range system {
			printed.TellBetween(func() { e.PrintNote("%s", noun.OneLine(line)) })
		}
		list[i].Found = string(wire.Append(nil, &found))
		list[i].LookedAt = found.At
		list[i].ChangedAt = found.At
		if err := store.PutJoin(ctx, list[i]); err != nil {
			return err
		}
	}
	printed.Clear()
	return tellJoins(e, list)
}

func joinApprove(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	var site string
	cmd := &cobra.Command{
		Use: "approve JOIN_ID", Short: "Approve a listing request: add the publisher by its file, or join an existing one", Args: cli.ExactArgs("JOIN_ID"),
		Example: "  colophon join approve site.example\n  colophon join approve site.example --site site-example",
		RunE: func(cmd *cobra.Command, args []string) error {
			return approveJoin(cmd.Context(), e, args[0], site, &l)
		},
	}
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	cmd.Flags().StringVar(&site, "site", "", "publisher that was added by flags for it, instead of its own file")
	return cmd
}

// approveJoin adds the publisher of a request, approves it and closes the
// request.
func approveJoin(ctx context.Context, e *cli.Env, id, siteID string, l *cli.LookFlags) error {
	var j origin.Join
	err := e.WithStore(ctx, func(store *originsql.Store) (err error) {
		j, err = findJoin(ctx, store, id)
		return err
	})
	switch {
	case err != nil:
		return err
	case j.State != origin.JoinWaiting:
		return fmt.Errorf("%s is %s already; \"colophon join list\" shows who waits", j.Host, j.State)
	}
	if siteID == "" {
		added, err := TakeByFile(ctx, e, "https://"+j.Host+"/", l)
		if err != nil {
			return err
		}
		siteID = added.Site.SiteID
	}
	return e.WithStore(ctx, func(store *originsql.Store) error {
		site, err := cli.SiteNoun.Get(ctx, store, siteID)
		if err != nil {
			return err
		}
		if err := enrol.ApproveJoin(ctx, store, site, &j, cli.Now()); err != nil {
			return err
		}
		if err := adviseListed(ctx, e, store, siteID); err != nil {
			return err
		}
		return e.PrintResult(joinRow(&j), func(w io.Writer) { fmt.Fprintf(w, "%s is publisher %s, approved\n", j.Host, siteID) })
	})
}

func joinDecline(e *cli.Env) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "decline JOIN_ID", Short: "Decline a listing request, with a reason", Args: cli.ExactArgs("JOIN_ID"),
		Example: "  colophon join decline site.example --reason \"It has no pages of its own.\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(reason) > 1000 {
				return usage.Errorf("--reason has %d bytes, of 1000 at most", len(reason))
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				j, err := findJoin(cmd.Context(), store, args[0])
				if err == nil && j.State == origin.JoinApproved {
					err = fmt.Errorf("%s is approved already; \"colophon publisher close %s\" ends its listing", j.Host, j.SiteID)
				}
				if err != nil {
					return err
				}
				j.State = origin.JoinDeclined
				j.Reason = reason
				j.ChangedAt = cli.Now()
				if err := store.PutJoin(cmd.Context(), j); err != nil {
					return err
				}
				return e.PrintResult(joinRow(&j), func(w io.Writer) { fmt.Fprintf(w, "%s is declined\n", j.Host) })
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "reason, shown to whoever asked")
	return cmd
}
