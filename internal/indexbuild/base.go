package indexbuild

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"colophon/internal/listing"
	"colophon/internal/lookup"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/staticindex"
)

// Base is a published generation over which another one is laid. That one has only
// what changed since, and so much of what is small that it is written again each
// time: publishers, the rights map, offers, demand and the directory of sites.
type Base struct {
	Generation staticindex.Base
	Facts      *Facts
	// Changed are the ids of all entries, in order, that were added, changed or taken
	// out since the base, or whose publisher changed.
	Changed []string
}

// base is a Base with what a build looks up in it.
type base struct {
	Base
	changed map[string]bool
	rows    map[string]int // the pages of its facts that changed, by id
}

func newBase(x Base) *base {
	out := &base{Base: x, changed: make(map[string]bool, len(x.Changed)), rows: make(map[string]int, len(x.Changed))}
	for _, id := range x.Changed {
		out.changed[id] = true
	}
	for row, id := range x.Facts.IDs {
		if out.changed[id] {
			out.rows[id] = row
		}
	}
	return out
}

// layLedger lays the ledger entries over those of the base. They came with the newest
// first: the new ones, and older ones of which something changed.
func (b *builder) layLedger() {
	f := b.base.Facts
	var dropped, before []uint32
	for _, position := range b.positions {
		place, ok := f.ledgerPlace(position)
		if ok {
			dropped = append(dropped, place)
		}
		before = append(before, place)
	}
	b.ledger.LayOver(indexer.Base{Records: f.LedgerRows, MeanLength: f.LedgerMeanLength}, dropped, before)
}

// ledgerPlace is the place in the base of the ledger entry at a position, the newest
// at 0, and whether the base has it.
func (f *Facts) ledgerPlace(position int64) (place uint32, ok bool) {
	if position >= f.LedgerSize {
		return 0, false
	}
	after := f.LedgerSize - 1 - position
	skipped := sort.Search(len(f.NoRows), func(i int) bool { return f.NoRows[i] > position })
	after -= int64(len(f.NoRows) - skipped)
	return uint32(after), true
}

// layPages lays the pages over those of the base.
func (b *builder) layPages() error {
	x, p := b.base, b.pages
	if err := p.checkSites(); err != nil {
		return err
	}
	b.sum.Write([]byte(x.Generation.Gen + "\n" + strings.Join(x.Changed, "\n") + "\n"))
	dropped := make([]uint32, 0, len(x.rows))
	for _, row := range x.rows {
		dropped = append(dropped, x.Facts.Number[row])
	}
	slices.Sort(dropped)
	before := make([]uint32, len(p.ids))
	for i, id := range p.ids {
		before[i] = uint32(len(x.Facts.IDs))
		if row, ok := x.rows[id]; ok {
			before[i] = x.Facts.Number[row]
		}
	}
	p.c.LayOver(indexer.Base{Records: len(x.Facts.IDs), MeanLength: x.Facts.PageMeanLength}, dropped, before)
	return nil
}

// errSiteOrder is the error of an index that cannot be laid over another.
var errSiteOrder = errors.New("the sites are not in order")

// checkSites fails where sites with pages do not come by their ids.
func (p *pages) checkSites() error {
	last := ""
	for i := range p.sites {
		if p.sites[i].Count == 0 {
			continue
		}
		if p.sites[i].SiteID <= last {
			return fmt.Errorf("site %q: %w", p.sites[i].SiteID, errSiteOrder)
		}
		last = p.sites[i].SiteID
	}
	return nil
}

// writeOverlays puts how feed and inventories are laid over those of the base, whose
// orders are given, and which entries its look-ups tell of no more.
func (b *builder) writeOverlays(inventory, feed []uint32) error {
	x, p := b.base, b.pages
	byFeed := x.Facts.feedRows()
	inventoryOver := layList(len(x.Facts.IDs), inventory, x.rows, func(row int) uint32 { return uint32(row) }, func(page uint32, place int) bool {
		return x.Facts.comparePage(place, p.sites[p.site[page]].SiteID, p.at[page], p.ids[page]) > 0
	})
	feedOver := layList(len(x.Facts.IDs), feed, x.rows, func(row int) uint32 { return x.Facts.Feed[row] }, func(page uint32, place int) bool {
		return x.Facts.compareNewest(int(byFeed[place]), p.at[page], p.ids[page]) > 0
	})
	gen := b.out.Gen
	return errors.Join(
		b.out.Put(staticindex.OverlayKey(gen, listing.ListInventory), inventoryOver.Append(nil)),
		b.out.Put(staticindex.OverlayKey(gen, listing.ListFeed), feedOver.Append(nil)),
		b.out.Put(lookup.SupersededKey(gen), lookup.AppendSuperseded(nil, x.Generation.Gen, x.Changed)),
	)
}

// layList lays pages, in their order, over a list of size pages. rows are those of its
// pages that are no more, placeOf is where one stands, and comesAfter tells whether
// what stands at a place comes after a page.
func layList(size int, pages []uint32, rows map[string]int, placeOf func(row int) uint32, comesAfter func(page uint32, place int) bool) *staticindex.Overlay {
	dropped := make([]uint32, 0, len(rows))
	for _, row := range rows {
		dropped = append(dropped, placeOf(row))
	}
	slices.Sort(dropped)
	before := make([]uint32, len(pages))
	for i, page := range pages {
		before[i] = uint32(sort.Search(size, func(place int) bool { return comesAfter(page, place) }))
	}
	return staticindex.NewOverlay(size, dropped, before)
}

// keepFacts gives the facts of a generation that has all records to whoever wants
// them, unless none can be laid over it.
func (b *builder) keepFacts(inventory, feed []uint32) error {
	p := b.pages
	if b.opt.KeepFacts == nil || p.checkSites() != nil {
		return nil
	}
	n := len(inventory)
	f := &Facts{
		IDs: make([]string, n), Site: make([]uint32, n), At: make([]int64, n), Number: make([]uint32, n), Feed: make([]uint32, n),
		PageMeanLength: b.pageFigures.MeanLength, LedgerMeanLength: b.ledgerFigures.MeanLength,
		LedgerSize: b.src.LedgerSize, LedgerRows: b.ledger.CountRecords(), NoRows: b.noRows,
	}
	for i := range p.sites {
		f.Sites = append(f.Sites, p.sites[i].SiteID)
	}
	rows := make([]uint32, n)
	for row, page := range inventory {
		rows[page] = uint32(row)
		f.IDs[row], f.Site[row], f.At[row] = p.ids[page], p.site[page], p.at[page]
		f.Number[row] = b.pageFigures.Numbers[page]
	}
	for place, page := range feed {
		f.Feed[rows[page]] = uint32(place)
	}
	return b.opt.KeepFacts(b.out.Gen, f)
}
