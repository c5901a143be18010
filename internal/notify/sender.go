package notify

import (
	"context"
	"sync"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
)

// Sender sends what is in an outbox. Several senders may share one outbox.
type Sender struct {
	Outbox origin.Outbox
	Now    func() time.Time
	Post   PostFunc
	Mail   bool              // Post sends e-mail too; else receivers by e-mail are left alone
	Log    func(line string) // may be nil

	Pause          time.Duration // of Run, between looks at the outbox; 0 means 2 s
	Lease          time.Duration // of an event while it is sent; 0: 2 min
	WorkingWorkers int           // concurrent posts to webhooks that work; 0 means 8
	FailingWorkers int           // the same, of those that failed last; 0: 4
	AskerWorkers   int           // askers written to at a time, of those that work, and half as many that failed last; 0: 8
	Batch          int           // events that a receiver gets before others have their turn; 0: 20
	DigestBatch    int           // events in one letter to a receiver that wants a digest; 0: 100
	Limit          time.Duration // Once begins no attempt after that time; 0: none
}

// Result is what Once did.
type Result struct {
	Delivered int  // events that their receivers took
	Failed    int  // attempts that failed
	More      bool // there may be more to send now
}

// lane is a share of the workers, for receivers of one kind that work, or that
// failed last. Lanes do not wait for each other.
type lane struct {
	kind    string
	failing bool
	workers int
}

func (s *Sender) listLanes() []lane {
	lanes := []lane{
		{kind: origin.ReceiverWebhook, workers: orDefault(s.WorkingWorkers, 8)},
		{kind: origin.ReceiverWebhook, failing: true, workers: orDefault(s.FailingWorkers, 4)},
	}
	if askers := orDefault(s.AskerWorkers, 8); s.Mail {
		lanes = append(lanes, lane{kind: origin.ReceiverAsker, workers: askers}, lane{kind: origin.ReceiverAsker, failing: true, workers: askers / 2})
	}
	return lanes
}

// listDue lists receivers of a lane that something is due for now.
func (s *Sender) listDue(ctx context.Context, l lane, limit int) ([]origin.Receiver, error) {
	return s.Outbox.DueReceivers(ctx, origin.DueFilter{Kind: l.kind, Now: exports.Instant(s.Now()), Failing: l.failing, Mail: s.Mail, Limit: limit})
}

func orDefault[T int | time.Duration](n, otherwise T) T {
	if n <= 0 {
		return otherwise
	}
	return n
}

// Run sends until ctx ends, and returns when nothing is under way.
func (s *Sender) Run(ctx context.Context) error {
	d := dispatcher{sender: s, busy: map[string]lane{}, ended: make(chan string)}
	for ctx.Err() == nil {
		if err := d.dispatchDue(ctx); err != nil && ctx.Err() == nil {
			s.logLine("outbox: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case id := <-d.ended:
			delete(d.busy, id)
		case <-time.After(orDefault(s.Pause, 2*time.Second)):
		}
	}

	for len(d.busy) > 0 {
		delete(d.busy, <-d.ended)
	}
	return ctx.Err()
}

// dispatcher assigns receivers to workers as they become free. It belongs to
// one goroutine; only ended is shared.
type dispatcher struct {
	sender *Sender
	busy   map[string]lane // receivers being posted to
	ended  chan string
}

// dispatchDue starts a worker for each receiver that something is due for, as
// long as its lane has workers.
func (d *dispatcher) dispatchDue(ctx context.Context) error {
	for _, l := range d.sender.listLanes() {
		free := l.workers - d.countWorkers(l)
		if free <= 0 {
			continue
		}
		// Those that are busy may be listed too.
		due, err := d.sender.listDue(ctx, l, len(d.busy)+free)
		if err != nil {
			return err
		}
		for _, r := range due {
			if _, busy := d.busy[r.WebhookID]; busy || free == 0 {
				continue
			}
			free--
			d.busy[r.WebhookID] = l
			go d.startWorker(ctx, r)
		}
	}
	return nil
}

func (d *dispatcher) countWorkers(l lane) int {
	n := 0
	for _, busy := range d.busy {
		if busy == l {
			n++
		}
	}
	return n
}

func (d *dispatcher) startWorker(ctx context.Context, r origin.Receiver) {
	if _, err := d.sender.drainReceiver(ctx, r, time.Time{}); err != nil && ctx.Err() == nil {
		d.sender.logLine("outbox: " + err.Error())
	}
	d.ended <- r.WebhookID
}

// Once assigns each worker one receiver for which something is due, all at the
// same time, and returns when they are done. It returns the first error of the
// outbox; an answer of a receiver is not an error.
func (s *Sender) Once(ctx context.Context) (Result, error) {
	var stop time.Time
	if s.Limit > 0 {
		stop = s.Now().Add(s.Limit)
	}

	var receivers []origin.Receiver
	var total Result
	for _, l := range s.listLanes() {
		due, err := s.listDue(ctx, l, l.workers)
		if err != nil {
			return Result{}, err
		}
		receivers = append(receivers, due...)
		total.More = total.More || len(due) == l.workers
	}

	results := make([]Result, len(receivers))
	errs := make([]error, len(receivers))
	var group sync.WaitGroup
	for i, r := range receivers {
		group.Add(1)
		go func() {
			defer group.Done()
			results[i], errs[i] = s.drainReceiver(ctx, r, stop)
		}()
	}
	group.Wait()

	for i, r := range results {
		if errs[i] != nil {
			return total, errs[i]
		}
		total.Delivered += r.Delivered
		total.Failed += r.Failed
		total.More = total.More || r.More
	}
	return total, nil
}

// SendAll calls Once until nothing more is due. It returns the sums of all
// rounds, and the first error of the outbox.
func (s *Sender) SendAll(ctx context.Context) (total Result, err error) {
	for {
		round, err := s.Once(ctx)
		total.Delivered += round.Delivered
		total.Failed += round.Failed
		idle := round.Delivered+round.Failed == 0
		if err != nil || idle || !round.More {
			return total, err
		}
	}
}

// drainReceiver sends a receiver what is due, one event after another or as one
// digest, until it fails, and records the receiver's health. It begins no attempt
// after stop, unless stop is zero.
func (s *Sender) drainReceiver(ctx context.Context, r origin.Receiver, stop time.Time) (Result, error) {
	batch := orDefault(s.Batch, 20)
	if r.Digest {
		batch = orDefault(s.DigestBatch, 100)
	}
	due, err := s.Outbox.DueEvents(ctx, r.WebhookID, exports.Instant(s.Now()), batch)
	if err != nil {
		return Result{}, err
	}

	result := Result{More: len(due) == batch && !r.Digest}
	health := r.Health
	for n := 1; len(due) > 0; due = due[n:] {
		if !stop.IsZero() && s.Now().After(stop) {
			result.More = true
			break
		}
		if r.Digest {
			n = len(due)
		}
		outcome, err := s.sendEvents(ctx, r.Webhook, due[:n])
		if err != nil {
			return result, err
		}
		if outcome == nil {
			continue // another sender has them
		}
		if outcome.failure != nil {
			result.Failed++
			result.More = false
			recordFailure(&health, s.Now(), outcome.retryAfter, outcome.failure.Error())
			break
		}
		result.Delivered++
		recordSuccess(&health, s.Now())
		if r.Digest {
			health.RetryAt = exports.Instant(s.Now().Add(DigestPause))
		}
	}

	if result.Delivered+result.Failed == 0 {
		return result, nil
	}
	if err := s.Outbox.PutHealth(ctx, health); err != nil {
		return result, err
	}
	return result, s.giveUp(ctx, health)
}

// outcome is what came of an attempt.
type outcome struct {
	failure    error // nil if the receiver accepted it
	retryAfter time.Duration
}

// sendEvents posts one event, or a digest of some, and records the result. It
// returns nil if other senders have them all.
func (s *Sender) sendEvents(ctx context.Context, w origin.Webhook, due []origin.Event) (*outcome, error) {
	events, err := s.leaseEvents(ctx, due)
	if err != nil || len(events) == 0 {
		return nil, err
	}
	m := newMessage(w, events[len(events)-1], s.Now())
	what := " event " + m.ID
	if w.Digest {
		m.Events, what = events, " digest"
	}
	answer, err := s.Post(ctx, m)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err() // it may have arrived; the leases expire
	}
	failure := checkAnswer(answer, err)
	if failure != nil {
		s.logLine(m.Event.ReceiverKind + " " + w.WebhookID + what + ": " + failure.Error())
	}
	for i := range events {
		recordAttempt(&events[i], s.Now(), failure, answer.Final)
		if err := s.Outbox.EndEvent(ctx, events[i]); err != nil {
			return nil, err
		}
	}
	return &outcome{failure, answer.RetryAfter}, nil
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

// giveUp fails events that have waited for GiveUpAfter for a receiver that has been failing
// throughout that time.
func (s *Sender) giveUp(ctx context.Context, h origin.ReceiverHealth) error {
	before := exports.Instant(s.Now().Add(-GiveUpAfter))
	if h.Failures == 0 || h.FailingSince > before {
		return nil
	}
	n, err := s.Outbox.FailOldEvents(ctx, h.ReceiverID, before, h.LastError)
	if n > 0 {
		s.logLine("receiver " + h.ReceiverID + ": events older than five days are given up")
	}
	return err
}

func (s *Sender) logLine(line string) {
	if s.Log != nil {
		s.Log(line)
	}
}
