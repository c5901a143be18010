// Package webhook posts notifications over net/http.
package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"colophon/exports"
	"colophon/internal/intake"
	"colophon/internal/notify"
	"colophon/internal/usage"
)

// CheckAddress refuses an address to which notifications cannot be sent, by a
// usage.Error. It must be https, or http on this machine, without credentials,
// and public unless private ones are allowed; or mailto: and one address. What a
// name resolves to is checked when it is used.
func CheckAddress(address string, allowPrivate bool) error {
	if email, ok := strings.CutPrefix(address, notify.MailScheme); ok {
		if !exports.ValidEmail(email) {
			return usage.Errorf("%q is not mailto: and one e-mail address", address)
		}
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{}
	}
	ip, notIP := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || notIP == nil && ip.IsLoopback()
	if u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return usage.Errorf("%q is not an https address without credentials", address)
	}
	if !allowPrivate && (local || notIP == nil && !intake.IsPublic(ip)) {
		return usage.Errorf("%q is not a public address; --allow-private lets a receiver be there", address)
	}
	return nil
}

// maxAnswer is how much of an answer is read so that the connection can be
// used again.
const maxAnswer = 64 << 10

// Post returns the Post of a notify.Sender. Messages go out through public,
// which must refuse addresses that are not public, or through private where
// the receiver may be at such an address. Neither may follow redirects, and
// both must have a timeout.
func Post(public, private *http.Client) notify.PostFunc {
	guarded := newClient(public)
	unguarded := newClient(private)
	return func(ctx context.Context, m notify.Message) (notify.Answer, error) {
		if m.AllowPrivate {
			return postEvent(ctx, unguarded, m)
		}
		return postEvent(ctx, guarded, m)
	}
}

// newClient wraps a client so that a message is sent again, at once and once,
// if its connection turned out to be closed. It never waits: the outbox handles
// statuses and Retry-After.
func newClient(c *http.Client) *retryablehttp.Client {
	r := retryablehttp.NewClient()
	r.HTTPClient = c
	r.Logger = nil
	r.RetryMax = 1
	r.CheckRetry = checkRetry
	r.Backoff = func(time.Duration, time.Duration, int, *http.Response) time.Duration { return 0 }
	r.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return r
}

func checkRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE), nil
}

func postEvent(ctx context.Context, c *retryablehttp.Client, m notify.Message) (notify.Answer, error) {
	req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, m.URL, m.Body)
	if err != nil {
		return notify.Answer{}, withoutURL(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "colophon/"+exports.Version)
	req.Header.Set("Webhook-Id", m.ID)
	req.Header.Set("Webhook-Timestamp", m.Timestamp)
	req.Header.Set("Webhook-Signature", m.Signature)

	res, err := c.Do(req)
	if err != nil {
		return notify.Answer{}, withoutURL(err)
	}
	defer res.Body.Close()
	if res.ContentLength >= 0 && res.ContentLength <= maxAnswer {
		io.Copy(io.Discard, res.Body) //nolint:errcheck // only to reuse the connection
	}

	// Without a minimum wait, the default backoff is what Retry-After says.
	wait := retryablehttp.DefaultBackoff(0, notify.MaxWait, 0, res)
	return notify.Answer{Status: res.StatusCode, RetryAfter: wait}, nil
}

// withoutURL takes the address out of an error: it may hold a secret, and the
// error is kept and logged.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
