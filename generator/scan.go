package generator

import (
	"context"
	"errors"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/indexbuild"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/rights"
)

// pageScan is the pass over all pages in which everything is made that has a row
// or a document for each.
type pageScan struct {
	b        *build
	catalog  release.Facts // of the tables
	index    *indexbuild.Builder
	sitemaps render.CitationMaps

	sites  errgroup.Group // publishes the lists of publishers
	next   int            // the publisher among b.sites that follows the current one
	newest newestRows     // pages of the current publisher
	done   int64          // pages so far
}

// scanPages reads all pages, once their records are in the ledger. It writes the
// documents of those that are due, the sitemaps, the lists of publishers, the
// index and the files for private look-ups, and keeps the rows for the next build
// and for the tables. The catalog gets its root.
func (b *build) scanPages(ctx context.Context) (err error) {
	s := &pageScan{b: b, sitemaps: render.CitationMaps{Base: b.opt.BaseURL, Put: func(d render.Document) error { return b.put(d) }}}
	s.sites.SetLimit(max(b.opt.Workers, 1))
	if s.index, err = indexbuild.New(b.indexSource(), indexbuild.Options{Put: b.out.putFile, Keep: b.out.keepPacked, Temp: b.out.stage}); err != nil {
		return err
	}
	defer s.index.Close()
	if err := b.spool.beginPass(); err != nil {
		return err
	}
	err = readAhead(ctx, b.readPlacedRows, func(batch placedRows) error { return s.addRows(ctx, batch) })
	if err == nil {
		s.endSites("")
	}
	if err := errors.Join(err, s.sites.Wait()); err != nil {
		return err
	}
	if err := errors.Join(b.spool.finishPass(), s.sitemaps.Finish()); err != nil {
		return err
	}
	if err := s.nameCatalog(); err != nil {
		return err
	}
	return b.writeIndex(ctx, s.index)
}

// placedRows is a batch of rows of one site, with their places in the ledger.
type placedRows struct {
	siteID string
	rows   []pageRow
	logged logged
}

// readPlacedRows reads the rows that the issuing of records left, sets the places
// of those that are due, and keeps them for the next build.
func (b *build) readPlacedRows(ctx context.Context, put func(placedRows) error) error {
	return b.spool.eachBatch(func(rows []pageRow) error {
		logged, err := b.readLogged(ctx, rows)
		if err != nil {
			return err
		}
		for i := range rows {
			if r := &rows[i]; r.due {
				r.position = logged.positionOf(r.toRecord())
			}
			if err := b.spool.rows.writeRow(&rows[i]); err != nil {
				return err
			}
		}
		return put(placedRows{rows[0].page.SiteID, slices.Clone(rows), logged})
	})
}

// addRows adds a batch to all that is made of pages.
func (s *pageScan) addRows(ctx context.Context, batch placedRows) error {
	b, site := s.b, s.b.findSite(batch.siteID)
	s.endSites(batch.siteID)
	for i := range batch.rows {
		r := &batch.rows[i]
		e, ok := indexEntry(site, r)
		if !ok {
			continue
		}
		e.Kept = b.out.packs != nil && b.plan.sameSites && b.plan.keepsFilesOf(batch.siteID)
		if err := s.addEntry(&e, r); err != nil {
			return err
		}
		if e.Withdrawn || b.plan.keepsFilesOf(batch.siteID) {
			continue
		}
		s.newest.add(r)
		if err := s.sitemaps.Add(batch.siteID, r.page.EntryID, max(r.page.ChangedAt, site.PolicyChanged())); err != nil {
			return err
		}
	}
	earlier, err := b.earlierRecords(ctx, batch)
	if err != nil {
		return err
	}
	err = b.runParallel(len(batch.rows), func(i int) error {
		r := &batch.rows[i]
		if !r.due {
			return nil
		}
		last, err := b.lastOf(r)
		if err != nil {
			return err
		}
		return b.publishEntry(site, &r.page, b.signedRecord(last, batch.logged), earlier[r.page.EntryID])
	})
	if s.done += int64(len(batch.rows)); b.opt.Progress != nil {
		b.opt.Progress(s.done, 0, "pages")
	}
	return err
}

// addEntry adds an entry to the index, which has the private look-ups, and to the
// tables.
func (s *pageScan) addEntry(e *indexbuild.Entry, r *pageRow) error {
	key, err := s.index.AddEntry(e)
	if err != nil {
		return err
	}
	row, err := entryRow(&e.Doc.Entry, key, r)
	if err != nil {
		return err
	}
	s.catalog.Add("entries", row.Site, &row)
	return s.b.facts.Add(string(packEntry(&row)), nil)
}

// endSites publishes the lists of the publishers before one, or of all that are
// left, unless they stay as published. Only the first of them can have pages.
func (s *pageScan) endSites(siteID string) {
	b := s.b
	for ; s.next < len(b.sites) && (siteID == "" || b.sites[s.next].Site.SiteID < siteID); s.next++ {
		site := &b.sites[s.next]
		if b.plan.keepsFilesOf(site.Site.SiteID) {
			continue
		}
		newest := s.newest.take()
		s.sites.Go(func() error { return b.publishSite(site, newest) })
	}
}

// nameCatalog computes the root of the catalog, and adds to the tables what is not
// of an entry.
func (s *pageScan) nameCatalog() (err error) {
	b := s.b
	if b.tables, err = render.TablesOf(b.catalog); err != nil {
		return err
	}
	b.tables.AddTo(&s.catalog)
	b.catalog.Release.Root = s.catalog.Root()
	b.report.Release = b.catalog.Release
	return nil
}

// earlierRecords reads the records that the newest ones of a batch superseded,
// of those pages that are due.
func (b *build) earlierRecords(ctx context.Context, batch placedRows) (map[string][]render.SignedRecord, error) {
	newest := map[string]int64{}
	for i := range batch.rows {
		if r := &batch.rows[i]; r.due && r.version > 1 {
			newest[r.page.EntryID] = r.version
		}
	}
	if len(newest) == 0 {
		return nil, nil
	}
	versions, err := b.store.Versions(ctx, slices.Collect(maps.Keys(newest))...)
	earlier := map[string][]render.SignedRecord{}
	for _, v := range versions {
		if v.Version != newest[v.EntryID] {
			earlier[v.EntryID] = append(earlier[v.EntryID], b.signedRecord(v, batch.logged))
		}
	}
	return earlier, err
}

// publishEntry publishes the record of a page, its earlier versions, its
// citation and its page for people.
func (b *build) publishEntry(s *rights.SiteSnapshot, p *origin.Page, last render.SignedRecord, earlier []render.SignedRecord) error {
	e := render.NewEntry(s, p, b.opt.BaseURL, last, earlier)
	if e.Citation != nil {
		var err error
		if e.Card, err = b.entryCard(s, e.Citation); err != nil {
			return err
		}
	}
	return b.entries.write(&e)
}

// signedRecord returns a record with its place in the ledger.
func (b *build) signedRecord(r origin.Record, logged logged) render.SignedRecord {
	at := logged.positionOf(r)
	if at == record.NotLogged {
		return render.SignedRecord{Record: r}
	}
	return render.SignedRecord{Record: r, Place: &exports.LedgerPlace{Origin: b.log.name, Index: at}}
}

// lastOf returns the newest record of a row, with its text if the row is due.
func (b *build) lastOf(r *pageRow) (origin.Record, error) {
	last := r.toRecord()
	text, err := b.spool.readRecord(r.text)
	last.JSON = text
	return last, err
}
