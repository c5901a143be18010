package indexer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"colophon/exports"
	"colophon/internal/searchindex"
)

// site is what other records need to know of a publisher.
type site struct {
	name       string
	categories []string
	uses       []string // about which inquiries are welcome
	signals    []string // every level of readiness reached, but "none"
	facts      exports.InventoryFacts
}

// readPublishers files the partner catalog: publishers by registered pages,
// the most first, then by site id.
func (b *builder) readPublishers(ctx context.Context) (map[string]site, error) {
	c, err := b.openCollection(searchindex.Publishers, 16)
	if err != nil || b.src.Publishers == nil {
		return nil, err
	}
	sites := map[string]site{}
	var all []exports.Publisher
	for p, err := range b.src.Publishers {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("publisher %q: %w", p.SiteID, err)
		}
		if _, twice := sites[p.SiteID]; twice {
			return nil, fmt.Errorf("publisher %q comes twice", p.SiteID)
		}
		sites[p.SiteID] = site{p.Name, p.Categories, welcomedUses(&p), reachedLevels(p.Readiness), exports.InventoryFacts{WithProvenance: p.Records.Records, Sections: p.Sections}}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b exports.Publisher) int {
		return cmp.Or(cmp.Compare(b.RegisteredPages, a.RegisteredPages), strings.Compare(a.SiteID, b.SiteID))
	})
	for i := range all {
		p := &all[i]
		draftPublisher(&c.draft, p)
		c.ranks = append(c.ranks, uint32(min(max(0, p.RegisteredPages), 1<<32-1)))
		hit := exports.HitOf(p)
		if err := c.addRecord(&hit); err != nil {
			return nil, err
		}
	}
	return sites, nil
}

func draftPublisher(d *draft, p *exports.Publisher) {
	d.addText(4, p.Name)
	d.addText(3, p.Categories...)
	d.addText(3, groupName(p.Group))
	d.addText(2, p.Summary, p.Description)
	for i := range p.Sections {
		d.addText(2, p.Sections[i].Label)
	}
	d.addText(1, p.SiteID, hostOf(p.SiteURL))
	d.addFacet("category", p.Categories...)
	d.addFacet("format", p.ContentFormats...)
	d.addFacet("audience", p.Audience)
	d.addFacet("depth", p.TechnicalDepth)
	d.addFacet("rag", p.RAGSuitability)
	if p.Verified {
		d.addFacet("verified", "1")
	} else {
		d.addFacet("verified", "0")
	}
	d.addFacet("use", welcomedUses(p)...)
}

// groupName is the name by which all sites of a group are found.
func groupName(g *exports.GroupRef) string {
	if g == nil {
		return ""
	}
	return g.Name
}

// welcomedUses are the uses about which a publisher welcomes inquiries.
func welcomedUses(p *exports.Publisher) []string {
	var out []string
	for _, u := range exports.Uses {
		if exports.WelcomesInquiry(p.Preferences, u) {
			out = append(out, string(u))
		}
	}
	return out
}

// reachedLevels are the levels up to this one, so that a filter for a level finds
// those above it too.
func reachedLevels(level string) []string {
	i := slices.Index(exports.ReadinessLevels, level)
	return exports.ReadinessLevels[min(1, i+1) : i+1]
}

// hostOf is the host of a URL, whose words people search for.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// readMap files the rights map by site id.
func (b *builder) readMap(ctx context.Context, _ map[string]site) error {
	c, err := b.openCollection(searchindex.RightsMap, 16)
	if err != nil || b.src.Map == nil {
		return err
	}
	var all []exports.MapRecord
	for r, err := range b.src.Map {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("map record %q: %w", r.SiteID, err)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b exports.MapRecord) int { return strings.Compare(a.SiteID, b.SiteID) })
	for i := range all {
		r, d := &all[i], &c.draft
		d.addText(4, r.Name)
		d.addText(3, r.Categories...)
		d.addText(3, groupName(r.Group))
		d.addText(1, r.SiteID, hostOf(r.SiteURL))
		d.addFacet("category", r.Categories...)
		d.addFacet("readiness", r.Readiness)
		if err := c.addRecord(r); err != nil {
			return err
		}
	}
	return nil
}
