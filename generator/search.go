package generator

import (
	"context"

	"colophon/exports"
	"colophon/generator/render"
	"colophon/internal/indexbuild"
	"colophon/internal/release"
	"colophon/internal/rights"
	"colophon/internal/searchindex"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
	"colophon/internal/wire"
)

// writeIndex writes the static index, from which search, paging and look-ups
// are answered.
func (b *build) writeIndex(ctx context.Context, index *indexbuild.Builder) error {
	x, ranges, err := index.Write(ctx, b.catalog.Release)
	if err != nil {
		return err
	}
	b.ranges = ranges
	folder := staticindex.Prefix(staticindex.Unnamed)
	if b.out.packs != nil {
		folder = staticindex.Folder
	}
	list, gen, digest := indexbuild.ListFiles(folder, b.out.rowsBelow(folder)) // the same in both forms
	if packs, ok := b.entries.(*packForm); ok {
		packs.generation = gen
	} else if err := b.out.renameFolder(folder, staticindex.Prefix(gen)); err != nil {
		return err
	}
	x.Current.Gen = gen
	b.index = x.Current
	if err := b.out.putFile(staticindex.IndexKey, wire.Append(nil, &x)); err != nil || b.opt.Ledger == nil {
		return err
	}
	if err := b.out.putFile(exports.Key(staticindex.Prefix(gen)+render.IndexManifest), list); err != nil {
		return err
	}
	return b.logIndex(ctx, digest)
}

// indexSource returns everything that can be found with the index, except the
// entries.
func (b *build) indexSource() indexbuild.Source {
	return indexbuild.Source{
		LedgerSize: b.log.indexed,
		Publishers: present(b.catalog.Publishers, func(p *render.Publisher) *exports.Publisher { return p.Record }),
		Map:        present(b.catalog.Publishers, func(p *render.Publisher) *exports.MapRecord { return p.Map }),
		Offers:     b.catalog.Offers,
		Listed:     b.catalog.ListedSince(),
		States:     b.siteStates(),
		Demand:     b.catalog.Demand,

		Reservations: b.catalog.Reservations,
		Hosts:        hostsOf(b.catalog.Publishers),
	}
}

// hostsOf returns the hosts whose control was proved, with the vectors of their
// sites.
func hostsOf(publishers []*render.Publisher) (rows []release.RangeRow) {
	for _, p := range publishers {
		for _, w := range p.Websites {
			if w.Associated {
				key := urlkey.LookupKey(urlkey.LookupHost, w.Host)
				rows = append(rows, release.RangeRow{Key: [16]byte(key[:]), Site: release.SiteMark(p.Site.SiteID), Vector: release.RangeVector(p.Vector())})
			}
		}
	}
	return rows
}

// siteStates returns the state of each publisher.
func (b *build) siteStates() map[string]*exports.Release {
	states := make(map[string]*exports.Release, len(b.sites))
	for _, p := range b.catalog.Publishers {
		states[p.Site.SiteID] = &p.State
	}
	return states
}

// present returns find(v) for each item of a list for which it is not nil.
func present[T, R any](list []T, find func(T) *R) (found []R) {
	for _, v := range list {
		if r := find(v); r != nil {
			found = append(found, *r)
		}
	}
	return found
}

// indexEntry returns the index's row of a page. A withdrawn page that had a
// record can still be looked up, so that its record is found, and so can one
// that moved.
func indexEntry(f *rights.SiteSnapshot, r *pageRow) (indexbuild.Entry, bool) {
	p := &r.page
	record, ok := rights.Lookup(f, p)
	if !ok || p.State != "active" && r.version == 0 && p.Successor == "" {
		return indexbuild.Entry{}, false
	}
	e := indexbuild.Entry{
		Doc:      searchindex.Doc{Entry: record.Entry, Publisher: record.Publisher.Name, LicenseIDs: record.LicenseIDs, Closed: !f.Site.AcceptsInquiries},
		Registry: p.Registry, RecordVersion: r.version, RecordSHA256: r.sha256, LedgerIndex: r.position, Withdrawn: p.State != "active",
		Successor: p.Successor, SuccessorURL: p.SuccessorURL, Byline: p.Byline,
	}
	if record.Digest != "" {
		e.ISCC = p.ISCC
	}
	return e, true
}
