package generator

import (
	"context"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/generator/snapshot"
	"colophon/internal/origin"
	"colophon/internal/record"
	"colophon/internal/rights"
)

// newestOverall is the number of recently registered pages from which the feed
// is made.
const newestOverall = 250

// renderFiles renders all files.
func (b *build) renderFiles(ctx context.Context) error {
	b.tellSize(b.origin.Changes) // every page was a change
	if err := b.issueRecords(ctx); err != nil {
		return err
	}
	b.tellSize(b.report.Pages)
	if err := b.summarize(ctx); err != nil {
		return err
	}
	if err := b.publishAssets(); err != nil { // the frame of the pages needs their names
		return err
	}
	b.entries = b.newEntryForm()
	defer b.entries.close()
	for _, step := range []func(context.Context) error{b.appendLedger, b.collectFacts, b.writeIndex, b.publishLedger} {
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

// summarize names the release and makes the catalog, once all pages are summed up.
func (b *build) summarize(ctx context.Context) error {
	named := b.nameRelease()
	demand, err := snapshot.Demand(ctx, b.store, named.GeneratedAt)
	if err != nil {
		return err
	}
	reservations, err := snapshot.Reservations(ctx, b.store, b.origin.Public)
	if err != nil {
		return err
	}
	publishers := make([]*render.Publisher, len(b.sites))
	for i := range b.sites {
		s := &b.sites[i]
		s.State = s.state()
		publishers[i] = &s.Publisher
	}
	b.catalog = render.NewCatalog(named, publishers, b.origin.Categories, demand, b.newestRecords())
	b.catalog.Reservations = reservations
	b.report.Publishers = int64(len(b.sites))
	return nil
}

// publishAssets publishes style sheet, scripts and icons.
func (b *build) publishAssets() error {
	service, assets, err := render.NewService(b.opt.BaseURL, b.opt.Name, &b.opt.Brand)
	if err != nil {
		return err
	}
	b.service, b.frame = service, service.Frame("").Shared()
	return b.put(assets...)
}

// publishFamilies writes the files that are not about single entries.
func (b *build) publishFamilies(ctx context.Context) error {
	if err := b.publishChannels(ctx); err != nil {
		return err
	}
	if err := b.eachChangedSite(b.publishSite); err != nil {
		return err
	}
	log, err := b.describeLog(ctx)
	if err != nil {
		return err
	}
	s, c := b.service, b.catalog
	c.LedgerSize = b.log.size
	docs := append(append(render.CategoryLists(c), render.Feeds(c)...), render.Demand(c), render.Stats(c))
	for _, family := range []func() ([]render.Document, error){
		func() ([]render.Document, error) { return render.Publishers(c, b.origin.Latest) },
		func() ([]render.Document, error) { return render.Offers(s.BaseURL, c) },
		func() ([]render.Document, error) { return render.RightsMap(s.BaseURL, c) },
		func() ([]render.Document, error) { return render.Manifests(s, c, &b.opt.Keys, log) },
		func() ([]render.Document, error) { return render.Pages(s, c, log) },
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		some, err := family()
		if err != nil {
			return err
		}
		docs = append(docs, some...)
	}
	if err := b.putAll(docs); err != nil {
		return err
	}
	return b.publishSandbox()
}

// describeLog returns the log with its last events, nil if no log is kept.
func (b *build) describeLog(ctx context.Context) (*render.Log, error) {
	if b.opt.Ledger == nil {
		return nil, nil
	}
	log := &render.Log{
		Name: b.log.name, Size: b.log.size, Root: b.log.root, Note: b.log.note, Policy: b.log.policy, Keys: b.opt.Ledger.Keys, Index: b.index, Indexed: b.log.indexed,
	}
	lines, err := b.store.LedgerLines(ctx, b.log.size, render.EventsOnPage)
	for i := range lines {
		log.Events = append(log.Events, rights.LedgerRow(b.findSite(lines[i].SiteID), &lines[i]))
	}
	return log, err
}

func (b *build) tellSize(pages int64) {
	if b.opt.Size != nil {
		b.opt.Size(pages, int64(len(b.sites)))
	}
}

// publishEntries writes the documents of every page that is due, and the
// sitemaps of all pages.
func (b *build) publishEntries(ctx context.Context) error {
	done := int64(0)
	sitemaps := render.CitationMaps{Base: b.opt.BaseURL, Put: func(d render.Document) error { return b.put(d) }}
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
		if err != nil || s == nil || b.plan.keepsFilesOf(batch.siteID) {
			return err
		}
		for i := range rows {
			p := &rows[i].page
			if _, ok := rights.Entry(s, p); !ok {
				continue
			}
			if err := sitemaps.Add(p.SiteID, p.EntryID, max(p.ChangedAt, s.PolicyChanged())); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return sitemaps.Finish()
}

// publishEntry publishes the record of a page, its earlier versions, its
// citation and its page for people.
func (b *build) publishEntry(ctx context.Context, s *rights.SiteSnapshot, p *origin.Page, last origin.Record, logged logged) error {
	var earlier []render.SignedRecord
	if last.Version > 1 {
		versions, err := b.store.Versions(ctx, p.EntryID)
		if err != nil {
			return err
		}
		for _, v := range versions {
			if v.Version != last.Version {
				earlier = append(earlier, b.signedRecord(v, logged))
			}
		}
	}
	e := render.NewEntry(s, p, b.opt.BaseURL, b.signedRecord(last, logged), earlier)
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

// sumUp adds a batch to the sums of its site, and finishes the site after its
// last batch.
func (b *build) sumUp(batch rowBatch) error {
	s, rows := batch.site, batch.rows
	if batch.isLast {
		return b.finishSite(s)
	}
	for i := range rows {
		r := &rows[i]
		f, ok := rights.Feed(&s.SiteSnapshot, &r.page)
		s.Tally.Versions += r.version
		s.Changed = max(s.Changed, r.page.ChangedAt, r.created)
		if !ok {
			continue
		}
		if r.version > 0 {
			s.Tally.AddRecord(r.created)
		}
		b.report.Pages++
		b.line = r.appendListed(b.line[:0], &f)
		s.pages.Write(b.line)
		s.Tally.Add(&f.Entry, r.page.ChangedAt, f.LicenseIDs)
		s.Sitemaps.Take(r.page.EntryID)
		s.addNewest(*r)
	}
	s.newest = cutNewest(s.newest, render.NewestPerSite)
	return nil
}

// appendListed appends everything that lists show of a page: its facts and its
// verdicts.
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

// lastOf returns the newest record of a row, with its text.
func (b *build) lastOf(r *pageRow) (origin.Record, error) {
	last := r.toRecord()
	text, err := b.spool.readRecord(r.text)
	last.JSON = text
	return last, err
}
