package intake

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// fetcher gets documents over HTTP as a polite and careful client.
type fetcher struct {
	client    *retryablehttp.Client
	guard     *guard
	gate      *gate
	book      robotsBook
	userAgent string
	requests  atomic.Int64
	bytes     atomic.Int64
}

// request asks for one document.
type request struct {
	url          *url.URL
	etag         string // validators of the answer we have
	lastModified string
	accept       string
	limit        int64 // bytes of the body, after decompression
	anyway       bool  // even if robots.txt disallows it: robots.txt itself, and files placed for registries
	stay         bool  // a redirect to another host, or away from https, is a problem
	truncate     bool  // a document over the limit is cut off instead of being an error
}

// answer is a document, or the news that the one we have is current.
type answer struct {
	status int
	header http.Header
	body   []byte
	url    *url.URL // after redirects
}

func newFetcher(o Options) *fetcher {
	f := &fetcher{
		guard:     &guard{allowPrivate: o.AllowPrivate, connectTo: o.ConnectTo},
		gate:      newGate(o.PerHost),
		userAgent: agent + "/1.0",
	}
	if o.Contact != "" {
		f.userAgent += " (+" + o.Contact + ")"
	}
	f.client = retryablehttp.NewClient()
	f.client.Logger = nil
	f.client.RetryMax = o.Retries
	f.client.RetryWaitMin = o.RetryWait
	f.client.RetryWaitMax = max(maxRetryWait, o.RetryWait)
	f.client.Backoff = retryDelay
	f.client.CheckRetry = mayPass
	f.client.ErrorHandler = retryablehttp.PassthroughErrorHandler
	f.client.RequestLogHook = func(retryablehttp.Logger, *http.Request, int) { f.requests.Add(1) }
	f.client.HTTPClient = f.guard.newClient(o.Timeout, &http.Transport{MaxIdleConnsPerHost: o.PerHost, TLSClientConfig: &tls.Config{RootCAs: o.Roots}})
	return f
}

func (f *fetcher) close() { f.client.HTTPClient.CloseIdleConnections() }

// retryDelay returns how long to wait, longer each time, and as long as the
// site asks, within bounds.
func retryDelay(low, high time.Duration, attempt int, resp *http.Response) time.Duration {
	return min(retryablehttp.DefaultBackoff(low, high, attempt, resp), high)
}

// mayPass decides whether a failure is worth another try.
func mayPass(ctx context.Context, resp *http.Response, err error) (bool, error) {
	var refused *addressError
	if errors.As(err, &refused) {
		return false, err
	}
	return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
}

// fetchDocument reads a whole document of at most r.limit bytes.
func (f *fetcher) fetchDocument(ctx context.Context, r request) (*answer, *problem) {
	s, p := f.openDocument(ctx, r)
	if p != nil {
		return nil, p
	}
	defer s.Close()
	a := &answer{status: s.status, header: s.header, url: s.url}
	if s.length > r.limit && !r.truncate {
		return a, failedProblem("too_large", "it has %d bytes, the limit is %d", s.length, r.limit)
	}
	body, err := io.ReadAll(io.LimitReader(s, r.limit+1))
	switch {
	case err != nil:
		return a, transportProblem(err)
	case int64(len(body)) > r.limit && r.truncate:
		body = body[:r.limit]
	case int64(len(body)) > r.limit:
		return a, failedProblem("too_large", "it goes on after %d bytes, the limit", r.limit)
	}
	a.body = body
	return a, nil
}
