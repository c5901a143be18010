package publishers

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/edgecheck"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/worker/access"
)

// ReadinessCommand measures publishers' readiness.
func ReadinessCommand(e *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "readiness", Short: "Measure publishers' readiness"}
	cmd.AddCommand(readinessCheck(e))
	return cmd
}

func readinessCheck(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	var cheap bool
	cmd := &cobra.Command{
		Use: "check [SITE_ID]", Short: "Check publishers' sites for readiness signals", Args: cli.OptionalArg("SITE_ID"),
		Long: "adapter: the site serves the access response of the publisher's pack, which names the publisher. urvp, integration_hub: the\n" +
			"home page names a JSON document by that relation. edge_access_control: the edge answers as it declares, and denies\n" +
			"something; what it answered is published as parity.json. signed_receipts: a denial has a receipt that a key of this registry\n" +
			"signed for that very answer, and none has a false one. A site that cannot be reached makes a finding stale. The other\n" +
			"signals follow from what the registry holds. Without SITE_ID it checks all approved publishers.",
		Example: "  colophon readiness check\n  colophon readiness check harbor-ledger",
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.Look(cmd.Context(), &l, func(p *intake.Prover, store *originsql.Store) error {
				return checkReadiness(cmd.Context(), e, store, p, &l, args, cheap)
			})
		},
	}
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	cmd.Flags().BoolVar(&cheap, "cheap", false, "leave out edge_access_control and signed_receipts, which take a request for each row that the edge declares")
	return cmd
}

func checkReadiness(ctx context.Context, e *cli.Env, store *originsql.Store, p *intake.Prover, l *cli.LookFlags, args []string, cheap bool) error {
	sites, err := sitesToCheck(ctx, store, args)
	if err != nil {
		return err
	}
	keys, err := e.EdgeKeys()
	if err != nil {
		return err
	}
	edge := edgecheck.Checker{
		Keys:   keys,
		Client: intake.PublicClient(10*time.Second, l.Opt.AllowPrivate, l.Opt.ConnectTo), Contact: l.Opt.Contact, Token: access.TestToken, Now: time.Now,
	}
	rows := []map[string]any{}
	var all []origin.Signal
	printed := e.NewProgress()
	defer printed.Clear()
	for i, s := range sites {
		printed.Show(int64(i), int64(len(sites)), "publishers")
		found, err := enrol.CheckCheap(ctx, store, p, s, cli.Now())
		if err != nil {
			return err
		}
		if !cheap {
			kept, err := enrol.CheckEdge(ctx, store, p, &edge, s, cli.Now())
			if err != nil {
				return err
			}
			found = append(found, kept...)
		}
		for _, x := range found {
			rows = append(rows, map[string]any{"site_id": x.SiteID, "signal": x.Signal, "state": x.State, "evidence": x.Evidence, "checked_at": x.CheckedAt})
		}
		all = append(all, found...)
	}
	printed.Clear()
	e.PrintNext("colophon build --dir %s", e.Path)
	return e.PrintResult(rows, func(w io.Writer) {
		for _, x := range all {
			fmt.Fprintf(w, "%-24s %-20s %-10s %s\n", x.SiteID, x.Signal, x.State, x.Evidence)
		}
	})
}

// sitesToCheck returns the publisher that is named, or all that are approved.
func sitesToCheck(ctx context.Context, store *originsql.Store, args []string) ([]origin.Site, error) {
	if len(args) == 1 {
		s, err := cli.SiteNoun.Get(ctx, store, args[0])
		return []origin.Site{s}, err
	}
	sites, err := store.Sites(ctx)
	var out []origin.Site
	for _, s := range sites {
		if s.State == origin.Approved {
			out = append(out, s)
		}
	}
	return out, err
}
