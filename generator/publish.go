package generator

import (
	"context"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// How much of the long lists is published as plain first pages; what lies
// beyond is answered from the index.
const (
	newestPerSite = 250
	newestOverall = 250
	recordsOnPage = 100
	itemsOnPage   = 20 // of the first page of an inventory
)

// renderFiles spells every family of files.
func (b *build) renderFiles(ctx context.Context) error {
	b.tellSize(b.changes) // each page was a change
	if err := b.issueRecords(ctx); err != nil {
		return err
	}
	b.tellSize(b.report.Pages)
	b.nameRelease()
	b.report.Publishers = int64(len(b.sites))
	b.describeSites()
	if err := b.publishAssets(); err != nil { // whose names the frame of pages has
		return err
	}
	b.entries = b.newEntryForm()
	defer b.entries.close()
	for _, step := range []func(context.Context) error{b.readDemand, b.appendLedger, b.collectFacts, b.writeIndex, b.publishLedger} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := b.publishCards(); err != nil {
		return err
	}
	if err := b.publishEntries(ctx); err != nil {
		return err
	}
	if err := b.publishFamilies(ctx); err != nil {
		return err
	}
	return b.entries.finish(ctx)
}

// publishFamilies writes what is not of single entries.
func (b *build) publishFamilies(ctx context.Context) error {
	if err := b.publishPacks(ctx); err != nil {
		return err
	}
	for _, family := range []func() error{
		b.publishPublishers, b.publishInventories, b.siteRecords, b.categoryFiles, b.publishFeeds, b.demandList, b.publishOffers, b.rightsMap, b.publishStats, b.publishManifests,
	} {
		if err := family(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, family := range []func() error{b.publishPages, b.publishSandbox} {
		if err := family(); err != nil {
			return err
		}
	}
	return nil
}

func (b *build) tellSize(pages int64) {
	if b.opt.Size != nil {
		b.opt.Size(pages, int64(len(b.sites)))
	}
}

// publishEntries writes what every page that is due has of its own, and on the way the
// sitemaps of all.
func (b *build) publishEntries(ctx context.Context) error {
	done := int64(0)
	sitemaps := citationMaps{b: b}
	err := b.eachLogged(ctx, func(batch loggedBatch) error {
		rows, logged := batch.rows, batch.logged
		s := b.findSite(batch.siteID)
		err := b.runParallel(len(rows), func(i int) error {
			r := &rows[i]
			if !r.due {
				return nil
			}
			last, err := b.lastOf(r)
			if err != nil {
				return err
			}
			return b.publishEntry(ctx, s, &r.page, last, logged)
		})
		if done += int64(len(rows)); b.opt.Progress != nil {
			b.opt.Progress(done, 0, "pages")
		}
		if err != nil || s == nil {
			return err
		}
		return sitemaps.add(s, rows)
	})
	if err != nil {
		return err
	}
	return sitemaps.finish()
}

// publishEntry publishes the record of a page, its earlier versions, its
// citation and its page for people. A page that may not appear has no citation.
func (b *build) publishEntry(ctx context.Context, s *rights.SiteSnapshot, p *origin.Page, last origin.Record, logged logged) (err error) {
	e := entryDocuments{siteID: p.SiteID, entryID: p.EntryID, current: b.signedRecord(last, logged)}
	if last.Version > 1 {
		versions, err := b.store.Versions(ctx, p.EntryID)
		if err != nil {
			return err
		}
		for _, v := range versions {
			if v.Version != last.Version {
				e.earlier = append(e.earlier, b.signedRecord(v, logged))
			}
		}
	}
	c, ok := rights.Citation(s, p)
	if ok {
		c.SetPlace(e.current.place)
		e.citation = &c
		if e.page, err = b.pageFacts(s, p, &c); err != nil {
			return err
		}
	}
	return b.entries.write(&e)
}

// pageFacts returns what the page of an entry shows beside its citation and
// record. It publishes the card of the entry, if it has its own.
func (b *build) pageFacts(s *rights.SiteSnapshot, p *origin.Page, c *exports.Citation) (f pageFacts, err error) {
	f.asks = s.Site.AcceptsInquiries
	if e, ok := rights.Entry(s, p); ok {
		f.terms = e.Terms
	}
	f.card, err = b.entryCard(s, c)
	return f, err
}

// signedRecord returns a record with its place in the ledger.
func (b *build) signedRecord(r origin.Record, logged logged) signedRecord {
	at := logged.positionOf(r)
	if at == record.NotLogged {
		return signedRecord{r, nil}
	}
	return signedRecord{r, &exports.LedgerPlace{Origin: b.log.name, Index: at}}
}

// sumUp adds a batch to the tally of its site, and finishes the site after its last one.
func (b *build) sumUp(batch rowBatch) error {
	s, rows := batch.site, batch.rows
	if batch.isLast {
		return b.finishSite(s)
	}
	for i := range rows {
		r := &rows[i]
		f, ok := rights.Feed(&s.SiteSnapshot, &r.page)
		s.tally.Versions += r.version
		s.changed = max(s.changed, r.page.ChangedAt, r.created)
		if !ok {
			continue
		}
		if r.version > 0 {
			s.tally.AddRecord(r.created)
		}
		b.report.Pages++
		b.line = r.appendListed(b.line[:0], &f)
		s.pages.Write(b.line)
		s.tally.Add(&f.Entry, r.page.ChangedAt, f.LicenseIDs)
		s.sitemaps.take(r.page.EntryID)
		s.addNewest(*r)
	}
	s.newest = cutNewest(s.newest, newestPerSite)
	return nil
}

// appendListed spells all that lists show of a page: its facts, and what is judged of it.
func (r *pageRow) appendListed(b []byte, f *exports.FeedRecord) []byte {
	b = r.appendFacts(b)
	for _, s := range [...]string{f.Publisher.Name, f.Digest, f.RightsVector, f.RightsAsOf} {
		b = appendText(b, s)
	}
	for _, id := range f.LicenseIDs {
		b = appendText(b, id)
	}
	return b
}

// writeRecord writes a record as the file that answers a path.
func (b *build) writeRecord(path string, r wire.Record) error {
	return b.out.putFile(exports.KeyOf(path), wire.Append(nil, r))
}

// lastOf returns the newest record of a row, with its text.
func (b *build) lastOf(r *pageRow) (origin.Record, error) {
	last := r.toRecord()
	text, err := b.spool.readRecord(r.text)
	last.JSON = text
	return last, err
}
