package colophon

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"colophon/clients/go/api"
)

// Client talks to one registry. It may be used by many goroutines at once.
type Client struct {
	// API has a method for each operation. Its answers are read with Read.
	API *api.Client

	base       string
	partnerKey string
	credential string
	http       *http.Client
	attempts   int
	pause      time.Duration
	longest    time.Duration
}

// Option changes how a client works.
type Option func(*Client)

// WithPartnerKey sends a partner key to the partner API only.
func WithPartnerKey(key string) Option { return func(c *Client) { c.partnerKey = key } }

// WithBuyerCredential sends a buyer's credential where the answer depends on the buyer:
// to delivery, to the gateway and with rights checks.
func WithBuyerCredential(credential string) Option {
	return func(c *Client) { c.credential = credential }
}

// WithHTTPClient sends requests through another HTTP client.
func WithHTTPClient(client *http.Client) Option { return func(c *Client) { c.http = client } }

// WithRetries sets the maximum number of attempts for one request. Between two
// attempts the client waits as long as the answer asks for; if the answer does
// not say, it waits for pause, then for twice as long, and so on.
func WithRetries(attempts int, pause time.Duration) Option {
	return func(c *Client) { c.attempts, c.pause = max(attempts, 1), pause }
}

// longestWait is the longest wait between two attempts. An answer that asks for
// a longer one is returned to the caller.
const longestWait = 30 * time.Second

// New returns a client of the registry at base, such as https://registry.example.
func New(base string, options ...Option) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("colophon: %q is not the address of a registry", base)
	}
	c := &Client{
		base: strings.TrimSuffix(base, "/"), http: http.DefaultClient,
		attempts: 4, pause: 250 * time.Millisecond, longest: longestWait,
	}
	for _, option := range options {
		option(c)
	}
	c.API = &api.Client{Server: c.base + "/", Client: c, RequestEditors: []api.RequestEditorFn{c.authorize}}
	return c, nil
}

// authorize adds the credential for the path of a request, if the client has it.
func (c *Client) authorize(_ context.Context, req *http.Request) error {
	secret := ""
	switch path := strings.TrimPrefix(req.URL.String(), c.base); {
	case strings.HasPrefix(path, "/v1/partner/"):
		secret = c.partnerKey
	case strings.HasPrefix(path, "/v1/rag-delivery/"), strings.HasPrefix(path, "/mcp/gateway"), strings.HasPrefix(path, "/v1/public/rights/check"):
		secret = c.credential
	}
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	return nil
}
