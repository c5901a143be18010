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

// addByFile adds the publisher of an address by what its own file says, and
// prints what it did.
func addByFile(ctx context.Context, e *cli.Env, address string, l *cli.LookFlags) error {
	added, err := TakeByFile(ctx, e, address, l)
	if err != nil {
		return err
	}
	s, report := added.Site, &added.Report
	row := cli.SiteRow(&s)
	row["file"] = report
	e.PrintNext("colophon publisher approve %s --dir %s", s.SiteID, e.Path)
	return e.PrintResult(row, func(w io.Writer) {
		fmt.Fprintf(w, "added %s: %s (%s, %s, %s)\n", s.SiteID, s.Name, urlkey.Display(s.SiteURL), s.State, s.Visibility)
		printEnrol(w, report, added.Own)
	})
}

// TakeByFile adds the publisher behind an address by its own file, pending.
func TakeByFile(ctx context.Context, e *cli.Env, address string, l *cli.LookFlags) (added *enrol.Added, err error) {
	home, err := urlkey.Address(address)
	host := urlkey.HostOf(home)
	if err != nil || !strings.HasSuffix(home, "://"+host+"/") || strings.Contains(host, ":") {
		return nil, usage.Errorf("%q must be the address of a site's home, such as https://site.example/", address)
	}
	p, err := e.NewProver(l)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	own, err := enrol.FindFile(ctx, p, host) // before the origin is opened
	if err != nil {
		return nil, err
	}
	err = e.WithStore(ctx, func(store *originsql.Store) error {
		added, err = enrol.AddByFile(ctx, store, p, own, cli.Now())
		return err
	})
	return added, err
}

func printEnrol(w io.Writer, r *enrol.Report, own *intake.Own) {
	if r.Address != "" {
		fmt.Fprintf(w, "  file         %s: %s\n", r.Address, r.File)
	}
	if r.Problem != "" {
		fmt.Fprintf(w, "  problem      %s\n", r.Problem)
	}
	for _, u := range r.Unknown {
		fmt.Fprintf(w, "  left aside   %s\n", u)
	}
	for _, h := range r.Hosts {
		fmt.Fprintf(w, "  host         %s: control %s", urlkey.DisplayHost(h.Host), h.Method)
		if h.Address != "" {
			fmt.Fprintf(w, ", seen in %s at %s", h.Address, h.SeenAt)
		}
		if h.Missed != "" {
			fmt.Fprintf(w, ", missing since %s", h.Missed)
		}
		fmt.Fprintln(w)
		for _, why := range h.Why {
			fmt.Fprintf(w, "               %s\n", why)
		}
		if !enrol.Proven(h.Method) && len(h.Why) > 0 {
			fmt.Fprintf(w, "               so nothing changes there\n")
		}
	}
	if own != nil && own.Reading != nil {
		for _, p := range own.Reading.Preferences {
			fmt.Fprintf(w, "  %-12s %s %s %s\n", p.Use, p.Declared, p.Inquiry, strings.Join(p.Paths, " "))
		}
	}
	for _, slug := range r.Offers {
		fmt.Fprintf(w, "  offer        %s\n", slug)
	}
	for _, id := range r.Reservations {
		fmt.Fprintf(w, "  reservation  %s\n", id)
	}
	for _, id := range r.Withdrawn {
		fmt.Fprintf(w, "  withdrawn    %s\n", id)
	}
	for _, list := range []struct {
		name  string
		pages []string
	}{{"page withdrawn", r.PagesWithdrawn}, {"page restored", r.PagesRestored}} {
		for _, address := range list.pages {
			fmt.Fprintf(w, "  %-14s %s\n", list.name, urlkey.Display(address))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note         %s\n", n)
	}
}

// RefreshCommand reads publishers' own files again.
func RefreshCommand(e *cli.Env) *cobra.Command {
	var l cli.LookFlags
	cmd := &cobra.Command{
		Use: "refresh [SITE_ID]", Short: "Read publishers' own files and channels again, and check their hosts",
		Long: "Without SITE_ID, it reads the channels of all publishers, and the files and proofs of those that have one.\n" +
			"It reads the home page of each host, its headers, robots.txt and the documents that these name, and reports what changed:\n" +
			"in which channel, by whom, and for which use. \"colophon watch\" lists such changes later.\n" +
			"A file that changed takes effect: \"withdrawn\" takes pages out for as long as the file lists them, and \"listing\": \"closed\"\n" +
			"closes the publisher until you reopen it. A file that is gone ends its offers; it neither withdraws nor restores pages.\n" +
			"A file with an error is ignored until it is corrected, and the command fails; its location still proves the host.\n" +
			"A proof that is missing at two checks 14 days apart lapses.",
		Example: "  colophon refresh\n  colophon refresh harbor-ledger",
		Args:    cli.OptionalArg("SITE_ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.Look(cmd.Context(), &l, func(p *intake.Prover, store *originsql.Store) error {
				return refreshPublishers(cmd.Context(), e, store, p, args)
			})
		},
	}
	l.AddFlags(cmd)
	l.AddDNS(cmd)
	return cmd
}

func refreshPublishers(ctx context.Context, e *cli.Env, store *originsql.Store, p *intake.Prover, ids []string) (err error) {
	all := len(ids) == 0
	if all {
		if ids, err = enrol.ListRefreshed(ctx, store); err != nil {
			return err
		}
	}
	reports := []refreshed{}
	printed := e.NewProgress()
	defer printed.Clear()
	for i, id := range ids {
		printed.Show(int64(i), int64(len(ids)), "publishers")
		r := refreshed{}
		r.Report, r.Changes, err = enrol.Refresh(ctx, store, p, id, all, cli.Now())
		if errors.Is(err, origin.ErrNotFound) {
			return cli.SiteNoun.Missing(id)
		}
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	printed.Clear()
	var void []string
	for i := range reports {
		if r := &reports[i]; r.Void {
			void = append(void, fmt.Sprintf("%s of publisher %q has a mistake and is ignored until it is corrected: %s", r.Address, r.SiteID, r.Problem))
		}
	}
	if len(void) == 0 || len(void) < len(reports) {
		e.PrintNext("colophon build --dir %s", e.Path)
	}
	err = e.PrintResult(reports, func(w io.Writer) {
		for i := range reports {
			fmt.Fprintf(w, "%s\n", reports[i].SiteID)
			printEnrol(w, &reports[i].Report, nil)
			printChanges(w, reports[i].Changes)
		}
	})
	if err == nil && len(void) > 0 {
		err = errors.New(strings.Join(void, "; "))
	}
	return err
}

// refreshed is what a look at a publisher found, and what changed since the last one.
type refreshed struct {
	enrol.Report
	Changes policyChanges `json:"changes"`
}
