// Package serving implements the command that serves the published files and
// the origin.
package serving

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator/target"
	"colophon/internal/blob"
	"colophon/internal/canonicaltext"
	"colophon/internal/cli"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/iscc"
	"colophon/internal/limiter"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/published"
	"colophon/internal/record"
	"colophon/internal/registrydir"
	"colophon/internal/server"
	"colophon/internal/usage"
	"colophon/worker"
	"colophon/worker/edge"
	"colophon/worker/limit"
	"colophon/worker/web"
)

// DefaultAddr is where a server listens by default.
const DefaultAddr = "127.0.0.1:8787"

// Command serves the published files and the live API.
func Command(e *cli.Env) *cobra.Command {
	var addr, out, mirrored string
	var follow bool
	var flags server.Config
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the published files and the live API", Args: cli.ExactArgs(),
		Long: "Serve answers from the published files and the origin store until it is asked to end; it then finishes the requests in flight.\n" +
			"At SIGHUP it reads colophon.toml and the certificate again. The table [server] has the settings without a flag; see the page \"Self-hosting\".\n" +
			"With --follow it builds whenever the origin changes, and signs with the keys in the folder of the origin.",
		Example: "  colophon serve --addr 127.0.0.1:8787 --trusted-proxy 127.0.0.1\n" +
			"  colophon serve --addr :443 --acme --redirect-addr :80 --admin-addr 127.0.0.1:9787",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if follow && (mirrored != "" || e.D1 != "") {
				return usage.Errorf("--follow builds from an origin in a file or in Postgres: it goes with neither --mirror nor an origin in D1")
			}
			if mirrored != "" {
				return serveMirror(cmd.Context(), e, mirrored, addr, flags)
			}
			read := func() (Server, error) { return readServing(e, out, flags) }
			first, err := read()
			if err != nil {
				return err
			}
			if first.Listener, err = server.Listen(addr, "--addr"); err != nil {
				return err
			}
			defer first.Listener.Close()
			store, done, err := e.OpenServing(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			first.reread = read
			if follow {
				first.follow = &registrydir.Follower{Dir: &e.Dir, Store: store, Out: out}
			}
			return Serve(cmd.Context(), e, first, store)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&e.Sign, "sign", false, "sign receipts of rights answers and checkpoints with the signing key")
	f.StringVar(&addr, "addr", DefaultAddr, "address to listen on")
	f.StringVar(&mirrored, "mirror", "", "serve the mirror in this folder, without an origin")
	f.StringVar(&out, "out", "", "folder of the published files (default: the setting \"out\")")
	f.BoolVar(&follow, "follow", false, "publish changes of the origin as they are committed")
	f.StringArrayVar(&flags.TrustedProxies, "trusted-proxy", nil, "address or network of a proxy that may state a client's address (repeatable)")
	f.StringVar(&flags.TrustedHeader, "trusted-header", "", "the only header from which the client's address is read when a trusted proxy sends it, such as X-Real-IP")
	f.StringVar(&flags.AdminAddr, "admin-addr", "", "address for /healthz, /readyz and /metrics, such as 127.0.0.1:9787")
	f.StringVar(&flags.LogFormat, "log-format", "", "text or json (default text)")
	f.StringVar(&flags.LogLevel, "log-level", "", "debug, info, warn or error; requests are logged at info (default info)")
	f.StringVar(&flags.TLSCert, "tls-cert", "", "certificate chain in PEM, to serve HTTPS")
	f.StringVar(&flags.TLSKey, "tls-key", "", "its private key in PEM")
	f.BoolVar(&flags.ACME, "acme", false, "get certificates by ACME and accept the terms of the ACME server, to serve HTTPS")
	f.StringVar(&flags.ACMEEmail, "acme-email", "", "where the ACME server can reach the operator")
	f.StringVar(&flags.ACMEDirectory, "acme-directory", "", "directory URL of the ACME server (default: Let's Encrypt)")
	f.StringVar(&flags.RedirectAddr, "redirect-addr", "", "address for plain HTTP beside HTTPS, such as :80: redirects, and challenges of ACME")
	return cmd
}

// Server is what a server serves, and how.
type Server struct {
	registrydir.Settings
	Listener net.Listener           // closed by the caller
	Dir      string                 // of the published files
	Ready    func()                 // called before the first answer; nil: a note is written
	reread   func() (Server, error) // at SIGHUP; nil: nothing is read again
	follow   *registrydir.Follower  // publishes changes; may be nil
}

// readServing returns what a server serves according to settings and flags.
func readServing(e *cli.Env, out string, flags server.Config) (Server, error) {
	s, err := e.ReadSettings()
	if err != nil {
		return Server{}, err
	}
	dir := e.OutFolder(s, out)
	if err := target.Recover(dir); err != nil { // of a build that was killed
		return Server{}, err
	}
	if _, err := os.Stat(filepath.Join(dir, string(exports.KeyOf("/")))); errors.Is(err, fs.ErrNotExist) {
		return Server{}, fmt.Errorf("there is no build in %q; make one with \"colophon build --dir %s\"", dir, e.Path)
	}
	s.Server = s.Server.With(flags)
	return Server{Settings: s, Dir: dir}, nil
}

// Serve answers until ctx ends.
func Serve(ctx context.Context, e *cli.Env, s Server, store *originsql.Store) error {
	s.Server.ACMEDir = e.File("acme")
	log, err := server.NewLogger(e.Stderr, s.Server.LogFormat, s.Server.LogLevel)
	if err != nil {
		return usage.Wrap(err)
	}
	handler, err := newHandler(e, s, store, log)
	if err != nil {
		return err
	}
	srv, err := server.New(server.Options{
		Config: s.Server, BaseURL: s.BaseURL, Handler: handler, DB: store.DB(), Log: log, Checks: readinessChecks(s, store),
	})
	if errors.Is(err, server.ErrConfig) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}

	stop, err := srv.ServeBeside(context.WithoutCancel(ctx), e.PrintNote) // monitoring sees the shutdown
	if err != nil {
		return err
	}
	defer stop()
	stopMaintenance, err := e.StartMaintenance(ctx, s.Settings, store)
	if err != nil {
		return err
	}
	defer stopMaintenance()
	if s.reread != nil {
		defer srv.ReloadOnHangup(ctx, func() (server.Config, edge.Handler, error) {
			next, err := s.reread()
			if err != nil {
				return server.Config{}, nil, err
			}
			handler, err := newHandler(e, next, store, log)
			return next.Server, handler, err
		})()
	}
	if s.follow != nil {
		s.follow.Log = log
		defer s.follow.Start(ctx)()
	}
	if s.Ready != nil {
		s.Ready()
	} else {
		e.PrintNote("serving %s at %s (Ctrl-C ends it)", s.Dir, srv.Address(s.Listener))
	}
	e.BoundMemory(srv.MemoryLimit())
	return srv.Serve(ctx, s.Listener)
}

// newHandler returns the worker over this machine.
func newHandler(e *cli.Env, s Server, store *originsql.Store, log *slog.Logger) (edge.Handler, error) {
	deps, err := WorkerDeps(e, s.Settings, s.Dir, store)
	if err != nil {
		return nil, err
	}
	deps.LookAt = enrol.JoinLooks(intake.Options{Contact: s.Contact, Registry: s.BaseURL}, log)
	deps.Log = func(line string) { log.Warn("worker", "line", line) }
	return worker.New(deps), nil
}

// readinessChecks returns what must be in order before requests are sent here.
func readinessChecks(s Server, store *originsql.Store) []server.Check {
	return []server.Check{
		{Name: "store", Run: func(ctx context.Context) error {
			_, err := store.Site(ctx, "readyz")
			if errors.Is(err, origin.ErrNotFound) {
				return nil
			}
			return err
		}},
		{Name: "files", Run: func(ctx context.Context) error {
			_, err := blob.Folder(s.Dir).Read(ctx, string(exports.KeyOf("/")))
			return err
		}},
	}
}

// callersRemembered bounds the memory of the rate limiter.
const callersRemembered = 100_000

// textCode returns the similarity code of a text as an import computes it, ""
// for one that is not UTF-8.
func textCode(text string) string {
	canonical, err := canonicaltext.CanonicalText(text)
	if err != nil {
		return ""
	}
	return iscc.Sum(canonical).String()
}

// WorkerDeps returns what the worker needs, provided by this machine.
func WorkerDeps(e *cli.Env, s registrydir.Settings, dir string, store *originsql.Store) (worker.Deps, error) {
	secret, err := e.LoadSecret()
	if err != nil {
		return worker.Deps{}, err
	}
	signer, err := e.ReceiptSigner()
	if err != nil {
		return worker.Deps{}, err
	}
	var lookAt web.UnregisteredReader
	if s.ReadUnregistered {
		lookAt = enrol.UnregisteredLooks(intake.Options{Contact: s.Contact, Registry: s.BaseURL})
	}
	limits, err := s.RateLimits()
	return worker.Deps{
		Origin:           store,
		Letters:          s.Mail.Configured(),
		ReadUnregistered: lookAt,
		TextCode:         textCode,
		Signer:           signer,
		BaseURL:          s.BaseURL, Assets: published.Files(blob.Folder(dir)), Now: time.Now, Rand: rand.Reader, Verify: record.Ed25519, Secret: secret,
		Signers: server.SignerKeys(intake.PublicClient(3*time.Second, false, nil)),
		Limits:  limit.Limits{Policies: limits, Limiter: limiter.New(limits, callersRemembered, time.Now)}, ProofBits: s.ProofBits,
		Log: func(line string) { fmt.Fprintln(e.Stderr, line) },
	}, err
}
