package demo

import (
	"context"
	"fmt"

	"colophon/generator/registry"
	"colophon/internal/origin"
)

// Seed fills an empty origin store with the demo and returns its example. A
// second call changes nothing; a call after one that was cut short completes
// it.
func Seed(ctx context.Context, store origin.Catalog) (Example, error) {
	w, err := readWorld()
	if err != nil {
		return Example{}, fmt.Errorf("read the demo data: %w", err)
	}
	records := registry.Records{Categories: w.categories, Demand: w.demand}
	content := registry.Content{Fetches: w.fetches}
	for _, p := range w.sites {
		p.addTo(&records, &content)
	}
	if err := registry.Fill(ctx, store, &records, &content); err != nil {
		return Example{}, err
	}
	return w.buildExample()
}

// addTo gives a site, and what belongs to it, to what is written.
func (p *place) addTo(records *registry.Records, content *registry.Content) {
	records.Organizations = append(records.Organizations, p.account)
	records.Sites = append(records.Sites, registry.Site{
		Site: p.site, Websites: p.websites, Preferences: p.preferences, Passports: p.passports, Offers: p.offers,
	})
	content.Signals = append(content.Signals, p.signals...)
	content.Observations = append(content.Observations, p.observations...)
	for _, x := range p.pages {
		content.Pages = append(content.Pages, registry.Page{Page: x.Page, Body: x.body})
	}
}

func (w *world) buildExample() (Example, error) {
	for _, p := range w.sites {
		if p.site.SiteID != exampleSite {
			continue
		}
		url := p.site.SiteURL + "shipping/" + examplePage
		for _, x := range p.pages {
			if x.CanonicalURL == url {
				return Example{SiteID: exampleSite, EntryID: x.EntryID, URL: url, Category: exampleCategory, Fingerprint: x.Portable, ISCC: x.ISCC}, nil
			}
		}
	}
	return Example{}, fmt.Errorf("the demo data lack the page %q of %q", examplePage, exampleSite)
}

// listFetches are the importer's memory of one in ten pages of a site, as if they
// had been fetched from it.
func (p *place) listFetches() []origin.Fetch {
	var out []origin.Fetch
	for i, x := range p.pages {
		if i%10 != 0 {
			continue
		}
		f := origin.Fetch{
			URL: x.CanonicalURL, SiteID: x.SiteID, EntryID: x.EntryID, ETag: `"` + x.body.SHA256[:16] + `"`, LastModified: "", Outcome: "new",
			Reason: CanaryPrefix + "read by hand for the demo", Run: "demo-2026-07", FetchedAt: x.RegisteredAt,
		}
		out = append(out, f)
	}
	return out
}
