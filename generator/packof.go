package generator

import (
	"context"
	"errors"
	"fmt"

	"colophon/generator/render"
	"colophon/internal/channel"
	"colophon/internal/origin"
)

// PackOf writes the channels of one publisher as its policy stands now.
func PackOf(ctx context.Context, store origin.Catalog, siteID, base string) (channel.Pack, error) {
	s, err := store.Site(ctx, siteID)
	if errors.Is(err, origin.ErrNotFound) {
		return channel.Pack{}, fmt.Errorf("there is no publisher %q; list them with \"colophon publisher list\"", siteID)
	}
	if err != nil {
		return channel.Pack{}, err
	}
	f, err := readSite(ctx, store, s)
	if err != nil {
		return channel.Pack{}, err
	}
	p, ok := render.PolicyOf(&f, base)
	if !ok {
		return channel.Pack{}, fmt.Errorf("publisher %q is not approved and public; approve it with \"colophon publisher approve %s\"", siteID, siteID)
	}
	return render.CheckedPack(&p)
}
