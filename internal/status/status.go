// Package status finds what waits for the operator of a registry.
package status

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"colophon/exports"
	"colophon/generator"
	"colophon/internal/inquiry"
	"colophon/internal/notify"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/record"
	"colophon/internal/registry"
	"colophon/internal/registrydir"
)

// Report is what waits for the operator.
type Report struct {
	Inquiries  []StateCount      `json:"inquiries"`          // by state, open ones only
	Publishers int               `json:"publishers_pending"` // waiting for approval
	Joins      int               `json:"joins_waiting"`      // sites that asked to be listed
	Demand     int               `json:"demand_held"`        // needs that wait for approval
	Unbuilt    int64             `json:"pages_not_built"`    // imported or changed since the last build
	Reviews    []ReviewCount     `json:"reviews"`            // sites with pages that wait for a decision
	Webhooks   []notify.Receiver `json:"webhooks_in_trouble"`
	Expiring   []expiringItem    `json:"expiring"` // within --days, or expired already
	Release    *releaseAge       `json:"release"`  // null: nothing is built
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

// Read finds what waits in a registry, and what expires within some days.
func Read(ctx context.Context, e *registrydir.Dir, store *originsql.Store, now time.Time, days int) (*Report, error) {
	r := &Report{Inquiries: []StateCount{}, Reviews: []ReviewCount{}, Webhooks: []notify.Receiver{}, Expiring: []expiringItem{}}
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
	if err := r.readWebhooks(ctx, store, exports.Instant(now)); err != nil {
		return nil, err
	}
	if err := r.readExpiring(ctx, e, store, sites, exports.Instant(now.AddDate(0, 0, days))); err != nil {
		return nil, err
	}
	r.Release, err = readReleaseAge(e, now)
	return r, err
}

// mostJoins is how many requests to join are counted.
const mostJoins = 10_000

// readQueues counts what came in and waits for a decision or a build.
func (r *Report) readQueues(ctx context.Context, e *registrydir.Dir, store *originsql.Store) error {
	joins, err := store.JoinsOf(ctx, origin.JoinWaiting, mostJoins)
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

func (r *Report) readWebhooks(ctx context.Context, store *originsql.Store, now string) error {
	receivers, err := store.Receivers(ctx)
	if err != nil {
		return err
	}
	counts, err := store.EventCounts(ctx)
	if err != nil {
		return err
	}
	for _, v := range receivers {
		row := notify.NewReceiver(v, counts, now)
		if row.Failed > 0 || row.Failures > 0 {
			r.Webhooks = append(r.Webhooks, row)
		}
	}
	return nil
}

// readExpiring lists active keys, credentials, grants and links that end
// before an instant.
func (r *Report) readExpiring(ctx context.Context, e *registrydir.Dir, store *originsql.Store, sites []origin.Site, until string) error {
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
func readReleaseAge(e *registrydir.Dir, now time.Time) (*releaseAge, error) {
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
