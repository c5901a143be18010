// Package webhook posts notifications over net/http.
package webhook

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"colophon/exports"
	"colophon/internal/notify"
)

// NewClient returns a client that tries a receiver three times within a few
// seconds, follows no redirects and reads no large answers.
func NewClient() *retryablehttp.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax, c.RetryWaitMin, c.RetryWaitMax = 2, 200*time.Millisecond, 2*time.Second
	c.HTTPClient.Timeout = 15 * time.Second
	c.HTTPClient.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.ErrorHandler = retryablehttp.PassthroughErrorHandler
	return c
}

// Post is the Post of a notify.Sender that sends through a client.
func Post(c *retryablehttp.Client) func(context.Context, notify.Message) (int, error) {
	return func(ctx context.Context, m notify.Message) (int, error) {
		req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, m.URL, m.Body)
		if err != nil {
			return 0, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("User-Agent", "colophon/"+exports.Version)
		req.Header.Set("Webhook-Id", m.ID)
		req.Header.Set("Webhook-Timestamp", m.Timestamp)
		req.Header.Set("Webhook-Signature", m.Signature)
		res, err := c.Do(req)
		if err != nil {
			return 0, err
		}
		defer res.Body.Close()
		io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) //nolint:errcheck // only to reuse the connection
		return res.StatusCode, nil
	}
}
