package inquiry_test

import (
	"errors"
	"testing"
	"time"

	"colophon/internal/inquiry"
)

func TestCheckClock(t *testing.T) {
	last := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for ahead, jumped := range map[time.Duration]bool{
		-48 * time.Hour: false, 0: false, time.Hour: false, 24 * time.Hour: false,
		24*time.Hour + time.Second: true, 48 * time.Hour: true, 365 * 24 * time.Hour: true,
	} {
		if err := inquiry.CheckClock(last.Add(ahead), last.Unix()); errors.Is(err, inquiry.ErrClockJumped) != jumped {
			t.Errorf("%v ahead: %v", ahead, err)
		}
	}
	if err := inquiry.CheckClock(last, 0); err != nil {
		t.Errorf("never seen before: %v", err)
	}
}

// TestKeepDeadlines checks that deadlines are processed and their instant is
// noted, and that after a jump of the clock only late requests are delivered.
func TestKeepDeadlines(t *testing.T) {
	ctx, b := t.Context(), newBench(t)
	b.submitted(t, "k")
	keep := func() inquiry.MaintenanceResult {
		t.Helper()
		got, err := inquiry.KeepDeadlines(ctx, b.Store, b.at)
		must(t, err)
		if seen, err := b.ClockSeen(ctx); err != nil || seen != b.at.Unix() {
			t.Errorf("the clock was seen at %d, %v, not at %d", seen, err, b.at.Unix())
		}
		return got
	}
	keep()
	noted := b.at.Unix()
	late, _, err := b.Submit(ctx, request("late"))
	must(t, err)
	b.at = b.at.AddDate(0, 0, 15)
	got, err := inquiry.KeepDeadlines(ctx, b.Store, b.at)
	if !errors.Is(err, inquiry.ErrClockJumped) || got != (inquiry.MaintenanceResult{Delivered: 1}) || b.state(t, late.RequestID) != "delivered" {
		t.Errorf("after a jump: %+v, %v", got, err)
	}
	if seen, err := b.ClockSeen(ctx); err != nil || seen != noted {
		t.Errorf("the jump was noted: %d, %v", seen, err)
	}
	must(t, b.NoteClock(ctx, b.at.Unix()))
	if got := keep(); got.Reminded != 1 {
		t.Errorf("once the clock is confirmed: %+v", got)
	}
	must(t, b.DB().Close())
	if _, err := inquiry.KeepDeadlines(ctx, b.Store, b.at); err == nil {
		t.Error("a store that is closed keeps deadlines")
	}
}
