package notify

import (
	"errors"
	"strconv"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

const (
	// MaxWait bounds the time until the next attempt, whatever a receiver
	// asks for.
	MaxWait = 12 * time.Hour

	// GiveUpAfter is how long a receiver may fail before events that have
	// waited as long are given up.
	GiveUpAfter = 5 * 24 * time.Hour

	// DigestPause is how long a receiver that wants a digest is left alone after
	// one: a letter a day at most.
	DigestPause = 24 * time.Hour

	// maxAttempts is the number of attempts after which one event is given up,
	// even if its receiver accepts others: about five days.
	maxAttempts = 22
)

// Backoff returns the time until the next attempt after a number of failed
// ones: 10 s, doubling up to MaxWait.
func Backoff(failures int64) time.Duration {
	wait := 10 * time.Second
	for i := int64(1); i < failures && wait < MaxWait; i++ {
		wait *= 2
	}
	return min(wait, MaxWait)
}

// checkAnswer returns why an attempt failed, nil if the receiver took the
// message.
func checkAnswer(a Answer, err error) error {
	if err != nil {
		return err
	}
	if a.Status < 200 || a.Status > 299 {
		return errors.New("answered " + strconv.Itoa(a.Status))
	}
	return nil
}

// recordSuccess closes the circuit of a receiver.
func recordSuccess(h *origin.ReceiverHealth, now time.Time) {
	*h = origin.ReceiverHealth{ReceiverID: h.ReceiverID, AskedAt: exports.Instant(now)}
}

// recordFailure opens a receiver's circuit breaker for the time of the backoff,
// or for as long as the receiver asks, up to MaxWait.
func recordFailure(h *origin.ReceiverHealth, now time.Time, retryAfter time.Duration, reason string) {
	h.AskedAt = exports.Instant(now)
	h.Failures++
	if h.FailingSince == "" {
		h.FailingSince = h.AskedAt
	}
	wait := min(max(Backoff(h.Failures), retryAfter), MaxWait)
	h.RetryAt = exports.Instant(now.Add(wait))
	h.LastError = reason
}

// recordAttempt decides what becomes of an event after an attempt; failure is
// nil when its receiver took it, final when it never will.
func recordAttempt(e *origin.Event, now time.Time, failure error, final bool) {
	if failure == nil {
		e.State = origin.EventDelivered
		e.DeliveredAt = exports.Instant(now)
		e.LastError = ""
		return
	}

	e.LastError = failure.Error()
	if final || e.Attempts >= maxAttempts {
		e.State = origin.EventFailed
		return
	}
	e.DueAt = exports.Instant(now.Add(Backoff(e.Attempts)))
}
