package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/generator/intake"
	"colophon/internal/limiter"
	"colophon/internal/originsql"
	"colophon/internal/provenance"
	"colophon/internal/server"
	"colophon/worker"
	"colophon/worker/access"
)

const defaultAddr = "127.0.0.1:8787"

func serveCommand(e *env) *cobra.Command {
	var addr, out string
	var flags server.Config
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the published files and the live API", Args: exact(),
		Example: "  colophon serve --addr 127.0.0.1:8787",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := e.readSettings()
			if err != nil {
				return err
			}
			dir := e.outFolder(s, out)
			if _, err := os.Stat(filepath.Join(dir, string(exports.KeyOf("/")))); errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("there is no build in %q; make one with \"colophon build --dir %s\"", dir, e.dir)
			}
			s.Server = s.Server.With(flags)
			store, done, err := e.openServing(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			return e.serve(cmd.Context(), addr, s, dir, store, nil)
		},
	}
	cmd.Flags().BoolVar(&e.sign, "sign", false, "sign receipts of rights answers and checkpoints with the signing key")
	cmd.Flags().StringVar(&addr, "addr", defaultAddr, "address to listen on")
	cmd.Flags().StringVar(&out, "out", "", "folder of the published files (default: the setting \"out\")")
	cmd.Flags().StringArrayVar(&flags.TrustedProxies, "trusted-proxy", nil, "address or network of a proxy that may tell whom it answers for (repeatable)")
	cmd.Flags().StringVar(&flags.TrustedHeader, "trusted-header", "", "the one header by which trusted proxies tell it, such as X-Real-IP")
	return cmd
}

// serve answers until ctx ends. ready, if any, is called with the address once
// it is bound.
func (e *env) serve(ctx context.Context, addr string, s settings, dir string, store *originsql.Store, ready func(net.Addr)) error {
	deps, err := e.deps(s, dir, store)
	if err != nil {
		return err
	}
	srv, err := server.New(server.Options{Config: s.Server, BaseURL: s.BaseURL, Handler: worker.New(deps), DB: store.DB()})
	if errors.Is(err, server.ErrConfig) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err)
	}
	defer e.tend(ctx, store)()
	if ready != nil {
		ready(listener.Addr())
	} else {
		e.note("serving %s at http://%s (Ctrl-C ends it)", dir, listener.Addr())
	}
	return srv.Serve(ctx, listener)
}

// callersRemembered bounds the memory of the rate limiter.
const callersRemembered = 100_000

// deps is what the worker needs, brought by this machine.
func (e *env) deps(s settings, dir string, store *originsql.Store) (worker.Deps, error) {
	secret, err := e.secret()
	if err != nil {
		return worker.Deps{}, err
	}
	signer, err := e.receiptSigner()
	if err != nil {
		return worker.Deps{}, err
	}
	limits, err := s.limits()
	return worker.Deps{
		Signer:  signer,
		BaseURL: s.BaseURL, Assets: folder(dir), Now: time.Now, Rand: rand.Reader, Verify: provenance.Ed25519, Secret: secret,
		Signers: (&access.Directory{Now: time.Now, Verify: provenance.Ed25519, Fetch: fetchDirectory(intake.PublicClient(3*time.Second, false, nil))}).Keys(),
		Limits:  limits, ProofBits: s.ProofBits,
		Limiter: limiter.New(limits, callersRemembered, time.Now),
		Log:     func(line string) { fmt.Fprintln(e.stderr, line) },
	}.Over(store), err
}
