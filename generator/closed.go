package generator

import (
	"context"

	"colophon/generator/snapshot"
	"colophon/internal/origin"
	"colophon/internal/rights"
)

// issueTombstones issues a tombstone for every entry of a closed publisher that
// has a record and no tombstone yet, so that the ledger says that the entry is withdrawn. It
// publishes nothing else about the publisher. If the publisher is reopened, its
// entries get records that supersede the tombstones.
func (b *build) issueTombstones(ctx context.Context) error {
	for i := range b.origin.Closed {
		if err := b.burySite(ctx, &b.origin.Closed[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) burySite(ctx context.Context, s *origin.Site) error {
	return snapshot.EachPage(ctx, b.store, s.SiteID, func(pages []origin.Page) error {
		rows, err := b.readRows(ctx, pages)
		if err != nil {
			return err
		}
		var issued []origin.Record
		for i := range rows {
			last := &rows[i].last
			if last.JSON == "" {
				continue
			}
			r, err := decodeRecord(last.JSON)
			if err != nil {
				return err
			}
			if r.Withdrawn {
				continue
			}
			created := max(s.ChangedAt, last.Created, b.opt.NotYet)
			rights.WithdrawRecord(&r, created)
			next, err := b.signRecord(&r, rights.RecordFacts(&r), last, created)
			if err != nil {
				return err
			}
			b.lastIssued = max(b.lastIssued, created)
			issued = append(issued, next)
		}
		b.report.Issued += int64(len(issued))
		return b.store.AddRecords(ctx, issued)
	})
}
