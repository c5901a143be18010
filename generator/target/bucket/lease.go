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
	// ErrBusy means that another publisher is at work on the bucket.
	ErrBusy = errors.New("another publisher is at work")

	// ErrNoConditions means that a service takes no notice of the conditions
	// of a write, so that two publishers could not see each other.
	ErrNoConditions = errors.New("the service ignores If-None-Match")
)

// leaseNote is the content of a lease.
type leaseNote struct {
	Holder  string   `json:"holder"` // id of a run, "" when it was given back
	Host    string   `json:"host,omitempty"`
	Valid   int64    `json:"valid_ms"` // how long it is valid after a renewal
	Renewed int64    `json:"renewed"`  // how often
	Begun   []string `json:"begun"`    // lists of what may have been written since the last root; the last one that is there has all of it
}

// lease is the right to publish, held until it is released or lost.
type lease struct {
	bucket *Bucket
	id     string // of this run
	cancel context.CancelCauseFunc
	done   chan struct{}

	mu   sync.Mutex
	note leaseNote
	etag string

	until atomic.Pointer[time.Time]
}

// isValid reports whether nobody else can hold the lease now.
func (l *lease) isValid() bool { return time.Now().Before(*l.until.Load()) }

// newID names a run.
func newID() string {
	var id [12]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// acquireLease takes the lease. ErrBusy says that another publisher holds it and is
// alive; waiting is called before a holder is watched that may be dead. The
// context that is returned ends with cause ErrLost when the lease is lost.
func (b *Bucket) acquireLease(ctx context.Context, waiting func(valid time.Duration)) (*lease, context.Context, error) {
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

func (b *Bucket) readLease(ctx context.Context) (note leaseNote, etag string, err error) {
	data, etag, found, err := b.getObject(ctx, leaseKey, maxNote)
	if err != nil || !found {
		return leaseNote{}, "", err
	}
	if err := json.Unmarshal(data, &note); err != nil {
		return leaseNote{}, "", b.requestError("read", leaseKey, fmt.Errorf("%w: %w", target.ErrDamaged, err))
	}
	return note, etag, nil
}

// watchesOf is how often a lease is looked at while it should be renewed.
const watchesOf = 10

// watchLease returns nil when a lease did not change for as long as it is valid, so
// that its holder has ended, and ErrBusy when it did.
func (b *Bucket) watchLease(ctx context.Context, etag string, valid time.Duration) error {
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

// writeNote writes the note on condition that the lease is as this run wrote it last.
// ErrLost says that it is not.
func (l *lease) writeNote(ctx context.Context) error {
	err := l.tryWriteNote(ctx)
	if errors.Is(err, errOwnNote) {
		err = l.tryWriteNote(ctx)
	}
	return err
}

// errOwnNote says that a write was refused because of an earlier write of the same
// run, whose answer was lost. The lease continues from that one.
var errOwnNote = errors.New("the lease was written by this run before")

// tryWriteNote is writeNote without another try.
func (l *lease) tryWriteNote(ctx context.Context) error {
	began := time.Now()
	data, err := json.Marshal(l.note)
	if err != nil {
		return err
	}
	etag, err := l.bucket.putNote(ctx, leaseKey, data, condition{absent: l.etag == "", etag: l.etag})
	if err != nil {
		// Its answer may have been lost after it was written.
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

// wrote reports whether a stored note is of this run.
func (l *lease) wrote(stored []byte) bool {
	var note leaseNote
	return json.Unmarshal(stored, &note) == nil && note.Holder == l.id
}

// checkConditions writes the lease as if there was none, which must be refused.
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

// How often a lease is renewed while it is valid, and at most tried to be.
const (
	renewalsOf = 3
	retriesOf  = 60
)

// keepRenewed renews the lease until its context ends, and ends it with ErrLost when
// the lease was not renewed in time.
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

// renewOnce renews the lease once, as long as it takes, but not beyond its end.
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
		pause.For(ctx, l.bucket.opt.Lease/retriesOf) //nolint:errcheck // the last try tells; the client itself does not repeat what is refused
	}
}

// beginWrite notes the lists of the objects that will be written.
func (l *lease) beginWrite(ctx context.Context, lists []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note.Begun = lists
	return l.writeNote(ctx)
}

// releaseTime bounds how long a lease is given back, also after a failure.
const releaseTime = 10 * time.Second

// releaseLease gives the lease back, finished when the root names everything that
// was begun. A lease that cannot be given back runs out by itself.
func (l *lease) releaseLease(ctx context.Context, finished bool) {
	l.cancel(nil)
	<-l.done
	if finished {
		l.note.Begun = nil
	}
	l.giveBack(ctx)
}

// giveBack writes that nobody holds the lease, once it is no longer renewed.
func (l *lease) giveBack(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if !l.isValid() {
		return
	}
	l.note.Holder = ""
	_ = l.writeNote(ctx) // the next publisher waits until it has run out
}
