package bucket

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"colophon/generator/target"
	"colophon/internal/pause"
)

var (
	// ErrBusy is returned if another publisher is working on the bucket.
	ErrBusy = errors.New("another publisher is at work")

	// ErrNoConditions is returned if the service ignores the conditions of
	// writes, so that two publishers could not notice each other.
	ErrNoConditions = errors.New("the service ignores If-None-Match")
)

// leaseNote is the content of a lease.
type leaseNote struct {
	Holder  string   `json:"holder"` // id of a run; "" if the lease was given back
	Host    string   `json:"host,omitempty"`
	Valid   int64    `json:"valid_ms"` // how long it is valid after a renewal
	Renewed int64    `json:"renewed"`  // number of renewals
	Begun   []string `json:"begun"`    // lists of what may have been written since the last root; the last one that exists is complete
}

// lease is the exclusive right to publish, held until it is released or lost.
type lease struct {
	bucket *Target
	id     string // of this run
	cancel context.CancelCauseFunc
	done   chan struct{}

	mu   sync.Mutex
	note leaseNote
	etag string

	until atomic.Pointer[time.Time]
}

// isValid reports whether this run surely still holds the lease.
func (l *lease) isValid() bool { return time.Now().Before(*l.until.Load()) }

// newID returns a random id for a run.
func newID() string {
	var id [12]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// acquireLease takes the lease. It returns ErrBusy if another publisher holds
// it and is alive. It calls waiting before it watches a holder that may be
// dead. The returned context is cancelled with the cause ErrLost when the lease
// is lost.
func (b *Target) acquireLease(ctx context.Context, waiting func(valid time.Duration)) (*lease, context.Context, error) {
	before, etag, err := b.readLease(ctx)
	if err != nil {
		return nil, nil, err
	}
	if etag != "" && before.Holder != "" {
		valid := time.Duration(before.Valid) * time.Millisecond
		waiting(valid)
		if err := b.watchLease(ctx, etag, valid); err != nil {
			return nil, nil, err
		}
	}

	host, _ := os.Hostname() // for people only
	id := newID()
	l := &lease{bucket: b, id: id, done: make(chan struct{}), etag: etag, note: leaseNote{
		Holder: id, Host: host, Valid: b.opt.Lease.Milliseconds(), Begun: before.Begun,
	}}
	if err := l.writeNote(ctx); err != nil {
		if errors.Is(err, ErrLost) {
			return nil, nil, fmt.Errorf("%w on %s", ErrBusy, b)
		}
		return nil, nil, err
	}
	if err := l.checkConditions(ctx); err != nil {
		l.giveBack(ctx)
		return nil, nil, err
	}
	held, cancel := context.WithCancelCause(ctx)
	l.cancel = cancel
	go l.keepRenewed(held)
	return l, held, nil
}

func (b *Target) readLease(ctx context.Context) (note leaseNote, etag string, err error) {
	data, etag, found, err := b.getObject(ctx, leaseKey, maxNote)
	if err != nil || !found {
		return leaseNote{}, "", err
	}
	if err := json.Unmarshal(data, &note); err != nil {
		return leaseNote{}, "", b.requestError("read", leaseKey, fmt.Errorf("%w: %w", target.ErrDamaged, err))
	}
	return note, etag, nil
}

// watchesOf is how often a watcher reads the lease during its time of validity.
const watchesOf = 10

// watchLease watches the lease of another holder. It returns nil if the lease
// does not change during its time of validity, so that its holder must have
// ended; it returns ErrBusy if the lease changes.
func (b *Target) watchLease(ctx context.Context, etag string, valid time.Duration) error {
	end := time.Now().Add(valid)
	for time.Now().Before(end) {
		if err := pause.For(ctx, valid/watchesOf); err != nil {
			return err
		}
		_, now, err := b.readLease(ctx)
		if err != nil {
			return err
		}
		if now != etag {
			return fmt.Errorf("%w on %s", ErrBusy, b)
		}
	}
	return nil
}

// writeNote writes the lease if it is as this run wrote it last. Otherwise it
// returns ErrLost.
func (l *lease) writeNote(ctx context.Context) error {
	err := l.tryWriteNote(ctx)
	if errors.Is(err, errOwnNote) {
		err = l.tryWriteNote(ctx)
	}
	return err
}

// errOwnNote is returned if a write was refused because of an earlier write of
// the same run whose answer was lost. The run continues with that version of
// the lease.
var errOwnNote = errors.New("the lease was written by this run before")

// tryWriteNote makes one attempt of writeNote.
func (l *lease) tryWriteNote(ctx context.Context) error {
	began := time.Now()
	data, err := json.Marshal(l.note)
	if err != nil {
		return err
	}
	etag, err := l.bucket.putNote(ctx, leaseKey, data, condition{absent: l.etag == "", etag: l.etag})
	if err != nil {
		// The write may have succeeded although its answer was lost.
		stored, now, found, readErr := l.bucket.getObject(ctx, leaseKey, maxNote)
		switch {
		case readErr == nil && found && bytes.Equal(stored, data):
			etag = now
		case isRefused(err) && readErr == nil && l.wrote(stored):
			l.etag = now
			return errOwnNote
		case isRefused(err) && readErr == nil:
			return fmt.Errorf("%w: this run no longer holds the lease of %s", ErrLost, l.bucket)
		default:
			return l.bucket.requestError("write", leaseKey, err)
		}
	}
	l.etag = etag
	until := began.Add(l.bucket.opt.Lease)
	l.until.Store(&until)
	return nil
}

// wrote reports whether this run wrote the stored note.
func (l *lease) wrote(stored []byte) bool {
	var note leaseNote
	return json.Unmarshal(stored, &note) == nil && note.Holder == l.id
}

// checkConditions checks that the service refuses to write the lease under the
// condition that there is none.
func (l *lease) checkConditions(ctx context.Context) error {
	data, err := json.Marshal(l.note)
	if err != nil {
		return err
	}
	_, err = l.bucket.putNote(ctx, leaseKey, data, condition{absent: true})
	if err == nil {
		return fmt.Errorf("%w: %s cannot be published to safely", ErrNoConditions, l.bucket)
	}
	if !isRefused(err) {
		return l.bucket.requestError("write", leaseKey, err)
	}
	return nil
}

// During its time of validity a lease is renewed renewalsOf times, and a failed
// renewal is retried after the retriesOf-th part of that time.
const (
	renewalsOf = 3
	retriesOf  = 60
)

// keepRenewed renews the lease until its context ends. If the lease cannot be
// renewed in time, it cancels the context with ErrLost.
func (l *lease) keepRenewed(ctx context.Context) {
	defer close(l.done)
	every := l.bucket.opt.Lease / renewalsOf
	for pause.For(ctx, every) == nil {
		if err := l.renewOnce(ctx); err != nil && ctx.Err() == nil {
			l.cancel(err)
			return
		}
	}
}

// renewOnce renews the lease once, and retries until the lease ends.
func (l *lease) renewOnce(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := context.WithDeadline(ctx, *l.until.Load())
	defer cancel()
	for {
		l.note.Renewed++
		err := l.writeNote(ctx)
		if err == nil || errors.Is(err, ErrLost) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w, or could have: the lease of %s could not be renewed in time: %w", ErrLost, l.bucket, err)
		}
		pause.For(ctx, l.bucket.opt.Lease/retriesOf) //nolint:errcheck // the last attempt reports the error; the client does not repeat refused requests
	}
}

// beginWrite notes in the lease the lists of the objects that are about to be
// written.
func (l *lease) beginWrite(ctx context.Context, lists []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note.Begun = lists
	return l.writeNote(ctx)
}

// releaseTime limits the time for giving back a lease.
const releaseTime = 10 * time.Second

// releaseLease gives the lease back. finished says that the root names
// everything that was begun. If the lease cannot be given back it expires.
func (l *lease) releaseLease(ctx context.Context, finished bool) {
	l.cancel(nil)
	<-l.done
	if finished {
		l.note.Begun = nil
	}
	l.giveBack(ctx)
}

// giveBack writes that nobody holds the lease. The renewals must have ended.
func (l *lease) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if !l.isValid() {
		return
	}
	l.note.Holder = ""
	_ = l.writeNote(ctx) // on failure, the next publisher waits until the lease has expired
}
