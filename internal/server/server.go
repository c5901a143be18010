// Package server is the native HTTP server: it puts the handlers of the worker
// on the network, with the bounds that the open internet asks for. What a
// request means is the worker's business; how many, how large, how slow and
// from whom is decided here.
package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// Options of a server.
type Options struct {
	Config  Config
	BaseURL string       // of the service, for problem documents
	Handler edge.Handler // of the service
}

// Server serves one service.
type Server struct {
	baseURL string
	http    *http.Server
}

// shutdownGrace is how long requests in flight may take once the server is
// asked to end.
const shutdownGrace = 5 * time.Second

// New prepares a server. An error names the setting that cannot be used.
func New(o Options) (*Server, error) {
	proxies, err := ParseProxies(o.Config.TrustedProxies, o.Config.TrustedHeader)
	if err != nil {
		return nil, err
	}
	handler := edgehttp.New(o.Handler, edgehttp.Options{Remote: proxies.ClientAddr})
	return &Server{
		baseURL: o.BaseURL,
		http: &http.Server{
			Handler:           handler,
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       2 * time.Minute,
			MaxHeaderBytes:    64 << 10,
		},
	}, nil
}

// Serve answers on a listener until ctx ends, then lets the requests in flight
// finish and closes it.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(edgehttp.Listener(l, s.baseURL)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	return s.shutdown(context.WithoutCancel(ctx))
}

func (s *Server) shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return s.http.Close()
	}
	return err
}
