// Package mirror is a reference consumer of the buyer delivery: it keeps a
// folder in step with what a buyer may hold. It takes a snapshot once and then
// deltas, deletes on tombstones, continues where it stopped after a cut, and
// compares the Merkle root of each complete checkpoint with that of the files.
//
// The folder holds, for each item, its text and its metadata:
//
//	items/itm_5c1f….md     the text, or .txt
//	items/itm_5c1f….json   {"version":4,"sha256":"…","item":{…}}
//	state.json             where to continue
//
// A metadata file is written after its text and removed before it, so the text
// of an item with metadata is complete.
package mirror

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"colophon/internal/pause"
)

// Folder keeps the items of one buyer in one folder.
type Folder struct {
	Dir        string
	Base       string // address of the service, without a trailing slash
	Credential string
	Client     *http.Client
	Told       func(items int64) // called with the number of items written or removed so far; may be nil
	Retries    int               // attempts without progress before giving up; 0: 5
	Wait       func(ctx context.Context, d time.Duration) error
}

// Report says what a pull did.
type Report struct {
	Items    int64  `json:"items"`    // held now
	Upserts  int64  `json:"upserts"`  // written
	Deleted  int64  `json:"deleted"`  // removed
	Resyncs  int64  `json:"resyncs"`  // times it began again from a new snapshot
	Resumed  int64  `json:"resumed"`  // answers that were cut off
	Cursor   string `json:"cursor"`   // where the next pull continues
	Root     string `json:"root"`     // Merkle root of the files
	Verified bool   `json:"verified"` // the service gave a root and it matches that of the files
}

// Errors of a pull.
var (
	errCut    = errors.New("the answer was cut")
	errExpiry = errors.New("the cursor or snapshot is gone")
	// ErrRoot is returned if the files are not what the service says that the
	// buyer holds, even after beginning again.
	ErrRoot = errors.New("the root of the mirror is not that of the checkpoint")
)

// Refused is an answer that another attempt would not change.
type Refused struct {
	Status int
	Code   string
	Title  string
}

func (e *Refused) Error() string {
	text := fmt.Sprintf("the service answered %d %s: %s", e.Status, e.Code, e.Title)
	if e.Status == http.StatusForbidden {
		text += "; without a right in force the content in the mirror must not be used"
	}
	return text
}

// pull is one run of Pull.
type pull struct {
	*Folder
	state  state
	report Report
	waited time.Duration // time spent waiting for a busy service since the last progress
}

// patience is how long to wait for a busy service: at the edge, a first
// comparison of many items takes one request for every 1,500 of them.
const patience = 10 * time.Minute

// waitBusy waits, and returns false without waiting if it has waited too long
// already.
func (p *pull) waitBusy(ctx context.Context, d time.Duration) (bool, error) {
	if p.waited += d; p.waited > patience {
		return false, nil
	}
	return true, p.waitFor(ctx, d)
}

// Pull brings the mirror up to date.
func (m *Folder) Pull(ctx context.Context) (Report, error) {
	if err := os.MkdirAll(m.filePath(itemsFolder), 0o700); err != nil {
		return Report{}, err
	}
	p := &pull{Folder: m}
	var err error
	if p.state, err = m.readState(); err != nil {
		return Report{}, err
	}
	if p.state.Base != "" && p.state.Base != m.Base {
		return Report{}, fmt.Errorf("the folder %q mirrors %s, not %s", m.Dir, p.state.Base, m.Base)
	}
	p.state.Base = m.Base
	err = p.runPhases(ctx)
	p.report.Cursor = p.state.Cursor
	return p.report, errors.Join(err, p.saveState())
}

// runPhases runs all phases, and once more if it must begin again.
func (p *pull) runPhases(ctx context.Context) error {
	for try := 0; ; try++ {
		err := p.runOnce(ctx)
		if !errors.Is(err, errExpiry) && !errors.Is(err, ErrRoot) || try == 1 {
			return err
		}
		p.report.Resyncs++
		p.state = state{Base: p.Base}
		if err := p.clearFolder(); err != nil {
			return err
		}
	}
}

func (p *pull) runOnce(ctx context.Context) error {
	if p.state.Snapshot == "" {
		if err := p.requestSnapshot(ctx); err != nil {
			return err
		}
	}
	for !p.state.Loaded {
		if err := p.repeatStep(ctx, p.loadSnapshot); err != nil {
			return err
		}
	}
	var last *checkpoint
	for last == nil || !last.Complete {
		err := p.repeatStep(ctx, func(ctx context.Context) (bool, error) {
			c, progress, err := p.readDelta(ctx)
			last = c
			return progress, err
		})
		if err != nil {
			return err
		}
	}
	return p.verifyRoot(last)
}

// repeatStep repeats a step until it makes progress without being cut, waits
// after one that made none, and gives up after some cuts without progress. A
// whole answer which only says that the service is still comparing does not
// count as a cut.
func (p *pull) repeatStep(ctx context.Context, step func(context.Context) (bool, error)) error {
	idle := 0
	for {
		progress, err := step(ctx)
		if progress {
			p.waited = 0
		}
		if err == nil && progress {
			return nil
		}
		if err == nil {
			more, err := p.waitBusy(ctx, 200*time.Millisecond)
			if err != nil {
				return err
			}
			if !more {
				return errors.New("the service is still comparing rights after a long wait")
			}
			continue
		}
		if !errors.Is(err, errCut) {
			return err
		}
		p.report.Resumed++
		if progress {
			idle = 0
			continue
		}
		if idle++; idle > p.maxRetries() {
			return errors.Join(errors.New("no progress after several attempts"), err)
		}
		if err := p.waitFor(ctx, time.Duration(idle)*200*time.Millisecond); err != nil {
			return err
		}
	}
}

func (p *pull) maxRetries() int {
	if p.Retries > 0 {
		return p.Retries
	}
	return 5
}

func (m *Folder) waitFor(ctx context.Context, d time.Duration) error {
	if m.Wait != nil {
		return m.Wait(ctx, d)
	}
	return pause.For(ctx, d)
}

// requestSnapshot requests a snapshot. It saves the idempotency key first, so
// that a request whose answer was lost is repeated and makes no second
// snapshot.
func (p *pull) requestSnapshot(ctx context.Context) error {
	if p.state.Key == "" {
		var b [16]byte
		if _, err := rand.Read(b[:]); err != nil {
			return err
		}
		p.state.Key = hex.EncodeToString(b[:])
		if err := p.saveState(); err != nil {
			return err
		}
	}
	return p.repeatStep(ctx, func(ctx context.Context) (bool, error) {
		var got struct {
			ID string `json:"snapshot_id"`
		}
		err := p.postJSON(ctx, "/v1/rag-delivery/snapshots", `{"label":"mirror"}`, p.state.Key, &got)
		var refused *Refused
		if errors.As(err, &refused) && refused.Status == http.StatusNotImplemented {
			p.state.Snapshot, p.state.Loaded = "none", true // too many items for a snapshot: read the delta alone, from its beginning
			return true, p.saveState()
		}
		if err != nil {
			return false, err
		}
		p.state.Snapshot, p.state.Cursor = got.ID, got.ID
		return true, p.saveState()
	})
}

// loadSnapshot reads the snapshot's items.
func (p *pull) loadSnapshot(ctx context.Context) (bool, error) {
	query := url.Values{"snapshot": {p.state.Snapshot}, "limit": {"1000"}}
	if p.state.Feed != "" {
		query.Set("cursor", p.state.Feed)
	}
	before, ended := p.state.Feed, false
	err := p.readLines(ctx, "/v1/rag-delivery/feed.ndjson?"+query.Encode(), func(l *line) error {
		switch l.Type {
		case "item":
			if err := p.putItem(l.raw); err != nil {
				return err
			}
		case "tombstone", "withheld":
			if err := p.removeItem(l.ItemID); err != nil {
				return err
			}
		case "end":
			ended = true
			p.state.Feed, p.state.Loaded = l.NextCursor, l.NextCursor == ""
			return p.saveState()
		}
		p.state.Feed = l.Cursor
		return nil
	})
	if err == nil && !ended {
		err = errCut
	}
	return ended || p.state.Feed != before, err
}

// readDelta reads one answer of the delta.
func (p *pull) readDelta(ctx context.Context) (*checkpoint, bool, error) {
	query := url.Values{"limit": {"2000"}}
	if p.state.Cursor != "" {
		query.Set("since", p.state.Cursor)
	}
	before := p.state.Cursor
	var end *checkpoint
	err := p.readLines(ctx, "/v1/rag-delivery/delta.ndjson?"+query.Encode(), func(l *line) error {
		switch l.Type {
		case "upsert":
			if err := p.putItem(l.Item); err != nil {
				return err
			}
		case "tombstone":
			if err := p.removeItem(l.ItemID); err != nil {
				return err
			}
		case "checkpoint":
			end = &checkpoint{l.Complete, l.Root, l.HeldItems}
		}
		p.state.Cursor = l.Cursor
		return nil
	})
	if err == nil && end == nil {
		err = errCut
	}
	if saved := p.saveState(); err == nil {
		err = saved
	}
	return end, end != nil && end.Complete || p.state.Cursor != before, err
}

type checkpoint struct {
	Complete bool
	Root     string
	Items    int64
}

// retryAfter returns how long an answer asks to wait, at most a minute.
func retryAfter(h http.Header) time.Duration {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After")))
	if err != nil || n < 0 {
		n = 1
	}
	return time.Duration(min(n, 60)) * time.Second
}
