// Package status implements the command that shows what waits for the operator.
package status

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/cli/notices"
	"colophon/internal/cli/noun"
	"colophon/internal/cli/publishers"
	"colophon/internal/inquiry"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/record"
	"colophon/internal/registry"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// Report is what waits for the operator.
type Report struct {
	Inquiries  []StateCount         `json:"inquiries"`          // by state, open ones only
	Publishers int                  `json:"publishers_pending"` // waiting for approval
	Joins      int                  `json:"joins_waiting"`      // sites that asked to be listed
	Demand     int                  `json:"demand_held"`        // needs that wait for approval
	Unbuilt    int64                `json:"pages_not_built"`    // imported or changed since the last build
	Reviews    []ReviewCount        `json:"reviews"`            // sites with pages that wait for a decision
	Webhooks   []notices.WebhookRow `json:"webhooks_in_trouble"`
	Expiring   []expiringItem       `json:"expiring"` // within --days, or expired already
	Release    *releaseAge          `json:"release"`  // null: nothing is built
}

// StateCount is how many inquiries are in a state, and whom they wait for.
type StateCount struct {
	State string `json:"state"`
	Count int64  `json:"count"`
	For   string `json:"waits_for"` // operator, publisher, requester
}

// ReviewCount is how many pages of a site are in review.
type ReviewCount struct {
	SiteID string `json:"site_id"`
	Count  int    `json:"count"`
}

type expiringItem struct {
	Kind      string `json:"kind"` // signing_key, ledger_key, partner_key, buyer_credential, grant, inbox_link
	ID        string `json:"id"`
	Of        string `json:"of"`
	ExpiresAt string `json:"expires_at"`
}

type releaseAge struct {
	BuiltAt string `json:"built_at"`
	Hours   int64  `json:"age_hours"`
}

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
				r, err := readStatus(cmd.Context(), e, store, time.Now(), days)
				if err != nil {
					return err
				}
				return e.PrintResult(r, r.printReport)
			})
		},
	}
	cmd.Flags().IntVar(&days, "days", 30, "show what expires within this many days")
	return cmd
}

func readStatus(ctx context.Context, e *cli.Env, store *originsql.Store, now time.Time, days int) (*Report, error) {
	r := &Report{Inquiries: []StateCount{}, Reviews: []ReviewCount{}, Webhooks: []notices.WebhookRow{}, Expiring: []expiringItem{}}
	for _, w := range inquiry.Waiting {
		n, err := store.CountRequests(ctx, origin.RequestFilter{States: []string{string(w.State)}, Turn: string(w.For)})
		if err != nil {
			return nil, err
		}
		if n > 0 {
			r.Inquiries = append(r.Inquiries, StateCount{string(w.State), n, string(w.For)})
		}
	}
	if err := r.readQueues(ctx, e, store); err != nil {
		return nil, err
	}
	sites, err := store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sites {
		if s.State == origin.Pending {
			r.Publishers++
		}
	}
	if err := r.readReviews(ctx, store, sites); err != nil {
		return nil, err
	}
	if err := r.readWebhooks(ctx, store); err != nil {
		return nil, err
	}
	if err := r.readExpiring(ctx, e, store, sites, exports.Instant(now.AddDate(0, 0, days))); err != nil {
		return nil, err
	}
	r.Release, err = readReleaseAge(e, now)
	return r, err
}

// readQueues counts what came in and waits for a decision or a build.
func (r *Report) readQueues(ctx context.Context, e *cli.Env, store *originsql.Store) error {
	joins, err := store.JoinsOf(ctx, origin.JoinWaiting, publishers.MostJoins)
	if err != nil {
		return err
	}
	r.Joins = len(joins)
	needs, err := store.Demand(ctx)
	if err != nil {
		return err
	}
	for i := range needs {
		if registry.DemandState(&needs[i]) == registry.DemandHeld {
			r.Demand++
		}
	}
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	r.Unbuilt, err = generator.CountUnbuilt(ctx, store, e.OutFolder(s, ""))
	return err
}

// readReviews counts the pages in review, site by site.
func (r *Report) readReviews(ctx context.Context, store *originsql.Store, sites []origin.Site) error {
	const batch = 1000
	for _, s := range sites {
		count, after := 0, ""
		for {
			list, err := store.ExtractionsInReview(ctx, s.SiteID, origin.ReviewWaiting, after, batch)
			if err != nil {
				return err
			}
			count += len(list)
			if len(list) < batch {
				break
			}
			after = list[len(list)-1].EntryID
		}
		if count > 0 {
			r.Reviews = append(r.Reviews, ReviewCount{s.SiteID, count})
		}
	}
	return nil
}

func (r *Report) readWebhooks(ctx context.Context, store *originsql.Store) error {
	receivers, err := store.Receivers(ctx)
	if err != nil {
		return err
	}
	counts, err := store.EventCounts(ctx)
	if err != nil {
		return err
	}
	for _, v := range receivers {
		row := notices.NewWebhookRow(v, counts)
		if row.Failed > 0 || row.Failures > 0 {
			r.Webhooks = append(r.Webhooks, row)
		}
	}
	return nil
}

// readExpiring lists active keys, credentials, grants and links that end
// before an instant.
func (r *Report) readExpiring(ctx context.Context, e *cli.Env, store *originsql.Store, sites []origin.Site, until string) error {
	add := func(kind, id, of, state, expires string) {
		if state == "active" && expires != "" && expires < until {
			r.Expiring = append(r.Expiring, expiringItem{kind, id, of, expires})
		}
	}

	for _, folder := range []struct{ kind, name string }{{"signing_key", registrydir.KeysFolder}, {"ledger_key", registrydir.LedgerKeysFolder}} {
		keys, err := e.ReadKeys(folder.name)
		if err != nil {
			return err
		}
		for _, k := range keys {
			if k.Status == record.KeyActive && k.Revoked == nil {
				add(folder.kind, k.KeyID, "", "active", exports.Instant(time.Unix(k.NotAfter, 0)))
			}
		}
	}

	partners, err := store.Partners(ctx)
	if err != nil {
		return err
	}
	for _, p := range partners {
		keys, err := store.KeysOf(ctx, p.OrgID)
		if err != nil {
			return err
		}
		for _, k := range keys {
			add("partner_key", k.KeyID, p.OrgID, k.State, k.ExpiresAt)
		}
	}

	buyers, err := store.Buyers(ctx)
	if err != nil {
		return err
	}
	for _, b := range buyers {
		credentials, err := store.CredentialsOf(ctx, b.BuyerID)
		if err != nil {
			return err
		}
		for _, c := range credentials {
			add("buyer_credential", c.CredentialID, b.BuyerID, c.State, c.ExpiresAt)
		}
		grants, err := store.GrantsOf(ctx, b.BuyerID)
		if err != nil {
			return err
		}
		for _, g := range grants {
			add("grant", g.GrantID, b.BuyerID, g.State, g.ValidUntil)
		}
	}

	for _, s := range sites {
		links, err := store.LinksOf(ctx, s.SiteID)
		if err != nil {
			return err
		}
		for _, l := range links {
			add("inbox_link", l.LinkID, s.SiteID, l.State, l.ExpiresAt)
		}
	}
	return nil
}

// readReleaseAge returns when the published files were built, nil if there are
// none.
func readReleaseAge(e *cli.Env, now time.Time) (*releaseAge, error) {
	s, err := e.ReadSettings()
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(e.OutFolder(s, ""), filepath.FromSlash(generator.NotesFile)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	built := info.ModTime()
	return &releaseAge{exports.Instant(built), int64(now.Sub(built).Hours())}, nil
}

// nextWhere returns the next step if one is due.
func nextWhere(due bool, command string) string {
	if !due {
		return ""
	}
	return "; next: colophon " + command
}

func (r *Report) printReport(w io.Writer) {
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
