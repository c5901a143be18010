package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"colophon/internal/inquiry"
	"colophon/internal/originsql"
)

// maxClockJump is how far the clock may be ahead of the last time that the
// deadlines were kept.
const maxClockJump = 24 * time.Hour

// errClockJumped stops what cannot be undone until an operator has looked.
var errClockJumped = errors.New("the clock jumped forward: nothing is reminded, expires or is erased until \"colophon doctor --confirm-clock\"")

// checkClock compares the clock with the last time that the deadlines were
// kept, 0 for never. errClockJumped wraps what is wrong.
func checkClock(now time.Time, seen int64) error {
	if seen == 0 {
		return nil
	}
	if jump := now.Sub(time.Unix(seen, 0)); jump > maxClockJump {
		return fmt.Errorf("%w (it is %s, last seen %s)", errClockJumped, now.UTC().Format(time.RFC3339), time.Unix(seen, 0).UTC().Format(time.RFC3339))
	}
	return nil
}

// tick keeps the deadlines as long as the clock can be believed. It removes
// the bytes of what was erased from the write-ahead log.
func (e *env) tick(ctx context.Context, store *originsql.Store, now time.Time) (inquiry.Ticked, error) {
	seen, err := store.ClockSeen(ctx)
	if err != nil {
		return inquiry.Ticked{}, err
	}
	if jumped := checkClock(now, seen); jumped != nil {
		delivered, err := inquiry.DeliverLate(ctx, store, now)
		return inquiry.Ticked{Delivered: delivered}, errors.Join(jumped, err)
	}
	ticked, err := inquiry.Tick(ctx, store, now)
	if err != nil {
		return ticked, err
	}
	if err := store.NoteClock(ctx, now.Unix()); err != nil {
		return ticked, err
	}
	if ticked.Erased > 0 && store.DB() != nil {
		return ticked, truncateLog(ctx, store.DB())
	}
	return ticked, nil
}
