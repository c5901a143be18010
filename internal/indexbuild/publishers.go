package indexbuild

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
	"colophon/internal/searchindex/indexer"
	"colophon/internal/urlkey"
)

// site is what other records need to know about a publisher.
type site struct {
	name       string
	categories []string
	uses       []string // those about which inquiries are welcome
	signals    []string // every level of readiness that is reached, except "none"
	facts      exports.InventoryFacts
	state      *exports.Release
}

// readPublishers adds the partner catalog: publishers sorted by registered
// pages, the most first, then by site id.
func (b *Builder) readPublishers() (map[string]site, error) {
	c, err := b.openCollection(searchindex.Publishers, 16)
	if err != nil {
		return nil, err
	}
	sites, all := map[string]site{}, slices.Clone(b.src.Publishers)
	for i := range all {
		p := &all[i]
		if _, twice := sites[p.SiteID]; twice {
			return nil, fmt.Errorf("publisher %q comes twice", p.SiteID)
		}
		sites[p.SiteID] = site{p.Name, p.Categories, welcomedUses(p), reachedLevels(p.Readiness), exports.InventoryFacts{WithProvenance: p.Records.Records, Sections: p.Sections}, b.src.States[p.SiteID]}
	}
	slices.SortFunc(all, func(a, b exports.Publisher) int {
		return cmp.Or(cmp.Compare(b.RegisteredPages, a.RegisteredPages), strings.Compare(a.SiteID, b.SiteID))
	})
	for i := range all {
		p := &all[i]
		draftPublisher(c, p)
		c.AddRank(uint32(min(max(0, p.RegisteredPages), 1<<32-1)))
		hit := exports.HitOf(p)
		if err := c.AddRecord(&hit); err != nil {
			return nil, err
		}
	}
	c.AddOrder("pages", asAdded)
	c.AddOrder("name", func(x, y int) int { return compareNames(all[x].Name, all[y].Name) })
	c.AddOrder("newest", func(x, y int) int { return b.compareListed(all[x].SiteID, all[y].SiteID) })
	return sites, nil
}

func draftPublisher(d *indexer.Collection, p *exports.Publisher) {
	d.AddText(4, p.Name)
	d.AddText(3, p.Categories...)
	d.AddText(3, groupName(p.Group))
	d.AddText(2, p.Summary, p.Description)
	for i := range p.Sections {
		d.AddText(2, p.Sections[i].Label)
	}
	d.AddText(1, p.SiteID, urlkey.HostOf(p.SiteURL))
	d.AddFacet("category", p.Categories...)
	d.AddFacet("format", p.ContentFormats...)
	d.AddFacet("audience", p.Audience)
	d.AddFacet("depth", p.TechnicalDepth)
	d.AddFacet("rag", p.RAGSuitability)
	if p.Verified {
		d.AddFacet("verified", "1")
	} else {
		d.AddFacet("verified", "0")
	}
	d.AddFacet("use", welcomedUses(p)...)
}

// groupName returns the group name by which a site is found, "" if it has none.
func groupName(g *exports.GroupRef) string {
	if g == nil {
		return ""
	}
	return g.Name
}

// welcomedUses returns the uses about which a publisher welcomes inquiries.
func welcomedUses(p *exports.Publisher) []string {
	var out []string
	for _, u := range exports.Uses {
		if exports.WelcomesInquiry(p.Preferences, u) {
			out = append(out, string(u))
		}
	}
	return out
}

// reachedLevels returns all levels up to this one, so that a filter for a level
// also finds those above it.
func reachedLevels(level string) []string {
	i := slices.Index(exports.ReadinessLevels, level)
	return exports.ReadinessLevels[min(1, i+1) : i+1]
}

// readMap adds the rights map, sorted by site id.
func (b *Builder) readMap() error {
	c, err := b.openCollection(searchindex.RightsMap, 16)
	if err != nil {
		return err
	}
	all := slices.Clone(b.src.Map)
	slices.SortFunc(all, func(a, b exports.MapRecord) int { return strings.Compare(a.SiteID, b.SiteID) })
	for i := range all {
		r, d := &all[i], c
		d.AddText(4, r.Name)
		d.AddText(3, r.Categories...)
		d.AddText(3, groupName(r.Group))
		d.AddText(1, r.SiteID, urlkey.HostOf(r.SiteURL))
		d.AddFacet("category", r.Categories...)
		d.AddFacet("readiness", r.Readiness)
		if err := c.AddRecord(r); err != nil {
			return err
		}
	}
	c.AddOrder("pages", func(x, y int) int { return cmp.Compare(all[y].RegisteredPages, all[x].RegisteredPages) })
	c.AddOrder("name", func(x, y int) int { return compareNames(all[x].Name, all[y].Name) })
	c.AddOrder("newest", func(x, y int) int { return b.compareListed(all[x].SiteID, all[y].SiteID) })
	return nil
}
