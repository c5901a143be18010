package enrol

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"

	"colophon/exports"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// Limits of how a server looks at sites for strangers.
const (
	lookTime    = 10 * time.Second
	looksAtOnce = 2 // of a kind; a request to join beyond them waits for "join check"
)

// lookOnce calls look with a context that ends after lookTime. It returns false
// at once if as many looks as may run are under way.
func lookOnce(ctx context.Context, slots *semaphore.Weighted, look func(context.Context) bool) bool {
	if !slots.TryAcquire(1) {
		return false
	}
	defer slots.Release(1)
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	return look(ctx)
}

// JoinLooks returns the function by which a server looks at sites that ask to be
// listed, few at once, within the guard of imports. opt has the registry in
// whose name it looks. What the network said is only logged.
func JoinLooks(opt intake.Options, log *slog.Logger) func(ctx context.Context, host string) (exports.JoinFound, bool) {
	slots := semaphore.NewWeighted(looksAtOnce)
	opt.Timeout = lookTime / 2
	return func(ctx context.Context, host string) (found exports.JoinFound, ok bool) {
		ok = lookOnce(ctx, slots, func(ctx context.Context) bool {
			p, err := intake.NewProver(opt)
			if err != nil {
				return false
			}
			defer p.Close()
			var system []string
			found, system = LookToJoin(ctx, p, host, exports.Instant(time.Now()))
			for _, line := range system {
				log.Warn("a site that asked to be listed", "host", host, "error", line)
			}
			return true
		})
		return found, ok
	}
}

// UnregisteredLooks returns the function by which the check page looks at
// unregistered sites, few at once, within the guard of imports. It reports
// whether anything of a site answered.
func UnregisteredLooks(opt intake.Options) func(ctx context.Context, url string) ([]origin.Evidence, bool) {
	slots := semaphore.NewWeighted(looksAtOnce)
	opt.Timeout, opt.Retries = lookTime/2, -1
	return func(ctx context.Context, url string) (found []origin.Evidence, ok bool) {
		ok = lookOnce(ctx, slots, func(ctx context.Context) bool {
			var err error
			found, err = ReadUnregistered(ctx, opt, url)
			return err == nil && Reached(found)
		})
		return found, ok
	}
}
