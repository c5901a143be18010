// Package pause waits for a while.
package pause

import (
	"context"
	"time"
)

// For waits for d; it returns the cause for which ctx ended, if it ended before.
func For(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
