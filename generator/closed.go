package generator

import (
	"context"

	"colophon/exports"
	"colophon/generator/snapshot"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/rights"
)

// issueTombstones issues a tombstone for every entry of a closed publisher that
// has a record, so that the ledger says that the entry is withdrawn. It
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
	for after := ""; ; {
		records, err := b.store.RecordsOf(ctx, s.SiteID, after, snapshot.PageBatch)
		if err != nil {
			return err
		}
		for i := range records {
			if err := b.buryEntry(ctx, s, &records[i]); err != nil {
				return err
			}
			after = records[i].EntryID
		}
		if len(records) < snapshot.PageBatch {
			return nil
		}
	}
}

// buryEntry adds a tombstone after the last record of an entry, unless that is
// a tombstone already.
func (b *build) buryEntry(ctx context.Context, s *origin.Site, last *origin.Record) error {
	r, err := decodeRecord(last.JSON)
	if err != nil || r.Withdrawn {
		return err
	}
	created := max(s.ChangedAt, last.Created, b.opt.NotYet)
	rights.WithdrawRecord(&r, created)
	facts := rights.RecordFacts(&r)
	r.Version, r.Supersedes = last.Version+1, last.SHA256
	r.Proof = exports.Proof{Created: created, KeyID: b.opt.Signer.KeyID()}
	signed, err := record.SignRecord(b.opt.Signer, &r)
	if err != nil {
		return err
	}
	b.lastIssued = max(b.lastIssued, created)
	b.report.Issued++
	return b.store.AddRecords(ctx, []origin.Record{{
		EntryID: last.EntryID, Version: r.Version, SHA256: record.RecordSHA256(signed), Facts: facts, Created: created, JSON: string(signed),
	}})
}
