package registry

import (
	"context"

	"colophon/internal/origin"
)

// Prepare returns the plan that changes an origin to what documents say. It
// only reads. It returns Faults for errors in the documents.
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

// Content is what a registry holds besides its document: what came from
// imports, checks and the sites themselves.
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

// Fill stores records and content that have their own instants in an origin. It
// writes records as a plan does: only those that differ. A second call changes
// nothing; a call after one that was interrupted completes it. It returns
// errors of the store.
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
