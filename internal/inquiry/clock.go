package inquiry

import (
	"context"
	"errors"
	"time"

	"colophon/exports"
)

// MaxClockJump is how far the clock may be ahead of the last time that the
// deadlines were kept.
const MaxClockJump = 24 * time.Hour

// ErrClockJumped is returned when the clock has jumped forward. Nothing irreversible is done
// until an operator confirms the clock.
var ErrClockJumped = errors.New("the clock jumped forward: nothing is reminded, expires or is erased until \"colophon doctor --confirm-clock\"")

// clockJump is an ErrClockJumped with its two instants.
type clockJump struct{ now, seen time.Time }

// Error names both instants.
func (j clockJump) Error() string {
	return ErrClockJumped.Error() + " (it is " + exports.Instant(j.now) + ", last seen " + exports.Instant(j.seen) + ")"
}

// Unwrap returns ErrClockJumped.
func (j clockJump) Unwrap() error { return ErrClockJumped }

// CheckClock compares the clock with the last time that the deadlines were
// kept, in Unix seconds, 0 for never. The error is ErrClockJumped.
func CheckClock(now time.Time, seen int64) error {
	if seen == 0 {
		return nil
	}
	last := time.Unix(seen, 0)
	if now.Sub(last) > MaxClockJump {
		return clockJump{now, last}
	}
	return nil
}

// Clock is where the last instant at which the deadlines were kept is stored.
type Clock interface {
	ClockSeen(ctx context.Context) (int64, error)
	NoteClock(ctx context.Context, unix int64) error
}

// KeepDeadlines does what RunMaintenance does as long as the clock can be believed. When
// it jumped forward, only what stayed behind is delivered and the error is
// ErrClockJumped.
func KeepDeadlines(ctx context.Context, store interface {
	MaintenanceStore
	Clock
}, now time.Time,
) (MaintenanceResult, error) {
	seen, err := store.ClockSeen(ctx)
	if err != nil {
		return MaintenanceResult{}, err
	}
	if jumped := CheckClock(now, seen); jumped != nil {
		delivered, err := DeliverLate(ctx, store, now)
		return MaintenanceResult{Delivered: delivered}, errors.Join(jumped, err)
	}
	ticked, err := RunMaintenance(ctx, store, now)
	if err != nil {
		return ticked, err
	}
	return ticked, store.NoteClock(ctx, now.Unix())
}
