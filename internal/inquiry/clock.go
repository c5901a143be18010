package inquiry

import (
	"context"
	"errors"
	"time"

	"colophon/exports"
)

// MaxClockJump is how far the clock may be ahead of the last time that
// deadlines were processed.
const MaxClockJump = 24 * time.Hour

// ErrClockJumped is returned when the clock has jumped forward. Nothing irreversible is done
// until an operator confirms the clock.
var ErrClockJumped = errors.New("the clock jumped forward: nothing is reminded, expires or is erased until \"colophon doctor --confirm-clock\"")

// clockJump is an ErrClockJumped with the two instants.
type clockJump struct{ now, seen time.Time }

// Error returns a text with both instants.
func (j clockJump) Error() string {
	return ErrClockJumped.Error() + " (it is " + exports.Instant(j.now) + ", last seen " + exports.Instant(j.seen) + ")"
}

// Unwrap returns ErrClockJumped.
func (j clockJump) Unwrap() error { return ErrClockJumped }

// CheckClock compares the clock with seen, the last time that deadlines were
// processed, in Unix seconds, or 0 if they never were. It returns
// ErrClockJumped if the clock is more than MaxClockJump ahead.
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

// Clock stores the last instant at which deadlines were processed.
type Clock interface {
	ClockSeen(ctx context.Context) (int64, error)
	NoteClock(ctx context.Context, unix int64) error
}

// KeepDeadlines runs RunMaintenance while the clock is plausible. If the clock
// has jumped forward, it only delivers what was left behind and returns
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
	result, err := RunMaintenance(ctx, store, now)
	if err != nil {
		return result, err
	}
	return result, store.NoteClock(ctx, now.Unix())
}
