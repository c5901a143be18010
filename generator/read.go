package generator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// siteFacts is one public site: its facts, and what the pass over its pages
// sums up.
type siteFacts struct {
	render.Publisher
	newest []*pageRow // while its pages pass by, those registered last
	listed spooled    // where these are from then on, see newestOf
	pages  hash.Hash  // over the pages that lists show, and their records
	due    bool       // each of its pages is
}

// state names the state of a publisher as a release names that of the catalog: the
// instant of its last change, the day of it with the number of versions of its
// records and its policy, and a digest over its policy, its pages and their
// records.
func (s *siteFacts) state() exports.Release {
	at := max(s.Changed, s.Site.ChangedAt, s.PolicyChanged(), s.JudgedAt(), "1970-01-01T00:00:00Z")
	sum := sha256.Sum256(fmt.Appendf(nil, "site %s %s %s\n%x\n", s.Site.SiteID, s.PolicyChanged(), s.Vector(), s.pages.Sum(nil)))
	return exports.Release{
		GeneratedAt: at,
		Name:        at[:10] + "." + strconv.FormatInt(s.Tally.Versions+int64(len(s.Policies)), 10),
		Root:        "sha-256:" + hex.EncodeToString(sum[:]),
	}
}

// readOrigin collects what is small: sites, categories, demand, the state.
func (b *build) readOrigin(ctx context.Context) error {
	sites, err := b.store.Sites(ctx)
	if err != nil {
		return err
	}
	groups, err := readGroups(ctx, b.store)
	if err != nil {
		return err
	}
	b.known = map[string]bool{}
	var public []origin.Site
	if b.changes, b.latest, err = b.store.Changes(ctx); err != nil {
		return err
	}
	for _, s := range sites {
		b.known[s.SiteID] = true
		if s.State == origin.Closed {
			b.closed = append(b.closed, s)
		}
		if !rights.Public(s) {
			continue
		}
		public = append(public, s)
	}
	b.sites = make([]siteFacts, 0, len(public))
	err = refreshSites(ctx, b.store, public, max(b.latest, b.opt.NotYet), func(f rights.SiteSnapshot) {
		f.Ledger, f.Group = b.opt.Ledger != nil, groups[f.Site.PublisherID]
		b.sites = append(b.sites, siteFacts{Publisher: render.Publisher{SiteSnapshot: f, Tally: rights.NewTally()}, pages: sha256.New()})
	})
	if err != nil {
		return err
	}
	b.categories, err = b.store.Categories(ctx)
	return err
}

// readGroups lists the accounts that are groups, by id.
func readGroups(ctx context.Context, store origin.Sites) (map[string]*exports.GroupRef, error) {
	list, err := store.Groups(ctx)
	out := map[string]*exports.GroupRef{}
	for i := range list {
		out[list[i].PublisherID] = &exports.GroupRef{GroupID: list[i].PublisherID, Name: list[i].GroupName}
	}
	return out, err
}

// Sites are read in batches: their facts, and the documents that were observed of
// them, which may be long.
const (
	siteBatch     = 256
	observedBatch = 16
)

// eachSite reads what the origin holds about sites, with what was observed of each.
func eachSite(ctx context.Context, store origin.SiteBatches, sites []origin.Site, do func(rights.SiteSnapshot, []origin.Observation) error) error {
	for batch := range slices.Chunk(sites, siteBatch) {
		facts, err := readFacts(ctx, store, batch)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(facts, observedBatch) {
			seen, err := store.ObservationsOfSites(ctx, idsOfFacts(some))
			if err != nil {
				return err
			}
			for i := range some {
				if err := do(some[i], seen[some[i].Site.SiteID]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func idsOfFacts(list []rights.SiteSnapshot) []string {
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].Site.SiteID
	}
	return ids
}

// readFacts collects what the origin holds about sites.
func readFacts(ctx context.Context, store origin.SiteBatches, sites []origin.Site) ([]rights.SiteSnapshot, error) {
	ids := make([]string, len(sites))
	for i := range sites {
		ids[i] = sites[i].SiteID
	}
	found, err := store.FactsOfSites(ctx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]rights.SiteSnapshot, len(sites))
	for i := range found {
		f := &found[i]
		list[i] = rights.SiteSnapshot{
			Site: sites[i], Websites: f.Websites, Preferences: f.Preferences, Passports: f.Passports, Signals: f.Signals,
			Offers: f.Offers, Evidence: f.Evidence, Policies: f.Policies,
		}
	}
	return list, nil
}

// readSite collects what the origin holds about one site.
func readSite(ctx context.Context, store origin.SiteBatches, s origin.Site) (rights.SiteSnapshot, error) {
	list, err := readFacts(ctx, store, []origin.Site{s})
	if err != nil {
		return rights.SiteSnapshot{}, err
	}
	return list[0], nil
}

// readDemand reads the needs that buyers opted to publish, as of an instant.
func readDemand(ctx context.Context, store origin.Catalog, at string) (demand []exports.Demand, err error) {
	all, err := store.Demand(ctx)
	for i := range all {
		if d, ok := rights.Demand(&all[i], at); ok {
			demand = append(demand, d)
		}
	}
	return demand, err
}

// pageBatch is how many pages are held at once.
const pageBatch = 256

// eachPage walks over the pages of a site in order of entry id.
func eachPage(ctx context.Context, store origin.Pages, siteID string, do func([]origin.Page) error) error {
	for after := ""; ; {
		pages, err := store.PagesOf(ctx, siteID, after, pageBatch)
		if err != nil {
			return err
		}
		if len(pages) == 0 {
			return nil
		}
		if err := do(pages); err != nil {
			return err
		}
		if len(pages) < pageBatch {
			return nil
		}
		after = pages[len(pages)-1].EntryID
	}
}

// nameRelease gives the release its name, instant and root, once all records are
// known. The instant is that of the last change or of the last record, and of an
// origin without either that from which the first key counts. The root is a
// digest over every current record and every publisher's policy.
func (b *build) nameRelease() exports.Release {
	r := exports.Release{GeneratedAt: max(b.latest, b.lastIssued)}
	if r.GeneratedAt == "" {
		var first int64
		if keys := b.opt.Keys.Keys(); len(keys) > 0 {
			first = keys[0].NotBefore
		}
		r.GeneratedAt = exports.Instant(time.Unix(first, 0))
	}
	r.Name = r.GeneratedAt[:10] + "." + strconv.FormatInt(b.changes, 10)
	b.report.Release = r
	return r
}
