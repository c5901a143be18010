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

// siteFacts is a public site: its facts, and the sums over its pages.
type siteFacts struct {
	render.Publisher
	pages hash.Hash // digest of the pages that lists show, and of their records
	due   bool      // every page of the site is due
}

// state returns the publisher's release, in the form of the catalog's: the
// instant of its last change, its name from the day and the number of versions
// of its records and its policy, and a digest of its policy, its pages and
// their records.
func (s *siteFacts) state() exports.Release {
	at := max(s.Changed, s.Site.ChangedAt, s.PolicyChanged(), s.JudgedAt(), "1970-01-01T00:00:00Z")
	sum := sha256.Sum256(fmt.Appendf(nil, "site %s %s %s\n%x\n", s.Site.SiteID, s.PolicyChanged(), s.Vector(), s.pages.Sum(nil)))
	return exports.Release{
		GeneratedAt: at,
		Name:        at[:10] + "." + strconv.FormatInt(s.Tally.Versions+int64(len(s.Policies)), 10),
		Root:        "sha-256:" + hex.EncodeToString(sum[:]),
	}
}

// readOrigin reads the small tables: sites, categories, demand, the state.
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

// nameRelease sets the name, instant and root of the release, once all records
// are known. The instant is that of the last change or the last record; if the
// origin has neither, it is the start of validity of the first key. The root is
// a digest of every current record and every publisher's policy.
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
