package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"colophon/exports"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/origin"
	"colophon/internal/registry"
	"colophon/internal/urlkey"
)

// Seed fills an empty origin store with the demo and returns its example. The
// operator's records are written directly; what publishers say is read from
// their files, which Seed serves meanwhile. A second call changes nothing; a
// call after an interrupted one completes it.
func Seed(ctx context.Context, store enrol.Store) (Example, error) {
	w, err := readWorld()
	if err != nil {
		return Example{}, fmt.Errorf("read the demo data: %w", err)
	}
	whole, err := w.isWhole(ctx, store)
	if err != nil {
		return Example{}, err
	}
	if !whole {
		if err := w.fill(ctx, store); err != nil {
			return Example{}, err
		}
	}
	return w.buildExample()
}

// isWhole reports whether a store has all of the demo: demand is written last.
func (w *world) isWhole(ctx context.Context, store enrol.Store) (bool, error) {
	have, err := store.Demand(ctx)
	last := w.demand[len(w.demand)-1].DemandID
	return slices.ContainsFunc(have, func(d origin.Demand) bool { return d.DemandID == last }), err
}

func (w *world) fill(ctx context.Context, store enrol.Store) error {
	records := registry.Records{Categories: w.categories}
	content := registry.Content{Fetches: w.fetches}
	for _, p := range w.sites {
		p.addTo(&records, &content)
	}
	looked, err := w.isLooked(ctx, store)
	if err != nil {
		return err
	}
	if !looked {
		if err := registry.Fill(ctx, store, &records, &registry.Content{}); err != nil {
			return err
		}
		if err := w.readSites(ctx, store); err != nil {
			return err
		}
	}
	if err := registry.Fill(ctx, store, &registry.Records{}, &content); err != nil {
		return err
	}
	for _, p := range w.sites {
		if err := enrol.Observed(ctx, store, p.site.SiteID, p.lastRead(), &enrol.Report{}); err != nil {
			return err
		}
	}
	return registry.Fill(ctx, store, &registry.Records{Demand: w.demand}, &registry.Content{})
}

// isLooked reports whether all sites have been read. It asks for the first
// signals, which are the first thing to be written after that.
func (w *world) isLooked(ctx context.Context, store enrol.Store) (bool, error) {
	for _, p := range w.sites {
		if len(p.signals) == 0 {
			continue
		}
		have, err := store.Signals(ctx, p.site.SiteID)
		return len(have) > 0, err
	}
	return false, nil
}

// lastRead returns when the newest document of a site was read.
func (p *place) lastRead() string {
	at := p.site.CreatedAt
	for i := range p.observations {
		at = max(at, p.observations[i].FetchedAt)
	}
	return at
}

// addTo adds what an operator knows about a site, and what belongs to it, to
// records and content.
func (p *place) addTo(records *registry.Records, content *registry.Content) {
	records.Organizations = append(records.Organizations, p.account)
	records.Sites = append(records.Sites, p.operatorRecord())
	content.Signals = append(content.Signals, p.signals...)
	content.Observations = append(content.Observations, p.observations...)
	for _, x := range p.pages {
		content.Pages = append(content.Pages, registry.Page{Page: x.Page, Body: x.body})
	}
}

// operatorRecord returns a site as its operator records it: all of it, or what
// is not in the site's file if it has one.
func (p *place) operatorRecord() registry.Site {
	out := registry.Site{Site: p.site, Websites: p.websites, Preferences: p.preferences, Passports: p.passports, Offers: p.offers}
	if !p.showsControl() {
		return out
	}
	s := &out.Site
	s.DomainControl = "none"
	s.ControlChecked = ""
	out.Websites = nil
	for _, x := range p.websites {
		if slices.Contains(exports.ProvenControls, x.Method) && p.hasFile() {
			continue // the site's file names it
		}
		if slices.Contains(exports.ProvenControls, x.Method) {
			x.Method = "none"
			x.Associated = false
			x.CheckedAt = ""
		}
		out.Websites = append(out.Websites, x)
	}
	if !p.hasFile() {
		return out
	}
	s.Summary = ""
	s.Description = ""
	s.Audience = ""
	s.TechnicalDepth = ""
	s.HumanPage = ""
	s.Categories = nil
	s.Languages = nil
	s.Countries = nil
	s.ChangedAt = s.CreatedAt
	out.Preferences = nil
	out.Offers = nil
	for _, x := range p.preferences {
		if !statedInFile(&x) {
			out.Preferences = append(out.Preferences, x)
		}
	}
	for _, o := range p.offers {
		if !offeredInFile(&o) {
			out.Offers = append(out.Offers, o)
		}
	}
	return out
}

// readSites serves all sites that prove control of their homes, and reads each
// as often as its file said something new.
func (w *world) readSites(ctx context.Context, store enrol.Store) error {
	served, err := serveWeb(w.hosts())
	if err != nil {
		return err
	}
	defer served.close()
	clock := ""
	prover, err := intake.NewProver(intake.Options{
		Contact: "desk@colophon.example", ConnectTo: served.connect, Roots: served.roots, Resolver: served.resolver(),
		Now: func() time.Time { at, _ := exports.ParseInstant(clock); return at },
	})
	if err != nil {
		return err
	}
	defer prover.Close()
	for _, p := range w.sites {
		if !p.showsControl() {
			continue
		}
		for _, clock = range p.looks() {
			p.publish(served, clock)
			if err := p.look(ctx, store, prover, clock); err != nil {
				return fmt.Errorf("%s: %w", p.site.SiteID, err)
			}
		}
	}
	return nil
}

// look takes over what a site shows at an instant.
func (p *place) look(ctx context.Context, store enrol.Store, prover *intake.Prover, at string) error {
	seen, err := enrol.Look(ctx, store, prover, p.site.SiteID)
	if err != nil {
		return err
	}
	r, err := enrol.Take(ctx, store, p.site.SiteID, seen, at)
	if err != nil {
		return err
	}
	if wanted := map[bool]string{true: "read", false: "none"}[p.hasFile()]; r.File != wanted || !enrol.Proven(r.Hosts[0].Method) || len(r.Unknown)+len(r.Notes) > 0 {
		return fmt.Errorf("its file %s is %s: %s %v %v", r.Address, r.File, r.Problem, r.Unknown, r.Notes)
	}
	return nil
}

// hosts returns the hosts of all sites.
func (w *world) hosts() []string {
	var out []string
	for _, p := range w.sites {
		out = append(out, urlkey.HostOf(p.site.SiteURL), p.fileHost())
		for _, x := range p.websites {
			out = append(out, x.Host)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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

// listFetches returns the importer's records for one in ten pages of a site, as
// if it had fetched them.
func (p *place) listFetches() []origin.Fetch {
	var out []origin.Fetch
	for i, x := range p.pages {
		if i%10 != 0 {
			continue
		}
		f := origin.Fetch{
			URL: x.CanonicalURL, SiteID: x.SiteID, EntryID: x.EntryID, ETag: `"` + x.body.SHA256[:16] + `"`, LastModified: "", Outcome: "new",
			Reason: CanaryPrefix + "read by hand for the demo", Run: "demo-2026-07", FetchedAt: x.RegisteredAt, Source: p.site.SiteURL + "sitemap.xml",
		}
		out = append(out, f)
	}
	return out
}
