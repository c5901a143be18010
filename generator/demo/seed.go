package demo

import (
	"context"
	"fmt"

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
	for _, c := range w.categories {
		if err := store.PutCategory(ctx, c); err != nil {
			return Example{}, err
		}
	}
	for _, p := range w.sites {
		if err := p.write(ctx, store); err != nil {
			return Example{}, fmt.Errorf("write the site %q: %w", p.site.SiteID, err)
		}
	}
	for _, d := range w.demand {
		if err := store.PutDemand(ctx, d); err != nil {
			return Example{}, err
		}
	}
	for _, f := range w.fetches {
		if err := store.PutFetch(ctx, f); err != nil {
			return Example{}, err
		}
	}
	return w.example()
}

// write stores a site: the account and the site first, as the rest hangs on
// them.
func (p *place) write(ctx context.Context, store origin.Catalog) error {
	if err := store.PutPublisher(ctx, p.account); err != nil {
		return err
	}
	if err := store.PutSite(ctx, p.site); err != nil {
		return err
	}
	if err := each(ctx, p.websites, store.PutWebsite); err != nil {
		return err
	}
	if err := each(ctx, p.preferences, store.PutPreference); err != nil {
		return err
	}
	if err := p.writePassports(ctx, store); err != nil {
		return err
	}
	if err := each(ctx, p.signals, store.PutSignal); err != nil {
		return err
	}
	if err := each(ctx, p.offers, store.PutOffer); err != nil {
		return err
	}
	if err := each(ctx, p.observations, store.PutObservation); err != nil {
		return err
	}
	for _, x := range p.pages {
		if err := store.PutPage(ctx, x.Page, &x.body); err != nil {
			return err
		}
	}
	return nil
}

func each[T any](ctx context.Context, list []T, put func(context.Context, T) error) error {
	for _, x := range list {
		if err := put(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// writePassports adds the versions that are not there.
func (p *place) writePassports(ctx context.Context, store origin.Preferences) error {
	have, err := store.Passports(ctx, p.site.SiteID)
	if err != nil {
		return err
	}
	for _, x := range p.passports[min(len(have), len(p.passports)):] {
		if err := store.AddPassport(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) example() (Example, error) {
	for _, p := range w.sites {
		if p.site.SiteID != exampleSite {
			continue
		}
		url := p.site.SiteURL + "shipping/" + examplePage
		for _, x := range p.pages {
			if x.CanonicalURL == url {
				return Example{SiteID: exampleSite, EntryID: x.EntryID, URL: url, Category: exampleCategory, Fingerprint: x.Portable}, nil
			}
		}
	}
	return Example{}, fmt.Errorf("the demo data lack the page %q of %q", examplePage, exampleSite)
}

// fetches are the importer's memory of one in ten pages of a site, as if they
// had been fetched from it.
func (p *place) fetches() []origin.Fetch {
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
