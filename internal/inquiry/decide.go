package inquiry

import (
	"context"

	"colophon/internal/credential"
	"colophon/internal/origin"
)

// Decision is an act on a request other than posting a message.
type Decision struct {
	By     Role
	Act    Act
	Reason string // public word, such as a decline reason
	SiteID string // for Transfer: the publisher that takes over
}

// Decide makes the move that Rules gives for a decision, and returns the
// request after it. It returns *Refused if there is none, and ErrBusy if it
// keeps losing races.
func (d Service) Decide(ctx context.Context, requestID string, x Decision) (origin.Request, error) {
	var successor string
	err := d.retryDecision(ctx, requestID, func(r origin.Request) (bool, error) {
		to, ok := Next(State(r.State), x.By, x.Act)
		if !ok {
			return true, &Refused{State(r.State)}
		}
		if x.Act == Transfer && successor == "" {
			next, err := d.storeSuccessor(ctx, r, x.SiteID)
			if err != nil {
				return true, err
			}
			successor = next.RequestID
		}
		return d.Store.MoveRequest(ctx, origin.Move{
			RequestID: requestID, At: d.nowRFC3339(), From: r.State, To: string(to), By: string(x.By), Reason: x.Reason, Successor: successor,
		})
	})
	if err != nil {
		return origin.Request{}, err
	}
	return d.Store.Request(ctx, requestID)
}

// storeSuccessor stores the request that continues r at another publisher. Its
// idempotency key is derived from r, so that repeating an interrupted transfer
// creates nothing twice.
func (d Service) storeSuccessor(ctx context.Context, r origin.Request, siteID string) (origin.Request, error) {
	if siteID == "" || siteID == r.SiteID {
		return r, errNoSuccessor
	}
	next := r
	next.SiteID = siteID
	next.Dedupe = ""
	next.HeldFor = ""
	next.Successor = ""
	next.KeyScope = "transfer"
	next.Key = r.RequestID
	next.Fingerprint = credential.Digest(siteID)
	next.MoveReason = ""
	next.Messages = 0
	next.Reminders = 0
	next.RemindedAt = ""
	next, replayed, err := d.Submit(ctx, next)
	if err != nil || replayed {
		return next, err
	}
	return next, d.Deliver(ctx, next)
}
