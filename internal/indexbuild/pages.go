package indexbuild

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/listing"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/staticindex"
	"colophon/internal/urlkey"
)

const (
	pagesPerBlock = 64
	siteRows      = 32 // target number of rows of a file of the directory of sites
	topTerms      = 10
)

// errNotPublic is returned for a page that no answer could show.
var errNotPublic = errors.New("a time, a digest or the content format has no public form")

// pages collects the registered pages.
type pages struct {
	c       *indexer.Collection
	at      []int64  // registration time, by sortableTime
	printed []int64  // publication time, in the same form
	ids     []string // entry ids
	places  []indexer.Place
	count   int64          // of all pages
	before  int64          // of those of earlier sites
	known   map[string]int // place of each site among the sites
	current string         // site of all
	all     []registered   // entries of a site, also those withdrawn
	sites   []listing.SiteRow
	seen    map[string]bool
	terms   map[string]int // of the current site
}

// openPages opens the collection of pages.
func (b *Builder) openPages() error {
	c, err := indexer.NewCollection(b.dir, searchindex.Entries, pagesPerBlock)
	if err == nil {
		b.pages = &pages{c: c, seen: map[string]bool{}, known: b.orderSites(b.sites)}
	}
	return err
}

// endPages ends the adding of pages.
func (b *Builder) endPages() error {
	b.pages.placeSite()
	b.pages.endSite()
	err := b.addEmptySites()
	b.pages.orderPages()
	return err
}

// registered is an entry of a site. In the order of registration, of several of one
// instant by falling ids, it has the ordinal under which it stays when others are
// added or withdrawn.
type registered struct {
	at   int64
	id   string
	page int // among the pages, in the order of adding; negative if it is withdrawn
}

// orderSites returns the place of each site, which is its group of records: the
// one that became public last comes last.
func (b *Builder) orderSites(sites map[string]site) map[string]int {
	all := slices.SortedFunc(maps.Keys(sites), func(x, y string) int {
		return cmp.Or(strings.Compare(b.src.Listed[x], b.src.Listed[y]), strings.Compare(x, y))
	})
	out := make(map[string]int, len(all))
	for i, id := range all {
		out[id] = i
	}
	return out
}

// addEmptySites opens an inventory for each site without pages, so that it is
// found like any other.
func (b *Builder) addEmptySites() error {
	for _, id := range slices.Sorted(maps.Keys(b.sites)) {
		if b.pages.seen[id] {
			continue
		}
		if err := b.startSite(id); err != nil {
			return err
		}
	}
	b.pages.endSite()
	return nil
}

// AddEntry adds an entry, and returns the look-up key of its address. Entries of a
// site must come one after the other.
func (b *Builder) AddEntry(e *Entry) (urlKey [32]byte, err error) {
	urlKey = urlkey.LookupKey(urlkey.LookupURL, e.URL)
	if err := b.addPage(e, urlKey); err != nil {
		return urlKey, fmt.Errorf("entry %q: %w", e.EntryID, err)
	}
	return urlKey, nil
}

func (b *Builder) addPage(e *Entry, urlKey [32]byte) error {
	if err := b.lookUp(e, urlKey); err != nil {
		return err
	}
	if e.SiteID != b.pages.current {
		b.pages.placeSite()
		b.pages.current = strings.Clone(e.SiteID)
	}
	page := registered{sortableTime(e.RegisteredAt), strings.Clone(e.EntryID), -1} // copied, because it may be part of a whole row
	if e.Withdrawn {
		b.pages.all = append(b.pages.all, page)
		return nil
	}
	page.page = len(b.pages.places)
	b.pages.all = append(b.pages.all, page)
	if err := b.startSite(e.SiteID); err != nil {
		return err
	}
	b.pages.countPage(&e.Doc)
	return b.pages.addPage(e, b.sites[e.SiteID])
}

// countPage adds a page to the figures of the current site.
func (p *pages) countPage(d *searchindex.Doc) {
	p.count++
	for _, t := range d.Terms {
		p.terms[t]++
	}
}

// startSite opens the inventory of a site, unless it is the current one.
func (b *Builder) startSite(id string) error {
	p := b.pages
	if n := len(p.sites); n > 0 && p.sites[n-1].SiteID == id {
		return nil
	}
	if p.seen[id] {
		return fmt.Errorf("the pages of site %q are not together", id)
	}
	p.endSite()
	id = strings.Clone(id)
	p.seen[id] = true
	p.terms = map[string]int{}
	if _, known := p.known[id]; !known {
		p.known[id] = len(p.known)
	}
	p.sites = append(p.sites, listing.SiteRow{SiteID: id, Facts: b.sites[id].facts, Release: b.sites[id].state})
	p.before = p.count
	return nil
}

// endSite closes the current inventory.
func (p *pages) endSite() {
	if len(p.sites) == 0 {
		return
	}
	s := &p.sites[len(p.sites)-1]
	s.Facts.RegisteredPages = p.count - p.before
	s.Facts.TopTerms = mostFrequent(p.terms)
}

// placeSite places the pages of the current site.
func (p *pages) placeSite() {
	slices.SortFunc(p.all, func(a, b registered) int {
		return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(b.id, a.id))
	})
	for ordinal, e := range p.all {
		if e.page >= 0 {
			p.places[e.page] = indexer.Place{Group: uint32(p.known[p.current]), Ordinal: uint32(ordinal)}
		}
	}
	p.all = p.all[:0]
}

// mostFrequent returns the most frequent terms, at most topTerms. They are
// copies, because a term may be part of a whole row.
func mostFrequent(counts map[string]int) []string {
	list := make([]string, 0, len(counts))
	for t := range counts {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	top := make([]string, min(topTerms, len(list)))
	for i := range top {
		top[i] = strings.Clone(list[i])
	}
	return top
}

// The weights of a page's fields. A word in the title counts most; the
// publisher's name, which all its pages share, least.
const (
	weightTitle     = 4
	weightTerms     = 3
	weightSection   = 2
	weightByline    = 1
	weightPublisher = 1
)

func (p *pages) addPage(e *Entry, s site) error {
	d := &e.Doc
	if !d.IsPublic() {
		return errNotPublic
	}
	f := p.c
	f.AddText(weightTitle, d.Title)
	f.AddText(weightTerms, d.Terms...)
	f.AddText(weightSection, d.Section)
	f.AddName(weightByline, e.Byline...)
	f.AddName(weightPublisher, d.Publisher)
	f.AddFacet("site", d.SiteID)
	f.AddFacet("category", s.categories...)
	f.AddFacet("use", s.uses...)
	f.AddFacet("signals", s.signals...)
	if e.LedgerIndex < 0 {
		f.AddFacet("unlogged", "1")
	}
	p.ids = append(p.ids, p.all[len(p.all)-1].id)
	p.places = append(p.places, indexer.Place{})
	p.at = append(p.at, sortableTime(d.RegisteredAt))
	if len(p.printed) < exports.MaxOrdered {
		p.printed = append(p.printed, sortableTime(d.PublishedAt))
	}
	if e.Kept {
		return p.c.KeepRecord()
	}
	return p.c.AddRecord(d)
}

// sortableTime turns an RFC 3339 instant in UTC into a number that sorts the
// same way.
func sortableTime(at string) int64 {
	n := int64(0)
	for i := range len(at) {
		if c := at[i]; c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	return n
}

// compareNewest orders pages by registration, the latest first, then by id.
func (p *pages) compareNewest(a, b uint32) int {
	return cmp.Or(cmp.Compare(p.at[b], p.at[a]), strings.Compare(p.ids[a], p.ids[b]))
}

// orderPages places the pages by publisher. The order by registration has the
// first one first. People may also sort them by day of publication, the latest
// first and those without one last.
func (p *pages) orderPages() {
	p.c.PlaceAs(p.places)
	feed := p.listPages()
	slices.SortFunc(feed, func(a, b uint32) int { return p.compareNewest(b, a) })
	p.c.AddSequence(searchindex.ByRegistration, feed)
	p.c.AddOrder("newest", func(a, b int) int {
		return cmp.Or(cmp.Compare(p.printed[b], p.printed[a]), p.compareNewest(uint32(a), uint32(b)))
	})
}

// listPages returns the numbers of all pages, in the order in which they were
// added.
func (p *pages) listPages() []uint32 {
	out := make([]uint32, len(p.ids))
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

// writeSites puts the directory of sites.
func (b *Builder) writeSites(g *staticindex.Generation) error {
	for len(b.pages.sites)>>g.SiteBits > siteRows {
		g.SiteBits++
	}
	return b.writeDirectory(int(g.SiteBits))
}

func (b *Builder) writeDirectory(bits int) error {
	files := make([][]listing.SiteRow, 1<<bits)
	slices.SortFunc(b.pages.sites, func(a, b listing.SiteRow) int { return strings.Compare(a.SiteID, b.SiteID) })
	for _, s := range b.pages.sites {
		n := listing.SiteBucket(s.SiteID, bits)
		files[n] = append(files[n], s)
	}
	for n, rows := range files {
		if err := b.out.Put(listing.SiteKey(b.out.Gen, n), listing.AppendSites(nil, n, rows)); err != nil {
			return err
		}
	}
	return nil
}
