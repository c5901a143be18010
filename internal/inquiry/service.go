package inquiry

import (
	"context"
	"errors"
	"io"
	"time"

	"colophon/exports"
	"colophon/internal/origin"
	"colophon/internal/ulid"
)

// Store is what the service needs of the origin.
type Store interface {
	origin.Requests
	origin.Threads
}

// Service is where requests are submitted, answered and decided.
type Service struct {
	Store Store
	Now   func() time.Time
	Rand  io.Reader
}

// Refused is returned if Rules has no row for an act.
type Refused struct{ State State }

func (e *Refused) Error() string { return "the request is " + e.State.Visible() }

// The other errors that an act can meet.
var (
	ErrKeyReused   = errors.New("the key was used for something else")
	ErrInProgress  = errors.New("the first call with this key is not finished")
	ErrDuplicate   = errors.New("the same request was made within a day")
	ErrClosed      = errors.New("the conversation is closed")
	ErrNoMessage   = errors.New("no such message in this conversation")
	ErrBusy        = errors.New("the request changes too fast")
	errNoSuccessor = errors.New("a transferred request needs another publisher")
)

// NewID returns a new identifier: the prefix and a ULID.
func (d Service) NewID(prefix string) (string, error) {
	var entropy [10]byte
	if _, err := io.ReadFull(d.Rand, entropy[:]); err != nil {
		return "", err
	}
	return prefix + ulid.Encode(d.Now().UnixMilli(), entropy), nil
}

func (d Service) nowRFC3339() string { return exports.Instant(d.Now()) }

// daysAfter returns the instant that many days after at, or "" if at is not an
// instant.
func daysAfter(at string, days int) string {
	t, ok := exports.ParseInstant(at)
	if !ok {
		return ""
	}
	return exports.Instant(t.Add(time.Duration(days) * 24 * time.Hour))
}

// attempts is how often an act is decided before it gives up because others
// changed the request.
const attempts = 5

// retryDecision decides and writes, until the request is still in the state
// decided for when the write happens.
func (d Service) retryDecision(ctx context.Context, requestID string, try func(r origin.Request) (bool, error)) error {
	for i := 0; i < attempts; i++ {
		r, err := d.Store.Request(ctx, requestID)
		if err != nil {
			return err
		}
		if done, err := try(r); done || err != nil {
			return err
		}
	}
	return ErrBusy
}
