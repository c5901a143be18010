package bucket

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"colophon/internal/assert"
	"colophon/internal/s3/s3test"
)

// journal records which keys were written and deleted, in the order of the
// answers.
type journal struct {
	mu   sync.Mutex
	keys []string
}

// record makes the proxy forward all requests and records the writes.
func (j *journal) record(proxy *s3test.Proxy) {
	proxy.Spoil(func(r *http.Request) s3test.Fault {
		if r.Method != http.MethodPut && r.Method != http.MethodPost {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request, forward func() *httptest.ResponseRecorder) {
			answer := forward()
			_, key, _ := strings.Cut(r.URL.Path, prefix+"/")
			if r.Method == http.MethodPost {
				key = "deletion"
			}
			j.mu.Lock()
			if answer.Code == http.StatusOK {
				j.keys = append(j.keys, key)
			}
			j.mu.Unlock()
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Code)
			_, _ = w.Write(answer.Body.Bytes()) // the client notices an incomplete answer
		}
	})
}

// TestOrder checks the order in which a publication writes its notes.
func TestOrder(t *testing.T) {
	s := newShelf(t)
	first := newRelease(0, 1, 2, 3)
	s.publish(first.folder(t), 1, start)
	proxy := s3test.StartProxy(t, s.endpoint)
	var j journal
	j.record(proxy)
	opt := options(start)
	opt.Grace = 0
	_, err := s.at(proxy.Endpoint, Options{Lease: time.Minute}).PublishFolder(ctx, newRelease(6, 2, 3, 4, 5).folder(t), numbered(2), opt)
	must(t, err)

	var notes []string
	for _, key := range j.keys {
		switch {
		case key == leaseKey:
			notes = append(notes, "lease")
		case key == rootKey:
			notes = append(notes, "root")
		case strings.HasPrefix(key, listsFolder):
			notes = append(notes, "list")
		case key == "deletion":
			notes = append(notes, key)
		case len(notes) == 0 || notes[len(notes)-1] != "objects":
			notes = append(notes, "objects")
		}
	}
	want := []string{"lease", "lease", "list", "objects", "list", "root", "deletion", "list", "root", "deletion", "lease"}
	if !slices.Equal(notes, want) {
		t.Errorf("written in the order %v\nnot                  %v", notes, want)
	}
}

// TestSuspendedPublisher checks that a publisher that was suspended for longer
// than its lease sends nothing more, even if nothing has told it that the lease
// is lost.
func TestSuspendedPublisher(t *testing.T) {
	s := newShelf(t)
	b := s.open()
	l, held, err := b.acquireLease(ctx, func(time.Duration) {})
	must(t, err)
	defer l.releaseLease(ctx, true)
	p := &publication{bucket: b, lease: l, plan: &plan{}}
	past := time.Now().Add(-time.Second)
	l.until.Store(&past)
	assert.ErrorIs(t, p.sendOne(held, &task{object: objectOf("a.json", "{}")}), ErrLost, "after the end of the lease")
}

// TestOneWriteASecond checks the pace of writes to a service that accepts one
// write a second for each key, as R2 does.
func TestOneWriteASecond(t *testing.T) {
	if b, err := Open("s3://shelf", Options{Endpoint: "https://account.r2.cloudflarestorage.com"}); err != nil || b.opt.pace < time.Second {
		t.Errorf("R2 is written to at a pace of %v: %v", b.opt.pace, err)
	}
	s := newShelf(t)
	const pace = 300 * time.Millisecond
	proxy := s3test.StartProxy(t, s.endpoint)
	var mu sync.Mutex
	wrote := map[string]time.Time{}
	proxy.Spoil(func(r *http.Request) s3test.Fault {
		mu.Lock()
		defer mu.Unlock()
		if r.Method != http.MethodPut {
			return nil
		}
		if time.Since(wrote[r.URL.Path]) < pace {
			return s3test.Refuse(http.StatusTooManyRequests, "TooManyRequests")
		}
		wrote[r.URL.Path] = time.Now()
		return nil
	})
	s.publish(newRelease(1, 1, 2).folder(t), 1, start)
	opt := options(start)
	opt.Grace = 0
	r := newRelease(2, 2)
	_, err := s.at(proxy.Endpoint, Options{pace: pace + pace/10}).PublishFolder(ctx, r.folder(t), numbered(2), opt)
	must(t, err)
	s.wants(r)
	assert.Equal(t, proxy.Spoiled(), 0, "writes came too early")
}
