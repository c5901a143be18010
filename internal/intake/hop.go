package intake

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// stream is an open document; its host stays occupied until Close.
type stream struct {
	status int
	header http.Header
	url    *url.URL
	length int64 // as announced, -1 unknown
	body   io.ReadCloser
	leave  func()
	count  *atomic.Int64
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	s.count.Add(int64(n))
	return n, err
}

func (s *stream) Close() {
	s.body.Close()
	s.leave()
}

// openDocument follows redirects to a document and returns its body as a
// stream. A status other than 200 and 304 is a problem, except for robots.txt.
func (f *fetcher) openDocument(ctx context.Context, r request) (*stream, *problem) {
	seen := map[string]bool{}
	for u := r.url; ; {
		if seen[u.String()] {
			return nil, failedProblem("redirect_loop", "%s redirects to itself, through %d addresses", u, len(seen))
		}
		seen[u.String()] = true
		s, next, p := f.requestOnce(ctx, r, u)
		if p != nil || s != nil {
			return s, p
		}
		if len(seen) > maxRedirects {
			return nil, failedProblem("too_many_redirects", "it redirects more than %d times, last to %s", maxRedirects, next)
		}
		if r.stay && (next.Host != u.Host || next.Scheme != u.Scheme) {
			return nil, failedProblem("redirect_elsewhere", "%s redirects to %s; a redirect to another host proves nothing", u, next)
		}
		u = next
	}
}

// requestOnce makes one request; it returns a stream or the address to follow.
func (f *fetcher) requestOnce(ctx context.Context, r request, u *url.URL) (*stream, *url.URL, *problem) {
	var delay time.Duration
	if !r.anyway {
		robots := f.readRobots(ctx, u)
		if robots.problem != nil {
			return nil, nil, robots.problem
		}
		if !robots.rules.AllowsPath(u.RequestURI()) {
			return nil, nil, skippedProblem("robots_disallowed", "robots.txt of %s asks to leave %s alone", u.Host, u.RequestURI())
		}
		delay = robots.rules.Delay
	}
	leave, err := f.gate.enterLane(ctx, u.Host, delay)
	if err != nil {
		return nil, nil, transportProblem(err)
	}
	resp, err := f.sendRequest(ctx, r, u)
	if err != nil {
		leave()
		return nil, nil, transportProblem(err)
	}
	s := &stream{resp.StatusCode, resp.Header, u, resp.ContentLength, resp.Body, leave, &f.bytes}
	next, p := classifyResponse(r, s)
	if next != nil || p != nil {
		s.Close()
		return nil, next, p
	}
	return s, nil, nil
}

func (f *fetcher) sendRequest(ctx context.Context, r request, u *url.URL) (*http.Response, error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", f.userAgent)
	req.Header.Set("Accept", r.accept)
	if r.etag != "" {
		req.Header.Set("If-None-Match", r.etag)
	}
	if r.lastModified != "" {
		req.Header.Set("If-Modified-Since", r.lastModified)
	}
	return f.client.Do(req)
}

// classifyResponse returns the address of a redirect, or a problem; both are
// nil for a document.
func classifyResponse(r request, s *stream) (*url.URL, *problem) {
	switch s.status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, err := parseAddress(s.header.Get("Location"), s.url)
		if err != nil {
			return nil, failedProblem("bad_redirect", "%s redirects to %q: %v", s.url, s.header.Get("Location"), err)
		}
		return next, nil
	case http.StatusNotModified:
		if r.etag == "" && r.lastModified == "" {
			return nil, failedProblem("http_304", "%s says 304 to a request without conditions", s.url)
		}
		return nil, nil
	case http.StatusOK:
		if c := s.header.Get("Content-Encoding"); c != "" && !strings.EqualFold(c, "identity") {
			return nil, failedProblem("content_encoding", "%s is sent in the encoding %q, which was not asked for", s.url, c)
		}
		return nil, nil
	}
	if r.anyway {
		return nil, nil
	}
	return nil, failedProblem("http_"+strconv.Itoa(s.status), "%s answers %d %s", s.url, s.status, http.StatusText(s.status))
}
