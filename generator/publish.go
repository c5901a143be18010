package generator

import (
	"context"
	"sort"

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

// publish spells every family of files.
func (b *build) publish(ctx context.Context) error {
	records, err := b.issue(ctx)
	if err != nil {
		return err
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
	for i := range b.sites {
		if err := b.publishEntries(ctx, &b.sites[i]); err != nil {
			return err
		}
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

// publishEntries writes what every page has of its own.
func (b *build) publishEntries(ctx context.Context, s *siteFacts) error {
	after, done := "", int64(0)
	return eachPage(ctx, b.store, s.Site.SiteID, func(pages []origin.Page) error {
		last, err := b.lastRecords(ctx, s.Site.SiteID, pages, after)
		if err != nil {
			return err
		}
		logged, err := b.logged(ctx, s.Site.SiteID, pages, after)
		if err != nil {
			return err
		}
		after = pages[len(pages)-1].EntryID
		err = b.parallel(len(pages), func(i int) error {
			return b.publishEntry(ctx, s, &pages[i], last[pages[i].EntryID], logged)
		})
		if done += int64(len(pages)); b.opt.Progress != nil {
			b.opt.Progress(done, 0, "pages")
		}
		return err
	})
}

// publishEntry writes the record of a page, its earlier versions, its citation
// and its page for people. A page that may not appear has no citation.
func (b *build) publishEntry(ctx context.Context, s *siteFacts, p *origin.Page, last origin.Record, logged logged) error {
	c, ok := rights.Citation(&s.SiteSnapshot, p, logged.position(last))
	if err := b.recordFiles(ctx, last, logged, ok); err != nil || !ok {
		return err
	}
	c.Ledger = b.log.proof(logged.of(last))
	if err := b.out.put(exports.KeyOf(exports.CitationPath(p.EntryID)), wire.Append(nil, &c)); err != nil {
		return err
	}
	if b.machine {
		return nil
	}
	return b.citationPage(s, &c, last)
}

// recordFiles writes the current record of a page and those it superseded,
// with the inclusion proofs that no citation carries.
func (b *build) recordFiles(ctx context.Context, last origin.Record, logged logged, cited bool) error {
	if last.JSON == "" {
		return nil
	}
	if err := b.out.put(exports.KeyOf(exports.RecordPath(last.EntryID)), []byte(last.JSON)); err != nil {
		return err
	}
	versions := []origin.Record{last}
	if last.Version > 1 {
		var err error
		if versions, err = b.store.Versions(ctx, last.EntryID); err != nil {
			return err
		}
		for _, v := range versions {
			if err := b.out.put(exports.KeyOf(exports.RecordVersionPath(v.EntryID, v.Version)), []byte(v.JSON)); err != nil {
				return err
			}
		}
	}
	for _, v := range versions {
		proof := b.log.proof(logged.of(v))
		if proof == nil || cited && v.Version == last.Version {
			continue
		}
		if err := b.out.put(exports.KeyOf(exports.ProofPath(v.EntryID, v.Version)), []byte(proof.Proof)); err != nil {
			return err
		}
	}
	return nil
}

// sumUp adds a batch to the tally of its site.
func (b *build) sumUp(s *siteFacts, pages []origin.Page, current []origin.Record) {
	for i := range pages {
		f, ok := rights.Feed(&s.SiteSnapshot, &pages[i])
		if r := current[i]; r.JSON != "" {
			s.tally.Versions += r.Version
			s.latest = append(s.latest, recordRef{r.EntryID, r.Created, r.JSON})
			if ok {
				s.tally.AddRecord(r.Created)
			}
		}
		if !ok {
			continue
		}
		b.report.Pages++
		s.tally.Add(&f.Entry, pages[i].ChangedAt, f.LicenseIDs)
		s.newest = append(s.newest, f)
	}
	s.newest = newestFirst(s.newest, newestPerSite)
	s.latest = latestFirst(s.latest, recordsPerSite)
}

func newestFirst(list []exports.FeedRecord, n int) []exports.FeedRecord {
	sort.Slice(list, func(i, j int) bool {
		if list[i].RegisteredAt != list[j].RegisteredAt {
			return list[i].RegisteredAt > list[j].RegisteredAt
		}
		return list[i].EntryID < list[j].EntryID
	})
	return list[:min(len(list), n)]
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
