package notify

import (
	"errors"
	"testing"
	"time"

	"colophon/exports"
	"colophon/internal/assert"
	"colophon/internal/origin"
)

func TestRecordFailure(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name       string
		failures   int64
		retryAfter time.Duration
		want       time.Duration
	}{
		{"the first", 0, 0, 10 * time.Second},
		{"the second", 1, 0, 20 * time.Second},
		{"the sixth", 5, 0, 320 * time.Second},
		{"after weeks", 500, 0, 12 * time.Hour},
		{"asks for an hour", 0, time.Hour, time.Hour},
		{"asks for less than the backoff", 5, time.Second, 320 * time.Second},
		{"asks for a year", 0, 365 * 24 * time.Hour, 12 * time.Hour},
		{"asks for a negative time", 0, -time.Hour, 10 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h := origin.ReceiverHealth{ReceiverID: "whk_a", Failures: tc.failures}
			recordFailure(&h, now, tc.retryAfter, "answered 500")
			want := origin.ReceiverHealth{
				ReceiverID: "whk_a", AskedAt: exports.Instant(now), Failures: tc.failures + 1, FailingSince: exports.Instant(now),
				RetryAt: exports.Instant(now.Add(tc.want)), LastError: "answered 500",
			}
			assert.Equal(t, h, want, "h")
			recordFailure(&h, now.Add(time.Hour), 0, "again")
			assert.Equal(t, h.FailingSince, exports.Instant(now), "failing since")
			recordSuccess(&h, now)
			assert.Equal(t, h, (origin.ReceiverHealth{ReceiverID: "whk_a", AskedAt: exports.Instant(now)}), "after a success")
		})
	}
}

func TestRecordAttempt(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	failure := errors.New("answered 422")
	for _, tc := range []struct {
		name     string
		attempts int64
		failure  error
		final    bool
		state    string
		due      time.Duration
	}{
		{"taken", 1, nil, false, origin.EventDelivered, 0},
		{"taken at last", 22, nil, false, origin.EventDelivered, 0},
		{"first failure", 1, failure, false, origin.EventWaiting, 10 * time.Second},
		{"refused for good", 1, failure, true, origin.EventFailed, 0},
		{"last but one", 21, failure, false, origin.EventWaiting, 12 * time.Hour},
		{"last", 22, failure, false, origin.EventFailed, 0},
	} {
		e := origin.Event{State: origin.EventWaiting, Attempts: tc.attempts, DueAt: exports.Instant(now)}
		recordAttempt(&e, now, tc.failure, tc.final)
		if e.State != tc.state || e.DueAt != exports.Instant(now.Add(tc.due)) || (e.LastError == "") != (tc.failure == nil) || (e.DeliveredAt != "") != (tc.failure == nil) {
			t.Errorf("%s: %+v", tc.name, e)
		}
	}
}
