package inquiry

import (
	"context"
	"errors"

	"colophon/exports"
	"colophon/internal/credential"
	"colophon/internal/origin"
)

// Periods in a request's life, in days.
const (
	ReminderDays       = 15
	SecondReminderDays = 35
	ExpiryDays         = 55
	TokenDays          = 180
	PausedDays         = 30
	EraseDays          = 180
)

// Submit stores a new request and fills in what the caller left empty (ids,
// times, state). With an idempotency key (r.KeyScope, r.Key, r.Fingerprint) the
// statement that creates the request also claims the key, so that one of
// several concurrent calls creates the request and the others find it. There is
// no moment at which a key is claimed and nothing is stored.
//
// If the same call has already claimed the key, Submit returns the stored
// request and true. It returns ErrKeyReused, ErrDuplicate or, if the store
// refused the key but does not yet show its holder, ErrInProgress.
func (d Service) Submit(ctx context.Context, r origin.Request) (origin.Request, bool, error) {
	replayed, err := d.submit(ctx, &r)
	return r, replayed, err
}

// submit is Submit in place: a request is large, and copying it would add code
// to the worker.
func (d Service) submit(ctx context.Context, r *origin.Request) (replayed bool, err error) {
	if err := d.fillRequest(r); err != nil {
		return false, err
	}
	added, err := d.Store.AddRequest(ctx, *r, daysAfter(r.CreatedAt, -1))
	switch {
	case err != nil:
		return false, err
	case added:
		r.Messages = 1
		return false, nil
	case r.Key == "":
		return false, ErrDuplicate
	}
	return d.findHolder(ctx, r)
}

// fillRequest sets the members of a new request.
func (d Service) fillRequest(r *origin.Request) (err error) {
	for _, id := range []struct {
		p      *string
		prefix string
	}{{&r.RequestID, exports.PrefixRequest}, {&r.ThreadID, exports.PrefixThread}, {&r.MessageID, exports.PrefixMessage}} {
		if *id.p, err = d.NewID(id.prefix); err != nil {
			return err
		}
	}
	now := d.nowRFC3339()
	r.State = string(Received)
	r.StateSince = now
	r.Moves = 1
	r.MovedBy = string(Requester)
	r.CreatedAt = now
	r.UpdatedAt = now
	r.PublisherAt = now
	r.TokenExpires = daysAfter(now, TokenDays)
	return nil
}

// findHolder returns the request that holds the key which a submission wanted.
func (d Service) findHolder(ctx context.Context, r *origin.Request) (replayed bool, err error) {
	first, err := d.Store.RequestByKey(ctx, r.KeyScope, r.Key)
	switch {
	case errors.Is(err, origin.ErrNotFound) && r.Dedupe != "":
		return false, ErrDuplicate
	case errors.Is(err, origin.ErrNotFound):
		return false, ErrInProgress
	case err != nil:
		return false, err
	}
	return Replay(r, &first)
}

// Replay decides how to answer a call whose key is taken: if it is the same
// call, r becomes the request that holds the key.
func Replay(r, first *origin.Request) (replayed bool, err error) {
	if !credential.Same(first.Fingerprint, r.Fingerprint) {
		return false, ErrKeyReused
	}
	*r = *first
	return true, nil
}

// Deliver passes a new request on to its publisher, or holds it if HeldFor
// gives a doubt. A later RunMaintenance handles a request that stays received.
func (d Service) Deliver(ctx context.Context, r origin.Request) error {
	_, err := d.Store.MoveRequest(ctx, deliveryOf(r, d.nowRFC3339()))
	return err
}

// deliveryOf returns the system's move of a received request.
func deliveryOf(r origin.Request, at string) origin.Move {
	act := Deliver
	if r.HeldFor != "" {
		act = Hold
	}
	to, _ := Next(Received, System, act)
	return origin.Move{RequestID: r.RequestID, At: at, From: string(Received), To: string(to), By: string(System)}
}
