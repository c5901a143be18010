package publishers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/urlkey"
	"colophon/internal/usage"
)

// maxUnmatched is how many pages without a successor are printed for people.
const maxUnmatched = 20

func publisherMove(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	cmd := &cobra.Command{
		Use: "move SITE_ID OLD_URL NEW_URL", Short: "Move a site's entries to its new address",
		Args: cli.ExactArgs("SITE_ID", "OLD_URL", "NEW_URL"),
		Long: "OLD_URL and NEW_URL end with \"/\"; pages below the first have moved below the second. Control of both hosts must be\n" +
			"shown, by the publisher's own file, DNS or a link. Import the new address first (\"publisher set --host\" names the new host):\n" +
			"each old entry is linked to the page at the same path, or to the only one with the same text, and is withdrawn. Its\n" +
			"address, id and fingerprints still resolve, and name the successor. Repeat the command to link what is imported later.\n\n" +
			"A site that only goes from http to https need not be imported first and needs no proof, since its host stays: its\n" +
			"entries get their https addresses and keep their ids, texts and history.",
		Example: "  colophon publisher move harbor-ledger https://harbor-ledger.example/ https://harborledger.example/\n" +
			"  colophon publisher move harbor-ledger http://harbor-ledger.example/ https://harbor-ledger.example/",
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := parseMove(args[1], args[2])
			if err != nil {
				return err
			}
			return e.Look(cmd.Context(), &l, func(p *intake.Prover, store *originsql.Store) error {
				return moveSite(cmd.Context(), e, store, p, args[0], m)
			})
		},
	}
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	return cmd
}

// parseMove reads the two addresses of a move.
func parseMove(from, to string) (m enrol.Move, err error) {
	for _, a := range []struct {
		text string
		to   *string
	}{{from, &m.From}, {to, &m.To}} {
		canonical, err := urlkey.Address(a.text)
		if err != nil || !strings.HasSuffix(canonical, "/") {
			return m, usage.Errorf("%q must be an http or https address that ends with \"/\"", a.text)
		}
		*a.to = canonical
	}
	switch {
	case m.From == m.To:
		return m, usage.Errorf("OLD_URL and NEW_URL are both %s", m.From)
	case !strings.HasPrefix(m.To, "https://"):
		return m, usage.Errorf("%q must be an https address: what a site says over http can be altered on the way, so nothing moves there", to)
	}
	return m, nil
}

func moveSite(ctx context.Context, e *cli.Env, store *originsql.Store, p *intake.Prover, siteID string, m enrol.Move) error {
	report, err := enrol.MoveSite(ctx, store, p, siteID, m, cli.Now())
	if errors.Is(err, origin.ErrNotFound) {
		return cli.SiteNoun.Missing(siteID)
	}
	if err != nil {
		return err
	}
	e.PrintNext("colophon build --dir %s", e.Path)
	row := struct {
		SiteID string `json:"site_id"`
		From   string `json:"from"`
		To     string `json:"to"`
		enrol.MoveReport
	}{siteID, m.From, m.To, report}
	return e.PrintResult(row, func(w io.Writer) { printMove(w, siteID, m, &report) })
}

func printMove(w io.Writer, siteID string, m enrol.Move, r *enrol.MoveReport) {
	fmt.Fprintf(w, "moved %s: %s to %s, home %s\n", siteID, m.From, m.To, r.SiteURL)
	fmt.Fprintf(w, "  entries      %d kept with an https address, %d linked now, %d before, %d without a page at the new address\n", len(r.Kept), len(r.Linked), r.Already, len(r.Unmatched))
	for i, address := range r.Unmatched {
		if i == maxUnmatched {
			fmt.Fprintf(w, "               and %d more (--json lists all)\n", len(r.Unmatched)-i)
			break
		}
		fmt.Fprintf(w, "               %s\n", address)
	}
	printEnrol(w, &r.Report, nil)
}
