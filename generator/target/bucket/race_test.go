package bucket

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"colophon/generator/target"
	"colophon/internal/assert"
	"colophon/internal/s3/s3test"
)

// TestPublishersAtOnce starts eight publishers at once: one wins, the others
// report ErrBusy while it works, and the winner's release is stored.
func TestPublishersAtOnce(t *testing.T) {
	const publishers = 8
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	s.publish(newRelease(0, 1, 2, 3).folder(t), 1, start)
	for round := range 3 {
		var releases [publishers]release
		var dirs [publishers]string
		for i := range publishers {
			releases[i] = newRelease(6+round*publishers+i, 1, 2, 3, 10+i)
			dirs[i] = releases[i].folder(t)
		}
		others := make(chan struct{}) // closed when all but one have ended
		proxy.Spoil(func(r *http.Request) s3test.Fault {
			if !strings.HasSuffix(r.URL.Path, "a.idx") {
				return nil
			}
			return func(w http.ResponseWriter, _ *http.Request, forward func() *httptest.ResponseRecorder) {
				<-others
				w.WriteHeader(forward().Code)
			}
		})

		var mu sync.Mutex
		ended, winner := 0, -1
		var group sync.WaitGroup
		begin := make(chan struct{})
		for i := range publishers {
			b := s.at(proxy.Endpoint, Options{Lease: 6 * time.Second})
			group.Go(func() {
				<-begin
				_, err := b.PublishFolder(ctx, dirs[i], numbered(20), options(start))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil && winner >= 0:
					t.Errorf("round %d: %d and %d have won", round, winner, i)
				case err == nil:
					winner = i
				case !errors.Is(err, ErrBusy):
					t.Errorf("round %d: %v", round, err)
				}
				if ended++; ended == publishers-1 {
					close(others)
				}
			})
		}
		close(begin)
		group.Wait()
		if winner < 0 {
			t.Fatalf("round %d: nobody has won", round)
		}
		got := s.stored()
		for i := range releases {
			for key, text := range releases[i] {
				if i == winner && got[key] != text {
					t.Errorf("round %d: %s is not the winner's", round, key)
				}
				if i != winner && target.IsImmutable(key) && got[key] != "" {
					t.Errorf("round %d: %s of a loser is stored", round, key)
				}
			}
		}
	}
}

// TestRootIsFenced checks that two publishers that both believe they hold the
// lease cannot both set the root.
func TestRootIsFenced(t *testing.T) {
	s := newShelf(t)
	b := s.open()
	before, err := b.readRoot(ctx)
	must(t, err)
	must(t, b.replaceRoot(ctx, before, &root{Version: rootVersion, Release: "one"}))
	assert.ErrorIs(t, b.replaceRoot(ctx, before, &root{Version: rootVersion, Release: "two"}), ErrLost, "a second first root")
	now, err := b.readRoot(ctx)
	must(t, err)
	must(t, b.replaceRoot(ctx, now, &root{Version: rootVersion, Release: "three"}))
	assert.ErrorIs(t, b.replaceRoot(ctx, now, &root{Version: rootVersion, Release: "four"}), ErrLost, "a second successor")
	if now, _ = b.readRoot(ctx); now.Release != "three" {
		t.Errorf("the root is that of %q", now.Release)
	}
}

// takeLease replaces a lease with a note. It repeats that if the holder has
// renewed the lease meanwhile.
func takeLease(b *Target, note string) error {
	for {
		_, etag, err := b.readLease(ctx)
		if err == nil {
			_, err = b.putNote(ctx, leaseKey, []byte(note), condition{etag: etag})
		}
		if err == nil || !isRefused(err) {
			return err
		}
	}
}

// TestLeaseLost checks that a publisher whose lease was taken over stores
// nothing more.
func TestLeaseLost(t *testing.T) {
	s := newShelf(t)
	r := newRelease(1, 1, 2, 3)
	proxy := s3test.StartProxy(t, s.endpoint)
	other := s.open()
	var once sync.Once
	var taken error
	proxy.Spoil(func(r *http.Request) s3test.Fault {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "a.idx") {
			once.Do(func() { taken = takeLease(other, `{"holder":"another"}`) })
			return s3test.Silent
		}
		return nil
	})
	b := s.at(proxy.Endpoint, Options{Lease: 6 * time.Second})
	_, err := b.PublishFolder(ctx, r.folder(t), numbered(1), options(start))
	assert.ErrorIs(t, err, ErrLost, "a lost lease")
	once.Do(func() { taken = errors.New("nobody has taken the lease") }) // only the first call counts; others wait for it
	must(t, taken)
	if _, found := s.stored()["v1/_index.json"]; found {
		t.Error("the publisher went on")
	}
	note, _, err := other.readLease(ctx)
	must(t, err)
	assert.Equal(t, note.Holder, "another", "the lease is that of")
}

// TestLeaseRunsOut checks that a publisher that cannot renew its lease stops
// before others may begin.
func TestLeaseRunsOut(t *testing.T) {
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	proxy.Spoil(func(r *http.Request) s3test.Fault {
		if strings.HasSuffix(r.URL.Path, "a.idx") {
			proxy.Spoil(func(*http.Request) s3test.Fault { return s3test.Silent })
			return s3test.Silent
		}
		return nil
	})
	b := s.at(proxy.Endpoint, Options{Lease: time.Second})
	began := time.Now()
	_, err := b.PublishFolder(ctx, newRelease(1, 1).folder(t), numbered(1), options(start))
	if !errors.Is(err, ErrLost) {
		t.Errorf("a lease that ran out: %v after %s", err, time.Since(began))
	}
	proxy.Spoil(nil)
	r := newRelease(2, 1, 2)
	s.publish(r.folder(t), 2, start)
	s.wants(r, newRelease(1, 1).only("_ix/0000000000000001/b.idx", s.stored()))
}

// only returns the part of the release that is stored under a key, which may be
// empty.
func (r release) only(key string, stored release) release {
	if _, found := stored[key]; !found {
		return release{}
	}
	return release{key: r[key]}
}

// TestLeaseOfAnother checks that the lease of a dead holder is taken over, and
// that of a living one is not.
func TestLeaseOfAnother(t *testing.T) {
	s := newShelf(t)
	b := s.at(s.endpoint, Options{Lease: 6 * time.Second})
	held, _, err := b.acquireLease(ctx, func(time.Duration) {})
	must(t, err)
	dir := newRelease(1, 1).folder(t)
	assert.ErrorIs(t, assert.Err(s.open().PublishFolder(ctx, dir, numbered(1), options(start))), ErrBusy, "beside a living publisher")
	held.cancel(nil)
	<-held.done
	must(t, takeLease(b, `{"holder":"dead","valid_ms":600}`)) // not renewed, as after SIGKILL
	waited := time.Duration(0)
	opt := options(start)
	opt.Waiting = func(valid time.Duration) { waited = valid }
	_, err = s.open().PublishFolder(ctx, dir, numbered(1), opt)
	must(t, err)
	assert.Equal(t, waited, 600*time.Millisecond, "waited for a lease of")
	opt.Waiting = func(time.Duration) { t.Error("waits for a lease that was given back") }
	_, err = s.open().PublishFolder(ctx, dir, numbered(1), opt)
	must(t, err)
}

// TestLeaseKnowsItsOwnWrites loses the answer of a renewal that cannot be read
// back: the publisher must recognize its own write and continue.
func TestLeaseKnowsItsOwnWrites(t *testing.T) {
	s := newShelf(t)
	b := s.open()
	l, _, err := b.acquireLease(ctx, func(time.Duration) {})
	must(t, err)
	unheard := l.note
	unheard.Renewed = 7
	data, err := json.Marshal(unheard)
	must(t, err)
	must(t, takeLease(b, string(data)))
	must(t, l.renewOnce(ctx))

	must(t, takeLease(b, string(data)))
	l.releaseLease(ctx, true)
	if note, _, err := b.readLease(ctx); err != nil || note.Holder != "" {
		t.Errorf("the lease was not given back: %+v, %v", note, err)
	}

	l, _, err = b.acquireLease(ctx, func(time.Duration) {})
	must(t, err)
	must(t, takeLease(b, `{"holder":"another"}`))
	assert.ErrorIs(t, l.renewOnce(ctx), ErrLost, "the lease of another was renewed")
	l.cancel(nil)
	<-l.done
}

// TestServiceWithoutConditions checks that a service that ignores conditions is
// refused before anything is stored.
func TestServiceWithoutConditions(t *testing.T) {
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	proxy.Spoil(func(r *http.Request) s3test.Fault {
		if r.Header.Get("If-None-Match") == "" {
			return nil
		}
		return func(w http.ResponseWriter, r *http.Request, _ func() *httptest.ResponseRecorder) {
			w.Header().Set("ETag", `"0123456789abcdef0123456789abcdef"`)
		}
	})
	b := s.at(proxy.Endpoint, Options{})
	_, err := b.PublishFolder(ctx, newRelease(1, 1).folder(t), numbered(1), options(start))
	assert.ErrorIs(t, err, ErrNoConditions, "a service without conditions")
	if _, err := os.Stat(s.objects); err == nil {
		t.Errorf("objects were stored: %v", s.all())
	}
}

// TestPresentByDigest checks that an object is skipped by the digest in its
// metadata, never by its ETag.
func TestPresentByDigest(t *testing.T) {
	s := newShelf(t)
	b := s.open()
	o := objectOf("a.json", "{}")
	put := func(meta map[string]string) {
		opt := headersOf(o.Key).putOptions(o.SHA256)
		opt.UserMetadata = meta
		_, err := b.at.Client.Client.PutObject(ctx, b.at.Name, b.at.Prefix+o.Key, bytes.NewReader([]byte("{}")), 2, opt)
		must(t, err)
	}
	for _, tc := range []struct {
		meta map[string]string
		want bool
	}{
		{headersOf(o.Key).putOptions(o.SHA256).UserMetadata, true},
		{nil, false},
		{headersOf(o.Key).putOptions(sumOf("other")).UserMetadata, false},
	} {
		put(tc.meta)
		if has, err := b.hasObject(ctx, &o); err != nil || has != tc.want {
			t.Errorf("with %v: %v %v", tc.meta, has, err)
		}
	}
	_, err := b.at.Client.Client.PutObject(ctx, b.at.Name, b.at.Prefix+o.Key, bytes.NewReader([]byte("{}")), 2,
		minio.PutObjectOptions{ContentType: "text/html", UserMetadata: headersOf(o.Key).putOptions(o.SHA256).UserMetadata})
	must(t, err)
	if has, err := b.hasObject(ctx, &o); err != nil || has {
		t.Errorf("with other headers: %v %v", has, err)
	}
}
