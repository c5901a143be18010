package generator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// siteFacts is one public site: its facts, and what the pass over its pages
// sums up.
type siteFacts struct {
	rights.SiteSnapshot
	tally  *rights.Tally
	public *exports.Publisher // see publisher
	newest []*pageRow         // while its pages pass by, those registered last
	listed spooled            // where these are from then on, see newestOf

	changed string    // instant of the last change of a page or record
	shown   hash.Hash // over the pages that lists show, and their records

	due bool // each of its pages is

	card    string       // path of the card for link previews, "" the general one
	posture []wire.Value // how requests without a licence are answered, as its pack declares
}

// state names the state of a publisher as a release names that of the catalog: the
// instant of its last change, the day of it with the number of versions of its
// records and its policy, and a digest over its policy, its pages and their
// records.
func (s *siteFacts) state() exports.Release {
	at := max(s.changed, s.Site.ChangedAt, s.PolicyChanged(), s.JudgedAt(), "1970-01-01T00:00:00Z")
	sum := sha256.Sum256(fmt.Appendf(nil, "site %s %s %s\n%x\n", s.Site.SiteID, s.PolicyChanged(), s.Vector(), s.shown.Sum(nil)))
	return exports.Release{
		GeneratedAt: at,
		Name:        at[:10] + "." + formatInt(s.tally.Versions+int64(len(s.Policies))),
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
	if b.changes, b.latest, err = b.store.Changes(ctx); err != nil {
		return err
	}
	for _, s := range sites {
		b.known[s.SiteID] = true
		if s.State == origin.Closed && !b.machine {
			b.closed = append(b.closed, s)
		}
		if !rights.Public(s) {
			continue
		}
		f, err := refreshEvidence(ctx, b.store, s, max(b.latest, b.opt.NotYet))
		if err != nil {
			return err
		}
		f.Ledger, f.Group = b.opt.Ledger != nil, groups[s.PublisherID]
		b.sites = append(b.sites, siteFacts{SiteSnapshot: f, tally: rights.NewTally(), shown: sha256.New()})
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

// readFacts collects what the origin holds about one site.
func readFacts(ctx context.Context, store origin.Catalog, s origin.Site) (f rights.SiteSnapshot, err error) {
	f.Site = s
	if f.Websites, err = store.Websites(ctx, s.SiteID); err != nil {
		return f, err
	}
	if f.Preferences, err = store.Preferences(ctx, s.SiteID); err != nil {
		return f, err
	}
	if f.Passports, err = store.Passports(ctx, s.SiteID); err != nil {
		return f, err
	}
	if f.Signals, err = store.Signals(ctx, s.SiteID); err != nil {
		return f, err
	}
	if f.Offers, err = store.OffersOf(ctx, s.SiteID); err != nil {
		return f, err
	}
	if f.Evidence, err = store.EvidenceOf(ctx, s.SiteID); err != nil {
		return f, err
	}
	f.Policies, err = store.Policies(ctx, s.SiteID)
	return f, err
}

func (b *build) readDemand(ctx context.Context) error {
	all, err := b.store.Demand(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if d, ok := rights.Demand(&all[i], b.release.GeneratedAt); ok {
			b.demand = append(b.demand, d)
		}
	}
	return nil
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
// known. The instant is that of the last change or of the last record; the
// root is a digest over every current record and every publisher's policy.
func (b *build) nameRelease() {
	b.release.GeneratedAt = max(b.latest, b.lastIssued, "1970-01-01T00:00:00Z")
	b.release.Name = b.release.GeneratedAt[:10] + "." + strconv.FormatInt(b.changes, 10)
	b.report.Release = b.release
}

// machineRoot is the root of a catalog without tables: the digest over its
// records and publishers.
func (b *build) machineRoot(records [32]byte) string {
	h := sha256.New()
	h.Write(records[:])
	for i := range b.sites {
		s := &b.sites[i]
		h.Write([]byte("site " + s.Site.SiteID + " " + s.PolicyChanged() + " " + s.Vector() + "\n"))
	}
	return "sha-256:" + hex.EncodeToString(h.Sum(nil))
}
