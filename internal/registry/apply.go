package registry

import (
	"context"

	"colophon/internal/origin"
)

// Prepare makes the plan that brings an origin to what documents say. It only
// reads. An error of the documents is of type Faults.
func Prepare(ctx context.Context, store Store, sources []Source, now string) (*Plan, error) {
	have, err := Load(ctx, store, publishersOf(sources))
	if err != nil {
		return nil, err
	}
	for _, id := range organizationsOf(sources) {
		if err := have.loadOrganization(ctx, store, id); err != nil {
			return nil, err
		}
	}
	want, err := Resolve(sources, have, now)
	if err != nil {
		return nil, err
	}
	return Compare(have, want), nil
}

// Content is what a registry holds besides its document: what imports, checks
// and sites themselves brought in.
type Content struct {
	Signals      []origin.Signal
	Observations []origin.Observation
	Pages        []Page
	Fetches      []origin.Fetch
}

// Page is a registered page with its body.
type Page struct {
	origin.Page
	Body origin.Body
}

// Fill makes an origin hold records and content that come with their instants.
// It writes the records as a plan does: those that differ. A second call
// changes nothing; a call after one that was cut short completes it. Errors are of
// the store.
func Fill(ctx context.Context, store origin.Catalog, want *Records, content *Content) error {
	ids := map[string]bool{}
	for i := range want.Sites {
		ids[want.Sites[i].SiteID] = true
	}
	have, err := loadCatalog(ctx, store, ids)
	if err != nil {
		return err
	}
	for i := range want.Organizations {
		if err := have.loadOrganization(ctx, store, want.Organizations[i].PublisherID); err != nil {
			return err
		}
	}
	if err := Compare(have, want).writeCatalog(ctx, store); err != nil {
		return err
	}
	return content.writeBody(ctx, store)
}

func (c *Content) writeBody(ctx context.Context, store origin.Catalog) error {
	if err := writeEach(ctx, c.Signals, store.PutSignal); err != nil {
		return err
	}
	if err := writeEach(ctx, c.Observations, store.PutObservation); err != nil {
		return err
	}
	for i := range c.Pages {
		if err := store.PutPage(ctx, c.Pages[i].Page, &c.Pages[i].Body); err != nil {
			return err
		}
	}
	return writeEach(ctx, c.Fetches, store.PutFetch)
}

func writeEach[T any](ctx context.Context, list []T, write func(context.Context, T) error) error {
	for _, x := range list {
		if err := write(ctx, x); err != nil {
			return err
		}
	}
	return nil
}
