package generator

import (
	"context"
	"sync"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// issueRecords brings the provenance records of all public pages up to date: a
// page whose facts differ from its last record gets a new version, which
// supersedes the last. Records are kept in the origin, so that nothing is ever
// signed twice. It also sums up the pages of each site, and keeps the rows for
// the following passes. It works on three batches at once: it reads one, issues
// the one before, and sums up the one before that.
func (b *build) issueRecords(ctx context.Context) error {
	if err := b.spool.beginPass(); err != nil {
		return err
	}
	if err := b.issueTombstones(ctx); err != nil {
		return err
	}
	issue := func(ctx context.Context, put func(rowBatch) error) error {
		return readAhead(ctx, b.readRowBatches, func(batch rowBatch) error {
			if err := b.issueBatch(ctx, batch.site, batch.rows); err != nil {
				return err
			}
			if err := b.keepRows(batch.rows); err != nil {
				return err
			}
			return put(batch)
		})
	}
	if err := readAhead(ctx, issue, b.sumUp); err != nil {
		return err
	}
	return b.spool.finishPass()
}

// rowBatch is a batch of rows of one site, ordered by entry id.
type rowBatch struct {
	site   *siteFacts
	rows   []pageRow
	isLast bool // end of the site; has no rows
}

// readRowBatches passes the rows of all sites to put, each with its newest
// record.
func (b *build) readRowBatches(ctx context.Context, put func(rowBatch) error) error {
	for i := range b.sites {
		s := &b.sites[i]
		if err := b.eachRow(ctx, s, func(rows []pageRow) error { return put(rowBatch{site: s, rows: rows}) }); err != nil {
			return err
		}
		if err := put(rowBatch{site: s, isLast: true}); err != nil {
			return err
		}
	}
	return b.plan.skipSites(afterAllSites)
}

// afterAllSites sorts after every site id.
const afterAllSites = "\x7f"

// keepRows keeps the rows of a batch for the following passes.
func (b *build) keepRows(rows []pageRow) error {
	for i := range rows {
		r := &rows[i]
		b.lastIssued = max(b.lastIssued, r.created)
		if r.due {
			b.report.Due++
			if err := b.spool.putRecord(r, r.last.JSON); err != nil {
				return err
			}
		}
		if err := b.spool.rows.writeRow(r); err != nil {
			return err
		}
	}
	return nil
}

// issueBatch issues the records that are due for the pages of a batch.
func (b *build) issueBatch(ctx context.Context, s *siteFacts, rows []pageRow) error {
	void, err := b.findVoidRecords(ctx, rows)
	if err != nil {
		return err
	}
	isIssued := make([]bool, len(rows))
	err = b.runParallel(len(rows), func(i int) error {
		r := &rows[i]
		if !r.due {
			return nil
		}
		next, isNew, err := b.currentRecord(&s.SiteSnapshot, &r.page, r.last, void[r.page.EntryID])
		if isNew {
			isIssued[i], r.last = true, next
			r.setRecord(next)
		}
		return err
	})
	if err != nil {
		return err
	}
	var issued []origin.Record
	for i := range rows {
		if isIssued[i] {
			issued = append(issued, rows[i].last)
		}
	}
	if err := b.store.AddRecords(ctx, issued); err != nil {
		return err
	}
	b.report.Issued += int64(len(issued))
	return nil
}

// currentRecord returns the current record of a page, and whether it is new. It
// is new if the facts changed, or if the last record is void.
func (b *build) currentRecord(f *rights.SiteSnapshot, p *origin.Page, last origin.Record, void bool) (origin.Record, bool, error) {
	r, ok := rights.Record(f, p, b.opt.BaseURL)
	if !ok {
		return last, false, nil
	}
	facts := rights.RecordFacts(&r)
	if last.Facts == facts && !void {
		return last, false, nil
	}
	next, err := b.signRecord(&r, facts, &last, max(rights.RecordInstant(f, p, last.Created), b.opt.NotYet))
	if err != nil {
		return last, false, err
	}
	return next, true, nil
}

// signRecord signs a record that supersedes the last one of its entry, if there is
// one. facts is its digest, see rights.RecordFacts.
func (b *build) signRecord(r *exports.Record, facts string, last *origin.Record, created string) (origin.Record, error) {
	r.Version, r.Supersedes = last.Version+1, last.SHA256
	r.Proof = exports.Proof{Created: created, KeyID: b.opt.Signer.KeyID()}
	signed, err := record.SignRecord(b.opt.Signer, r)
	return origin.Record{
		EntryID: r.EntryID, Version: r.Version, SHA256: record.RecordSHA256(signed), Facts: facts, Created: created, JSON: string(signed),
	}, err
}

// runParallel calls do for 0 … n-1 on all workers. Of several errors it returns
// the one with the lowest number.
func (b *build) runParallel(n int, do func(i int) error) error {
	workers := min(max(b.opt.Workers, 1), n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < n; i += workers {
				errs[i] = do(i)
			}
		}()
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// decodeRecord decodes a record that was issued before.
func decodeRecord(json string) (exports.Record, error) {
	var r exports.Record
	err := wire.Decode([]byte(json), &r, wire.Trusted)
	return r, err
}
