// Package server is the native HTTP server: it puts the handlers of the worker
// on the network, with the bounds that the open internet requires. The worker
// decides what a request means; this package decides how many it accepts, how
// large, how slow and from whom.
package server

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"colophon/worker/edge"
	"colophon/worker/edgehttp"
)

// Options of a server.
type Options struct {
	Config  Config
	BaseURL string       // of the service, for problem documents
	Handler edge.Handler // of the service
	DB      *sql.DB      // whose handles are bounded and reported; may be nil
	Checks  []Check      // of readiness
	Log     *slog.Logger // nil: nothing is logged
}

// HTTP serves one service.
type HTTP struct {
	config  Config
	baseURL string
	log     *slog.Logger

	proxies atomic.Pointer[Proxies]
	handler atomic.Pointer[edge.Handler]

	conns   *connLimiter
	bodies  *edgehttp.BodyBudget
	gates   gates
	http    *http.Server
	metrics *metrics

	tls          *tls.Config       // nil: plain HTTP
	certificates *certificateFiles // nil: none from files
	acme         *autocert.Manager // nil: none by ACME

	checks   []Check
	draining atomic.Bool
}

// streamsPerConnection bounds the requests at once of one HTTP/2 connection.
const streamsPerConnection = 100

// maxHeader bounds the head of a request, in bytes.
const maxHeader = 64 << 10

// New returns a server. It returns an ErrConfig that names the setting if one
// cannot be used.
func New(o Options) (*HTTP, error) {
	config, err := o.Config.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &HTTP{config: config, baseURL: o.BaseURL, log: o.Log, checks: o.Checks}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.tls, s.certificates, s.acme, err = newTLS(config, o.BaseURL, s.log); err != nil {
		return nil, err
	}
	if err := s.Reload(o.Config, o.Handler); err != nil {
		return nil, err
	}

	s.conns = newConnLimiter(config.MaxConnections, config.MaxConnectionsPerClient, s.proxies.Load)
	s.bodies = edgehttp.NewBodyBudget(int64(config.MaxBodyMemory)<<20, config.MaxBodies, config.MaxBodiesPerClient)
	s.gates = newGates(config.Concurrency)
	if o.DB != nil {
		boundHandles(o.DB, config.DatabaseConnections)
	}
	s.conns.encrypted = s.tls != nil
	s.metrics = newMetrics(s, o.DB)
	s.http = s.newHTTP()
	return s, nil
}

// Reload replaces the handler and the trusted proxies, and reads a certificate
// from its files again. Requests that have begun end as they began. Bounds,
// timeouts and addresses stay those of New. If it returns an error, which is
// ErrConfig, nothing has changed.
func (s *HTTP) Reload(c Config, handler edge.Handler) error {
	proxies, err := ParseProxies(c.TrustedProxies, c.TrustedHeader)
	if err != nil {
		return err
	}
	if s.certificates != nil {
		if err := s.certificates.loadFiles(c.TLSCert, c.TLSKey); err != nil {
			return err
		}
	}
	s.proxies.Store(proxies)
	s.handler.Store(&handler)
	return nil
}

func (s *HTTP) newHTTP() *http.Server {
	current := func(ctx context.Context, r *edge.Request) *edge.Response { return (*s.handler.Load())(ctx, r) }
	handler := trackWork(compress(s.gates.limitHandler(current, time.Duration(s.config.RequestTimeout))))
	return &http.Server{
		Handler: edgehttp.New(handler, edgehttp.Options{
			Remote:       func(r *http.Request) string { return s.proxies.Load().ClientAddr(r) },
			Bodies:       s.bodies,
			BodyTimeout:  time.Duration(s.config.BodyTimeout),
			WriteTimeout: time.Duration(s.config.WriteTimeout),
			Observe:      s.observeRequest,
			Log:          s.log,
		}),
		ReadHeaderTimeout: time.Duration(s.config.HeaderTimeout),
		IdleTimeout:       time.Duration(s.config.IdleTimeout),
		MaxHeaderBytes:    maxHeader,
		ConnContext:       connContext,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: streamsPerConnection},
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// boundHandles bounds the open handles of a database. Idle handles are kept,
// because opening one costs more than most statements.
func boundHandles(db *sql.DB, most int) {
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
}

// MemoryLimit returns how many bytes the garbage collector should keep the
// process below.
func (s *HTTP) MemoryLimit() int64 { return int64(s.config.MemoryLimit) << 20 }

// Serve answers on a listener until ctx ends, then lets the requests in flight
// finish and closes it.
func (s *HTTP) Serve(ctx context.Context, l net.Listener) error {
	l = s.conns.Listen(edgehttp.Listener(l, s.baseURL))
	if s.tls != nil {
		l = tls.NewListener(l, s.tls)
	}
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	return s.shutdownServer(context.WithoutCancel(ctx))
}

func (s *HTTP) shutdownServer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.config.ShutdownTimeout))
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return s.http.Close()
	}
	return err
}
