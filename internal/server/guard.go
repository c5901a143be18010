package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"colophon/internal/record"
	"colophon/worker/access"
	"colophon/worker/edgehttp"
)

// ServeGuard guards the server of a publisher's site on a listener until ctx
// ends: what the guard lets pass goes on to upstream unchanged, with the host
// that the client asked for.
func ServeGuard(ctx context.Context, l net.Listener, guard *access.Guard, upstream *url.URL) error {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(upstream)
			r.Out.Host = r.In.Host
			r.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	server := &http.Server{
		Handler: edgehttp.Guard(guard.Check, proxy, edgehttp.Options{}), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: maxHeader,
	}
	return serveUntil(ctx, server, l)
}

// SignerKeys returns the keys of those who sign requests, read from the
// directories that they publish. The client must refuse addresses that are not
// public and follow no redirects.
func SignerKeys(client *http.Client) access.Keys {
	fetch := func(ctx context.Context, url string) (int, []byte, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return 0, nil, err
		}
		req.Header.Set("Accept", access.DirectoryMedia)
		resp, err := client.Do(req)
		if err != nil {
			return 0, nil, err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(io.LimitReader(resp.Body, access.MaxDirectory+1))
		return resp.StatusCode, body, err
	}
	return (&access.Directory{Now: time.Now, Verify: record.Ed25519, Fetch: fetch}).Keys()
}
