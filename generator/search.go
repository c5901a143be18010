package generator

import (
	"context"
	"errors"
	"iter"

	"colophon/exports"
	"colophon/internal/indexbuild"
	"colophon/internal/rights"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
)

// writeIndex builds the static index, from which search, paging and lookups
// are answered.
func (b *build) writeIndex(ctx context.Context) error {
	x, _, err := indexbuild.Build(ctx, b.indexSource(ctx), indexbuild.Options{Put: b.out.putFile, Temp: b.out.stage})
	b.index = x.Current
	if err != nil || b.opt.Ledger == nil {
		return err
	}
	return b.indexManifest(ctx, b.out.rowsBelow(staticindex.Prefix(b.index.Gen)))
}

// indexSource gives the index everything that may be found.
func (b *build) indexSource(ctx context.Context) indexbuild.Source {
	return indexbuild.Source{
		Release: b.release, LedgerSize: b.log.describedLeaves(), Entries: b.indexEntries(ctx), Ledger: b.ledgerRows(ctx),
		Publishers: projectEach(b.sites, (*siteFacts).publisher),
		Map:        projectEach(b.sites, func(s *siteFacts) (exports.MapRecord, bool) { return rights.Map(&s.SiteSnapshot, s.tally) }),
		Offers:     projectEach(b.allOffers(), func(o *exports.Offer) (exports.Offer, bool) { return *o, true }),
		Listed:     b.listedSince(),
		States:     b.siteStates(),
		Demand:     projectEach(b.demand, func(d *exports.Demand) (exports.Demand, bool) { return *d, true }),
	}
}

// listedSince says since when each publisher is public.
func (b *build) listedSince() map[string]string {
	since := make(map[string]string, len(b.sites))
	for i := range b.sites {
		since[b.sites[i].Site.SiteID] = b.sites[i].Site.ApprovedAt
	}
	return since
}

// siteStates tells the state of each publisher.
func (b *build) siteStates() map[string]*exports.Release {
	states := make(map[string]*exports.Release, len(b.sites))
	for i := range b.sites {
		state := b.sites[i].state()
		states[b.sites[i].Site.SiteID] = &state
	}
	return states
}

// projectEach projects a list into a sequence.
func projectEach[T, R any](list []T, project func(*T) (R, bool)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for i := range list {
			if r, ok := project(&list[i]); ok && !yield(r, nil) {
				return
			}
		}
	}
}

// indexEntries gives every page of every public site, with the record that
// was issued for it last.
func (b *build) indexEntries(ctx context.Context) iter.Seq2[indexbuild.Entry, error] {
	return func(yield func(indexbuild.Entry, error) bool) {
		stopped := errors.New("stopped")
		err := b.spool.eachBatch(func(rows []pageRow) error {
			s := b.findSite(rows[0].page.SiteID)
			for i := range rows {
				if e, ok := indexEntry(s, &rows[i]); ok && !yield(e, nil) {
					return stopped
				}
			}
			return ctx.Err()
		})
		if err != nil && err != stopped {
			yield(indexbuild.Entry{}, err)
		}
	}
}

// indexEntry projects a page for the index. A withdrawn page that had a record
// can still be looked up, by which its record is found, and so can one that moved.
func indexEntry(f *rights.SiteSnapshot, r *pageRow) (indexbuild.Entry, bool) {
	p := &r.page
	record, ok := rights.Lookup(f, p)
	if !ok || p.State != "active" && r.version == 0 && p.Successor == "" {
		return indexbuild.Entry{}, false
	}
	e := indexbuild.Entry{
		Doc:      searchindex.Doc{Entry: record.Entry, Publisher: record.Publisher.Name, LicenseIDs: record.LicenseIDs},
		Registry: p.Registry, RecordVersion: r.version, RecordSHA256: r.sha256, LedgerIndex: r.position, Withdrawn: p.State != "active",
		Successor: p.Successor, SuccessorURL: p.SuccessorURL, Byline: p.Byline,
	}
	if record.Digest != "" {
		e.ISCC = p.ISCC
	}
	return e, true
}
