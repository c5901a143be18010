package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"

	"colophon/exports"
	"colophon/worker/edgehttp"
)

// NewLogger returns a logger of a format, "text" or "json", and a level:
// "debug", "info", "warn" or "error". "" means "text" and "info". It returns
// ErrConfig for any other word.
func NewLogger(w io.Writer, format, level string) (*slog.Logger, error) {
	var least slog.Level
	if level != "" {
		if err := least.UnmarshalText([]byte(level)); err != nil {
			return nil, fmt.Errorf("%w: log level %q is none of debug, info, warn and error", ErrConfig, level)
		}
	}
	options := &slog.HandlerOptions{Level: least}
	switch format {
	case "", "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, fmt.Errorf("%w: log format %q is neither text nor json", ErrConfig, format)
}

// observeRequest counts and logs a request that has ended. The log has the
// pattern of the endpoint and nothing that the client sent: addresses contain
// the secrets of inboxes, queries and bodies contain personal data, headers
// contain credentials.
func (s *HTTP) observeRequest(r *http.Request, o edgehttp.Outcome) {
	route, load := routeOf(r.Method, r.URL.EscapedPath(), r.URL.RawQuery)
	method := knownMethod(r.Method)
	s.metrics.observeRequest(route, method, load, o)

	attrs := []slog.Attr{
		slog.String("request_id", o.ID),
		slog.String("method", method),
		slog.String("route", route),
		slog.String("class", string(load)),
		slog.Int("status", o.Status),
		slog.Int64("bytes", o.Bytes),
		slog.Float64("seconds", o.Duration.Seconds()),
	}
	if s.config.LogClients {
		attrs = append(attrs, slog.String("client", networkOf(s.proxies.Load().ClientAddr(r))))
	}
	level := slog.LevelInfo
	if o.Status >= 500 || o.Status == 0 {
		level = slog.LevelWarn
	}
	s.log.LogAttrs(context.Background(), level, "request", attrs...)
}

// routeOf returns the pattern of a request's endpoint, which contains no id and
// no secret, and its load.
func routeOf(method, path, query string) (route string, load exports.Load) {
	if method == "HEAD" {
		method = "GET"
	}
	e, _, allowed := exports.Find(method, path)
	switch {
	case len(allowed) == 0:
		e, _ = exports.FindPage(method, path, query)
	case e == nil: // OPTIONS, or a method to refuse
		other, _, _ := exports.Find(allowed[0], path)
		return other.Path, exports.LoadFiles
	}
	if e == nil {
		return "file", exports.LoadFiles
	}
	return e.Path, e.LoadOf(method, query)
}

// knownMethod keeps made-up methods out of logs and metrics.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return method
	}
	return "other"
}

// networkOf returns the network of a client: its IPv4 address, or the /64 of
// its IPv6 address.
func networkOf(addr string) string {
	ip, err := netip.ParseAddr(addr)
	if err != nil {
		return ""
	}
	return clientNetwork(ip).String()
}
