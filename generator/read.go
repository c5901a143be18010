package generator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/generator/snapshot"
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
func (b *build) readOrigin(ctx context.Context) (err error) {
	if b.origin, err = snapshot.Read(ctx, b.store, b.opt.NotYet); err != nil {
		return err
	}
	b.sites = make([]siteFacts, 0, len(b.origin.Public))
	for _, f := range b.origin.Public {
		f.Ledger = b.opt.Ledger != nil
		b.sites = append(b.sites, siteFacts{Publisher: render.Publisher{SiteSnapshot: f, Tally: rights.NewTally()}, pages: sha256.New()})
	}
	return nil
}

// nameRelease gives the release its name, instant and root, once all records are
// known. The instant is that of the last change or of the last record, and of an
// origin without either that from which the first key counts. The root is a
// digest over every current record and every publisher's policy.
func (b *build) nameRelease() exports.Release {
	r := exports.Release{GeneratedAt: max(b.origin.Latest, b.lastIssued)}
	if r.GeneratedAt == "" {
		var first int64
		if keys := b.opt.Keys.Keys(); len(keys) > 0 {
			first = keys[0].NotBefore
		}
		r.GeneratedAt = exports.Instant(time.Unix(first, 0))
	}
	r.Name = r.GeneratedAt[:10] + "." + strconv.FormatInt(b.origin.Changes, 10)
	b.report.Release = r
	return r
}
