package generator

import (
	"context"

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
