// Package status implements the command that shows what waits for the operator.
package status

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"colophon/internal/cli"
	"colophon/internal/cli/noun"
	"colophon/internal/originsql"
	"colophon/internal/status"
	"colophon/internal/usage"
)

// Command shows what waits for the operator.
func Command(e *cli.Env) *cobra.Command {
	var days int
	cmd := &cobra.Command{
		Use: "status", Short: "Show pending work", Args: cli.ExactArgs(),
		Long:    "Status counts open inquiries and whom each waits for, publishers to approve, sites that asked to be listed, held needs, pages that are not built, pages in review, failing receivers of notifications and what expires soon, and shows the age of the release.",
		Example: "  colophon status --dir registry\n  colophon status --days 60 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days < 0 {
				return usage.Errorf("--days is %d, less than 0", days)
			}
			return e.WithStore(cmd.Context(), func(store *originsql.Store) error {
				r, err := status.Read(cmd.Context(), &e.Dir, store, time.Now(), days)
				if err != nil {
					return err
				}
				return e.PrintResult(r, func(w io.Writer) { printReport(w, r) })
			})
		},
	}
	cmd.Flags().IntVar(&days, "days", 30, "show what expires within this many days")
	return cmd
}

// nextWhere returns the next step if one is due.
func nextWhere(due bool, command string) string {
	if !due {
		return ""
	}
	return "; next: colophon " + command
}

func printReport(w io.Writer, r *status.Report) {
	var open, pages int64
	for _, s := range r.Inquiries {
		open += s.Count
	}
	for _, x := range r.Reviews {
		pages += int64(x.Count)
	}
	fmt.Fprintf(w, "inquiries          %d open\n", open)
	for _, s := range r.Inquiries {
		fmt.Fprintf(w, "  %-16s %4d  waits for the %s\n", s.State, s.Count, s.For)
	}
	fmt.Fprintf(w, "publishers         %d to approve%s\n", r.Publishers, nextWhere(r.Publishers > 0, "publisher list"))
	fmt.Fprintf(w, "listing requests   %d pending%s\n", r.Joins, nextWhere(r.Joins > 0, "join list"))
	fmt.Fprintf(w, "demand             %d held%s\n", r.Demand, nextWhere(r.Demand > 0, "demand list"))
	fmt.Fprintf(w, "pages              %d not built%s\n", r.Unbuilt, nextWhere(r.Unbuilt > 0, "build"))

	fmt.Fprintf(w, "pages to review    %d\n", pages)
	for _, x := range r.Reviews {
		fmt.Fprintf(w, "  %-16s %4d  pages; next: colophon review list --site %s\n", x.SiteID, x.Count, x.SiteID)
	}

	fmt.Fprintf(w, "webhooks           %d failing\n", len(r.Webhooks))
	for _, h := range r.Webhooks {
		fmt.Fprintf(w, "  %s  %s  %d given up, %d waiting  %s\n", h.WebhookID, h.Breaker, h.Failed, h.Waiting, noun.OneLine(h.LastError))
	}

	fmt.Fprintf(w, "expiring soon      %d\n", len(r.Expiring))
	for _, x := range r.Expiring {
		fmt.Fprintf(w, "  %s  %s  %s  %s\n", x.ExpiresAt, x.Kind, x.ID, x.Of)
	}

	if r.Release == nil {
		fmt.Fprintln(w, "release            none; next: colophon build")
		return
	}
	fmt.Fprintf(w, "release            built %s, %d hours ago\n", r.Release.BuiltAt, r.Release.Hours)
}
