package generator

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// readAhead passes the values that produce puts to consume, in order: consume
// works on one while produce makes the next. It returns the first error of the
// two, after both have ended.
func readAhead[T any](ctx context.Context, produce func(ctx context.Context, put func(T) error) error, consume func(T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	made := make(chan T, 1)
	group.Go(func() error {
		defer close(made)
		return produce(ctx, func(v T) error {
			select {
			case made <- v:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	group.Go(func() error {
		for v := range made {
			if err := consume(v); err != nil {
				return err
			}
		}
		return nil
	})
	return group.Wait()
}

// loggedBatch is a batch of rows of one site, with their places in the ledger.
type loggedBatch struct {
	siteID string
	rows   []pageRow
	logged logged
}

// eachLogged calls do with the rows of the last finished pass, in batches of
// one site. It reads the next batch while do works.
func (b *build) eachLogged(ctx context.Context, do func(loggedBatch) error) error {
	return readAhead(ctx, b.readLoggedBatches, do)
}

func (b *build) readLoggedBatches(ctx context.Context, put func(loggedBatch) error) error {
	after := map[string]string{}
	return b.spool.eachBatch(func(rows []pageRow) error {
		siteID := rows[0].page.SiteID
		logged, err := b.readLogged(ctx, siteID, rows, after[siteID])
		if err != nil {
			return err
		}
		after[siteID] = rows[len(rows)-1].page.EntryID
		return put(loggedBatch{siteID, slices.Clone(rows), logged})
	})
}
