package generator

import (
	"cmp"
	"context"
	"sort"
	"strings"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/rights"
	"colophon/internal/wire"
)

// How much of the long lists is published as plain first pages; what lies
// beyond is answered from the index.
const (
	newestPerSite   = 250
	newestOverall   = 250
	recordsPerSite  = 100
	inventoryOnPage = 50
)

// render spells every family of files.
func (b *build) render(ctx context.Context) error {
	records, err := b.issue(ctx)
	if err != nil {
		return err
	}
	if b.opt.Pages != nil {
		b.opt.Pages(b.report.Pages)
	}
	b.name(records)
	b.report.Publishers = int64(len(b.sites))
	steps := []func(context.Context) error{b.readDemand, b.appendLedger, b.writeIndex, b.publishLedger}
	if b.machine { // what is invented is not logged
		steps = []func(context.Context) error{b.readDemand, b.writeIndex}
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if !b.machine {
		if err := b.assets(); err != nil {
			return err
		}
	}
	b.entries = b.newEntryForm(ctx)
	defer b.entries.close()
	if err := b.publishEntries(ctx); err != nil {
		return err
	}
	if err := b.entries.finish(ctx); err != nil {
		return err
	}
	if err := b.packs(ctx); err != nil {
		return err
	}
	for _, family := range []func() error{
		b.publishers, b.inventories, b.siteRecords, b.categoryFiles, b.feeds, b.demandList, b.offers, b.rightsMap, b.stats, b.manifests,
	} {
		if err := family(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if b.machine {
		return nil
	}
	if err := b.pages(); err != nil {
		return err
	}
	return b.sandbox(ctx)
}

// publishEntries writes what every page that is due has of its own.
func (b *build) publishEntries(ctx context.Context) error {
	after, done := map[string]string{}, int64(0)
	return b.spool.each(func(rows []pageRow) error {
		siteID := rows[0].page.SiteID
		logged, err := b.logged(ctx, siteID, rows, after[siteID])
		if err != nil {
			return err
		}
		after[siteID] = rows[len(rows)-1].page.EntryID
		s := b.site(siteID)
		err = b.parallel(len(rows), func(i int) error {
			r := &rows[i]
			if !r.due {
				return nil
			}
			text, err := b.spool.readRecord(r.text)
			if err != nil {
				return err
			}
			last := r.record()
			last.JSON = text
			return b.publishEntry(ctx, s, &r.page, last, logged)
		})
		if done += int64(len(rows)); b.opt.Progress != nil {
			b.opt.Progress(done, 0, "pages")
		}
		return err
	})
}

// publishEntry publishes the record of a page, its earlier versions, its
// citation and its page for people. A page that may not appear has no citation.
func (b *build) publishEntry(ctx context.Context, s *rights.SiteSnapshot, p *origin.Page, last origin.Record, logged logged) error {
	e := entryDocuments{entryID: p.EntryID, current: b.signedRecord(last, logged)}
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
	c, ok := rights.Citation(s, p, logged.position(last))
	if ok {
		c.Ledger = e.current.proof
		e.citation = &c
	}
	if err := b.entries.write(&e); err != nil {
		return err
	}
	if !ok || b.machine {
		return nil
	}
	return b.citationPage(&c, last)
}

// signedRecord is a record with its proof.
func (b *build) signedRecord(r origin.Record, logged logged) signedRecord {
	return signedRecord{r, b.log.proof(logged.of(r))}
}

// sumUp adds a batch to the tally of its site.
func (b *build) sumUp(s *siteFacts, rows []pageRow) {
	for i := range rows {
		r := &rows[i]
		f, ok := rights.Feed(&s.SiteSnapshot, &r.page)
		if r.version > 0 {
			s.tally.Versions += r.version
			s.latest = append(s.latest, recordRef{r.page.EntryID, r.created, r.sha256, r.text})
			if ok {
				s.tally.AddRecord(r.created)
			}
		}
		if !ok {
			continue
		}
		b.report.Pages++
		s.tally.Add(&f.Entry, r.page.ChangedAt, f.LicenseIDs)
		s.newest = append(s.newest, f)
	}
	s.newest = newestFirst(s.newest, newestPerSite)
	s.latest = latestFirst(s.latest, recordsPerSite)
}

func newestFirst(list []exports.FeedRecord, n int) []exports.FeedRecord {
	sort.Slice(list, func(i, j int) bool { return newerFirst(&list[i], &list[j]) < 0 })
	return list[:min(len(list), n)]
}

// newerFirst orders pages: the one registered last first, then by id.
func newerFirst(a, b *exports.FeedRecord) int {
	return cmp.Or(strings.Compare(b.RegisteredAt, a.RegisteredAt), strings.Compare(a.EntryID, b.EntryID))
}

func latestFirst(list []recordRef, n int) []recordRef {
	sort.Slice(list, func(i, j int) bool {
		if list[i].created != list[j].created {
			return list[i].created > list[j].created
		}
		return list[i].entryID < list[j].entryID
	})
	return list[:min(len(list), n)]
}

// json writes a record as the file that answers a path.
func (b *build) json(path string, r wire.Record) error {
	return b.out.put(exports.KeyOf(path), wire.Append(nil, r))
}
