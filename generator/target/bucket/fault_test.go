package bucket

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"colophon/generator/target"
	"colophon/internal/assert"
	"colophon/internal/s3/s3test"

	"github.com/minio/minio-go/v7"
)

// faults are the ways in which each kind of request fails.
var faults = map[string]s3test.Fault{
	"503":       s3test.Refuse(http.StatusServiceUnavailable, "SlowDown"),
	"403":       s3test.Refuse(http.StatusForbidden, "AccessDenied"),
	"507":       s3test.Refuse(http.StatusInsufficientStorage, "StorageFull"),
	"silent":    s3test.Silent,
	"truncated": s3test.Truncated,
	"lost":      s3test.Lost,
}

// kinds recognize the kinds of requests, by their target.
var kinds = map[string]func(*http.Request) bool{
	"lease": func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, leaseKey) },
	"root":  func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, rootKey) },
	"list":  func(r *http.Request) bool { return strings.Contains(r.URL.Path, listsFolder) },
	"object": func(r *http.Request) bool {
		return path.Base(r.URL.Path) == "4.json" || path.Base(r.URL.Path) == "_index.json"
	},
	"deletion": func(r *http.Request) bool { return r.Method == http.MethodPost },
}

// TestFaults makes each kind of request fail permanently in each way. The
// publisher must report the failure in one line, what was published must remain
// published, and the next run must succeed.
func TestFaults(t *testing.T) {
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	before := newRelease(0, 1, 2, 3)
	s.publish(before.folder(t), 1, start)
	n := 1
	for kind, concerns := range kinds {
		for name, fault := range faults {
			t.Run(kind+" "+name, func(t *testing.T) {
				s.TB = t
				n++
				next := newRelease(n*6, 2, 3, 4)
				dir := next.folder(t)
				rootBefore := s.all()[rootKey]
				proxy.Spoil(func(r *http.Request) s3test.Fault {
					if concerns(r) {
						return fault
					}
					return nil
				})
				opt := options(start)
				opt.Grace = 0
				_, err := s.at(proxy.Endpoint, Options{Timeout: 400 * time.Millisecond, Lease: 2 * time.Second}).PublishFolder(ctx, dir, numbered(n), opt)
				proxy.Spoil(nil)
				complete := s.all()[rootKey] != rootBefore
				if err != nil && (strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), s3test.Bucket)) {
					t.Errorf("the error is %q", err)
				}
				// A write of root or lease whose answer is lost or cut can be
				// verified by reading it, so the publication may succeed.
				// Everything else must fail.
				if err == nil && !complete {
					t.Error("it ended well and published nothing")
				}
				if err == nil && name != "lost" && name != "truncated" {
					t.Error("it ended well")
				}
				if !complete {
					s.checkRoot(before)
				}
				_, err = s.open().PublishFolder(ctx, dir, numbered(n), opt)
				must(t, err)
				s.wants(next)
				before = next
			})
		}
	}
}

// checkRoot checks that all objects of a release exist, and that the immutable
// ones have their content.
func (s *shelf) checkRoot(r release) {
	s.Helper()
	got := s.stored()
	for key, text := range r {
		if got[key] == "" || target.IsImmutable(key) && got[key] != text {
			s.Errorf("%s of the published release is %q", key, got[key])
		}
	}
}

// TestFaultsThatPass makes some requests fail once, in ways that the client
// retries: every publication must succeed.
func TestFaultsThatPass(t *testing.T) {
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	random := rand.New(rand.NewPCG(1, 2))
	var mu sync.Mutex
	var last release
	for n := 1; n <= 5; n++ {
		seen := map[string]bool{}
		proxy.Spoil(func(r *http.Request) s3test.Fault {
			mu.Lock()
			defer mu.Unlock()
			request := r.Method + r.URL.Path
			if r.Method == http.MethodPost || r.Method == http.MethodGet || seen[request] || random.IntN(3) > 0 {
				return nil
			}
			seen[request] = true
			if random.IntN(2) == 0 {
				return s3test.Lost
			}
			return faults["503"]
		})
		last = newRelease(n, 1, 2, n+2)
		opt := options(start)
		opt.Grace = 0
		_, err := s.at(proxy.Endpoint, Options{}).PublishFolder(ctx, last.folder(t), numbered(n), opt)
		must(t, err)
		s.wants(last)
	}
	if proxy.Spoiled() < 10 {
		t.Errorf("only %d requests were spoiled", proxy.Spoiled())
	}
}

// TestAnswersCutOff cuts off the first answers to a request for a large object,
// which must be requested again. If every answer is cut off, the error must be
// one line.
func TestAnswersCutOff(t *testing.T) {
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	large := newRelease(1, 1)
	large["large.json"] = strings.Repeat("large ", 100_000)
	s.publish(large.folder(t), 1, start)
	b := s.at(proxy.Endpoint, Options{})
	for _, c := range []struct {
		cut int32
		ok  bool
	}{{readTries - 1, true}, {readTries, false}} {
		var asked atomic.Int32
		proxy.Spoil(func(r *http.Request) s3test.Fault {
			if asked.Add(1) <= c.cut {
				return s3test.Truncated
			}
			return nil
		})
		data, _, found, err := b.getObject(ctx, "large.json", 1<<20)
		if c.ok && (err != nil || !found || string(data) != large["large.json"]) {
			t.Errorf("cut off %d times: %d bytes, %v", c.cut, len(data), err)
		}
		if !c.ok && (!errors.Is(err, errCutOff) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("cut off %d times: %v", c.cut, err)
		}
	}
}

// TestDescribeAnswer checks the descriptions of errors from services and from
// proxies in front of them.
func TestDescribeAnswer(t *testing.T) {
	for _, c := range []struct {
		status        int
		code, message string
		want          string
	}{
		{503, "SlowDown", "Please reduce your request rate.", "Please reduce your request rate. (503 SlowDown)"},
		{503, "503 Service Unavailable", "503 Service Unavailable", "503 Service Unavailable"},
		{502, "502 Bad Gateway", "<html>\n<body>Bad gateway</body>\n</html>", "502 Bad Gateway"},
		{403, "<html><p>no", "", "403 Forbidden"},
		{403, "AccessDenied", "Access denied\nsee the log", "Access denied (403 AccessDenied)"},
	} {
		assert.Equal(t, describeAnswer(minio.ErrorResponse{StatusCode: c.status, Code: c.code, Message: c.message}), c.want, "%d %q %q", c.status, c.code, c.message)
	}
}

// TestLostAnswers loses the answer of each conditional write in turn. The
// client's retry is then refused, and it must find out that its own write
// succeeded.
func TestLostAnswers(t *testing.T) {
	s := newShelf(t)
	proxy := s3test.StartProxy(t, s.endpoint)
	for n := 1; n <= 8; n++ {
		var mu sync.Mutex
		writes := 0
		proxy.Spoil(func(r *http.Request) s3test.Fault {
			mu.Lock()
			defer mu.Unlock()
			if r.Method != http.MethodPut || r.Header.Get("If-Match") == "" && r.Header.Get("If-None-Match") == "" {
				return nil
			}
			if writes++; writes != n/2+1 { // of five: lease, lease refused, begun, root, lease
				return nil
			}
			return s3test.Lost
		})
		r := newRelease(n, 1, 2)
		opt := options(start)
		opt.Grace = 0
		_, err := s.at(proxy.Endpoint, Options{Lease: time.Minute}).PublishFolder(ctx, r.folder(t), numbered(n), opt)
		if err != nil {
			t.Fatalf("answer %d was lost: %v", n, err)
		}
		s.wants(r)
	}
	assert.Equal(t, proxy.Spoiled(), 8, "answers were lost")
}

// TestPublishContinues interrupts a publication and repeats it: objects that
// are stored are not sent again, and those that belong to no release are
// deleted.
func TestPublishContinues(t *testing.T) {
	s := newShelf(t)
	first := newRelease(0, 1, 2, 3)
	s.publish(first.folder(t), 1, start)
	proxy := s3test.StartProxy(t, s.endpoint)
	proxy.Spoil(func(r *http.Request) s3test.Fault {
		if strings.HasSuffix(r.URL.Path, "ledger/checkpoint") {
			return faults["403"]
		}
		return nil
	})
	second := newRelease(6, 1, 2, 3, 4, 5)
	dir := second.folder(t)
	broken, err := s.at(proxy.Endpoint, Options{}).PublishFolder(ctx, dir, numbered(2), options(start))
	if err == nil || broken.Sent < 5 {
		t.Fatalf("it was not interrupted: %+v", broken)
	}

	t.Run("with the same release", func(t *testing.T) {
		s.TB = t
		report := s.publish(dir, 2, start)
		s.wants(second, first.immutable())
		if report.Present != broken.Sent || report.Sent != int64(broken.Added+broken.Changed)-broken.Sent {
			t.Errorf("interrupted %+v\ncontinued   %+v", broken, report)
		}
	})

	var left []release
	for n := 3; n <= 4; n++ { // two interruptions in a row
		other := newRelease(6*n, 1, 2, 3, 4+n)
		broken, err = s.at(proxy.Endpoint, Options{}).PublishFolder(ctx, other.folder(t), numbered(n), options(start))
		if err == nil || broken.Sent < 3 {
			t.Fatalf("it was not interrupted: %+v", broken)
		}
		left = append(left, other)
	}
	t.Run("with another release", func(t *testing.T) {
		s.TB = t
		last := newRelease(6, 1, 2, 3, 4, 5) // as before the interruptions
		s.publish(last.folder(t), 5, start.Add(time.Hour))
		s.wants(last, left[1].files(s.stored()), left[0].files(s.stored()), first.immutable())
		s.publish(last.folder(t), 5, start.Add(100*time.Hour))
		s.wants(last)
		assert.Equal(t, s.notes(), 1, "lists are left")
	})
}

// files returns the part of the release that is in stored.
func (r release) files(stored release) release {
	part := release{}
	for key, text := range r {
		if stored[key] == text {
			part[key] = text
		}
	}
	return part
}
