package intake

import (
	"context"
	"iter"

	"colophon/internal/origin"
)

// walkBatch is how many records a walk reads at once.
const walkBatch = 1000

// Pages walks through all pages of a site, by entry id. An error ends it.
func Pages(ctx context.Context, store origin.Pages, siteID string) iter.Seq2[*origin.Page, error] {
	return walk(func(after string) ([]origin.Page, error) { return store.PagesOf(ctx, siteID, after, walkBatch) },
		func(p *origin.Page) string { return p.EntryID })
}

// Fetches walks through all that is remembered of a site, by address. An error
// ends it.
func Fetches(ctx context.Context, store origin.Fetches, siteID string) iter.Seq2[*origin.Fetch, error] {
	return walk(func(after string) ([]origin.Fetch, error) { return store.FetchesOf(ctx, siteID, after, walkBatch) },
		func(f *origin.Fetch) string { return f.URL })
}

// walk reads a list in batches, each beginning after the last one of the batch
// before.
func walk[T any](list func(after string) ([]T, error), id func(*T) string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for after := ""; ; {
			batch, err := list(after)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range batch {
				after = id(&batch[i])
				if !yield(&batch[i], nil) {
					return
				}
			}
			if len(batch) < walkBatch {
				return
			}
		}
	}
}
