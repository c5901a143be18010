package generator

import (
	"context"
	"crypto/sha256"
	"sync"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/provenance"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// issue brings the provenance records of every public page up to date: a page
// whose facts differ from its last record gets a new version, which supersedes
// it. Records are kept in the origin, so that nothing is ever signed twice.
// On the way it sums up what each site has. It returns a digest over all current records.
func (b *build) issue(ctx context.Context) (root [32]byte, err error) {
	h := sha256.New()
	for i := range b.sites {
		s := &b.sites[i]
		after := ""
		err := eachPage(ctx, b.store, s.Site.SiteID, func(pages []origin.Page) error {
			current, err := b.issueBatch(ctx, &s.SiteSnapshot, pages, after)
			if err != nil {
				return err
			}
			after = pages[len(pages)-1].EntryID
			b.sumUp(s, pages, current)
			for _, r := range current {
				b.lastIssued = max(b.lastIssued, r.Created)
				if r.SHA256 != "" {
					h.Write([]byte(r.EntryID + " " + r.SHA256 + "\n"))
				}
			}
			return nil
		})
		if err != nil {
			return root, err
		}
	}
	h.Sum(root[:0])
	return root, nil
}

// issueBatch issues what is due among pages and returns the current record of
// each, empty for a page that can have none.
func (b *build) issueBatch(ctx context.Context, f *rights.SiteSnapshot, pages []origin.Page, after string) ([]origin.Record, error) {
	last, err := b.lastRecords(ctx, f.Site.SiteID, pages, after)
	if err != nil {
		return nil, err
	}
	void, err := b.void(ctx, f.Site.SiteID, pages, after, last)
	if err != nil {
		return nil, err
	}
	current := make([]origin.Record, len(pages))
	due := make([]bool, len(pages))
	err = b.parallel(len(pages), func(i int) error {
		r, isDue, err := b.record(f, &pages[i], last[pages[i].EntryID], void[pages[i].EntryID])
		current[i], due[i] = r, isDue
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range current {
		if due[i] {
			if err := b.store.AddRecord(ctx, current[i]); err != nil {
				return nil, err
			}
			b.report.Issued++
		}
	}
	return current, nil
}

// lastRecords finds the newest record of each page of a batch.
func (b *build) lastRecords(ctx context.Context, siteID string, pages []origin.Page, after string) (map[string]origin.Record, error) {
	out := make(map[string]origin.Record, len(pages))
	last := pages[len(pages)-1].EntryID
	for after < last {
		batch, err := b.store.RecordsOf(ctx, siteID, after, pageBatch)
		if err != nil {
			return nil, err
		}
		for _, r := range batch {
			out[r.EntryID] = r
			after = r.EntryID
		}
		if len(batch) < pageBatch {
			break
		}
	}
	return out, nil
}

// record returns the current record of a page, and whether it is new: because
// its facts changed, or because the last one no longer counts.
func (b *build) record(f *rights.SiteSnapshot, p *origin.Page, last origin.Record, void bool) (origin.Record, bool, error) {
	r, ok := rights.Record(f, p, b.opt.BaseURL)
	if !ok {
		return last, false, nil
	}
	facts := rights.RecordFacts(&r)
	if last.Facts == facts && !void {
		return last, false, nil
	}
	r.Version, r.Supersedes = last.Version+1, last.SHA256
	created := max(rights.RecordInstant(f, p, last.Created), b.opt.NotYet)
	r.Proof = exports.Proof{Created: created, KeyID: b.opt.Signer.KeyID()}
	signed, err := provenance.SignRecord(b.opt.Signer, &r)
	if err != nil {
		return last, false, err
	}
	return origin.Record{
		EntryID: p.EntryID, Version: r.Version, SHA256: provenance.RecordSHA256(signed), Facts: facts, Created: created, JSON: string(signed),
	}, true, nil
}

// parallel calls do for 0 … n-1 on all workers and returns the first error by
// number.
func (b *build) parallel(n int, do func(i int) error) error {
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

// decodeRecord reads a record that was issued before.
func decodeRecord(json string) (exports.Record, error) {
	var r exports.Record
	err := wire.Decode([]byte(json), &r, wire.Trusted)
	return r, err
}
