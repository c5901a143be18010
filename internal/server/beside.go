package server

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"colophon/worker/edge"
)

// Listen listens on the address that a flag of the command line gives.
func Listen(addr, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; choose another with %s", addr, err, flag)
	}
	return l, nil
}

// Address returns the address of the service on a listener.
func (s *HTTP) Address(l net.Listener) string {
	if s.tls != nil {
		return "https://" + l.Addr().String()
	}
	return "http://" + l.Addr().String()
}

// ServeBeside serves monitoring and plain HTTP at the addresses that the
// configuration has for them, and calls note with each. The returned function
// ends both and waits for them.
func (s *HTTP) ServeBeside(ctx context.Context, note func(format string, args ...any)) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	stop = func() {
		cancel()
		group.Wait()
	}
	for _, side := range []struct {
		addr, flag, what string
		serve            func(context.Context, net.Listener) error
	}{
		{s.config.AdminAddr, "--admin-addr", "monitoring", s.ServeAdmin},
		{s.config.RedirectAddr, "--redirect-addr", "plain HTTP", s.ServeRedirect},
	} {
		if side.addr == "" {
			continue
		}
		l, err := Listen(side.addr, side.flag)
		if err != nil {
			stop()
			return nil, err
		}
		note("%s at http://%s", side.what, l.Addr())
		group.Go(func() {
			if err := side.serve(ctx, l); err != nil {
				s.log.Error(side.what+" ended", "error", err.Error())
			}
		})
	}
	return stop, nil
}

// ReloadOnHangup calls Reload with what read returns at each SIGHUP, until the
// returned function is called. Settings that cannot be used are logged, and
// change nothing.
func (s *HTTP) ReloadOnHangup(ctx context.Context, read func() (Config, edge.Handler, error)) (stop func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangup:
			}
			config, handler, err := read()
			if err == nil {
				err = s.Reload(config, handler)
			}
			if err != nil {
				s.log.Error("settings stay as they were", "error", err.Error())
				continue
			}
			s.log.Info("settings read again")
		}
	})
	return func() {
		signal.Stop(hangup)
		cancel()
		group.Wait()
	}
}
