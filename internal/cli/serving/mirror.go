package serving

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"colophon/exports"
	"colophon/internal/blob"
	"colophon/internal/cli"
	"colophon/internal/limiter"
	"colophon/internal/published"
	"colophon/internal/record"
	"colophon/internal/release"
	"colophon/internal/server"
	"colophon/internal/usage"
	"colophon/worker"
	"colophon/worker/limit"
)

// serveMirror serves the current release of a mirror, without an origin, until
// ctx ends.
func serveMirror(ctx context.Context, e *cli.Env, dir, addr string, config server.Config) error {
	current := filepath.Join(dir, "current")
	read := blob.Folder(current)
	keys, err := read.Read(ctx, string(exports.KeyOf(exports.WellKnownKeys)))
	if err != nil {
		return fmt.Errorf("there is no mirror in %q: %w; make one with \"colophon mirror URL %s\"", dir, err, dir)
	}
	set, err := record.ParseKeySet(keys)
	if err != nil {
		return err
	}
	data, err := read.Read(ctx, release.ListKey)
	if err != nil {
		return err
	}
	list, err := release.ParseList(data, set)
	if err != nil {
		return err
	}
	log, err := server.NewLogger(e.Stderr, config.LogFormat, config.LogLevel)
	if err != nil {
		return usage.Wrap(err)
	}
	limits := limit.DefaultPolicies()
	handler := worker.New(worker.Deps{
		BaseURL: list.BaseURL, Assets: published.Files(read), Now: time.Now, Verify: record.Ed25519,
		Limits: limit.Limits{Policies: limits, Limiter: limiter.New(limits, callersRemembered, time.Now)}, Log: func(line string) { log.Warn("worker", "line", line) },
	})
	srv, err := server.New(server.Options{Config: config, BaseURL: list.BaseURL, Handler: handler, Log: log, Checks: []server.Check{
		{Name: "files", Run: func(ctx context.Context) error {
			_, err := read.Read(ctx, release.ListKey)
			return err
		}},
	}})
	if err != nil {
		return err
	}
	listener, err := server.Listen(addr, "--addr")
	if err != nil {
		return err
	}
	e.PrintNote("serving release %s of %s at %s (Ctrl-C ends it)", list.Catalog.Name, list.BaseURL, srv.Address(listener))
	e.BoundMemory(srv.MemoryLimit())
	return srv.Serve(ctx, listener)
}
