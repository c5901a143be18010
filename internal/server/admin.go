package server

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Check is one thing that must be in order for the service to be ready.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

// checkTimeout bounds each check of readiness.
const checkTimeout = 2 * time.Second

// AdminHandler answers an operator's monitoring, on its own listener:
//
//	GET /healthz   200 as long as the process answers
//	GET /readyz    200 when every check passes, else 503; {"ready":…,"checks":{…}}
//	GET /metrics   for Prometheus
//
// It has no authentication, and reveals nothing about clients or private
// records.
func (s *HTTP) AdminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n")) // an error means that the client has gone
	})
	mux.HandleFunc("GET /readyz", s.serveReady)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	return mux
}

// serveReady runs the checks. The answer names those that failed; the log says
// why.
func (s *HTTP) serveReady(w http.ResponseWriter, r *http.Request) {
	ready := !s.draining.Load()
	results := map[string]string{}
	if !ready {
		results["shutdown"] = "under way"
	}
	for _, check := range s.checks {
		ctx, cancel := context.WithTimeout(r.Context(), checkTimeout)
		err := check.Run(ctx)
		cancel()
		results[check.Name] = "ok"
		if err != nil {
			ready = false
			results[check.Name] = "failed"
			s.log.Warn("not ready", "check", check.Name, "error", err.Error())
		}
	}

	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if !ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"ready": ready, "checks": results}) // an error means that the client has gone
}

// ServeAdmin answers monitoring until ctx ends.
func (s *HTTP) ServeAdmin(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.AdminHandler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      15 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    maxHeader,
	}
	return serveUntil(ctx, server, l)
}

// serveUntil serves until ctx ends and closes the server then.
func serveUntil(ctx context.Context, server *http.Server, l net.Listener) error {
	stop := context.AfterFunc(ctx, func() { server.Close() }) //nolint:errcheck // the server has stopped
	defer stop()
	err := server.Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}
