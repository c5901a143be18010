package generator

import (
	"context"
	"strings"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/generator/snapshot"
	"colophon/internal/rights"
	"colophon/internal/staticindex"
)

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
	if err := b.publishCards(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{b.appendLedger, b.scanPages, b.publishLedger, b.publishFamilies, b.entries.finish, b.renderTables} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
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
	b.catalog = render.NewCatalog(named, publishers, b.origin.Categories, demand, b.feedOf(b.newest.take()))
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
	for _, a := range assets {
		if err := b.out.putFile(a.Key, a.Data); err != nil {
			return err
		}
	}
	return nil
}

// publishFamilies writes the files that are not about single entries.
func (b *build) publishFamilies(ctx context.Context) error {
	if err := b.publishChannels(ctx); err != nil {
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
	var err error
	log.Events, err = b.lastEvents(ctx)
	return log, err
}

func (b *build) tellSize(pages int64) {
	if b.opt.Size != nil {
		b.opt.Size(pages, int64(len(b.sites)))
	}
}

// sumUp adds a batch to the sums of its site, and finishes the site after its
// last batch.
func (b *build) sumUp(batch rowBatch) error {
	s, rows := batch.site, batch.rows
	if batch.isLast {
		s.Tally.Settle()
		s.Changed = strings.Clone(s.Changed) // a substring of a row, whose memory it would keep
		return nil
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
		b.newest.add(r)
	}
	return nil
}

// appendListed appends everything that lists show of a page: its facts and its
// verdicts.
func (r *pageRow) appendListed(b []byte, f *exports.FeedRecord) []byte {
	b = r.appendFacts(b)
	for _, s := range [...]string{f.Publisher.Name, f.Digest, f.RightsVector, f.RightsAsOf} {
		b = staticindex.AppendText(b, s)
	}
	for _, id := range f.LicenseIDs {
		b = staticindex.AppendText(b, id)
	}
	return b
}
