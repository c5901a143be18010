package notify

import (
	"context"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// DigestPause is how long a receiver that wants a digest is left alone after
// one: a letter a day at most.
const DigestPause = 24 * time.Hour

// sendDigest sends the due events of a receiver, at most DigestBatch, in one message.
func (s *Sender) sendDigest(ctx context.Context, r origin.Receiver) (Result, error) {
	due, err := s.Outbox.DueEvents(ctx, r.WebhookID, exports.Instant(s.Now()), orDefault(s.DigestBatch, 100))
	if err != nil {
		return Result{}, err
	}
	events, err := s.leaseEvents(ctx, due)
	if err != nil || len(events) == 0 {
		return Result{}, err
	}

	m := newMessage(r.Webhook, events[len(events)-1], s.Now())
	m.Events = events
	answer, err := s.Post(ctx, m)
	if err != nil && ctx.Err() != nil {
		return Result{}, ctx.Err() // it may have arrived; the leases expire
	}
	failure := checkAnswer(answer, err)
	for i := range events {
		recordAttempt(&events[i], s.Now(), failure, answer.Final)
		if err := s.Outbox.EndEvent(ctx, events[i]); err != nil {
			return Result{}, err
		}
	}

	health := r.Health
	if failure != nil {
		s.logLine("webhook " + r.WebhookID + " digest: " + failure.Error())
		recordFailure(&health, s.Now(), answer.RetryAfter, failure.Error())
		if err := s.Outbox.PutHealth(ctx, health); err != nil {
			return Result{Failed: 1}, err
		}
		return Result{Failed: 1}, s.giveUp(ctx, health)
	}
	recordSuccess(&health, s.Now())
	health.RetryAt = exports.Instant(s.Now().Add(DigestPause))
	return Result{Delivered: 1}, s.Outbox.PutHealth(ctx, health)
}

// leaseEvents leases the events that no other sender has.
func (s *Sender) leaseEvents(ctx context.Context, due []origin.Event) ([]origin.Event, error) {
	var taken []origin.Event
	for _, e := range due {
		now := s.Now()
		until := now.Add(orDefault(s.Lease, 2*time.Minute))
		free, err := s.Outbox.LeaseEvent(ctx, e.Seq, exports.Instant(now), exports.Instant(until))
		if err != nil {
			return nil, err
		}
		if free {
			e.Attempts++
			taken = append(taken, e)
		}
	}
	return taken, nil
}
