package inquiry

import (
	"errors"
	"testing"
	"time"
)

func TestCheckClock(t *testing.T) {
	last := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for ahead, jumped := range map[time.Duration]bool{
		-48 * time.Hour: false, 0: false, time.Hour: false, 24 * time.Hour: false,
		24*time.Hour + time.Second: true, 48 * time.Hour: true, 365 * 24 * time.Hour: true,
	} {
		if err := CheckClock(last.Add(ahead), last.Unix()); errors.Is(err, ErrClockJumped) != jumped {
			t.Errorf("%v ahead: %v", ahead, err)
		}
	}
	if err := CheckClock(last, 0); err != nil {
		t.Errorf("never seen before: %v", err)
	}
}
