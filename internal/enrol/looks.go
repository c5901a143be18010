package enrol

import (
	"context"
	"log/slog"
	"time"

	"colophon/exports"
	"colophon/internal/intake"
	"colophon/internal/origin"
)

// Limits of how a server looks at sites for strangers.
const (
	lookTime    = 10 * time.Second
	looksAtOnce = 2 // of a kind; a request to join beyond them waits for "join check"
)

// limitLooks returns a function that begins a look, unless as many as may run
// are under way. Its caller calls end when the look has ended.
func limitLooks() func(context.Context) (looking context.Context, end func(), ok bool) {
	slots := make(chan struct{}, looksAtOnce)
	return func(ctx context.Context) (context.Context, func(), bool) {
		select {
		case slots <- struct{}{}:
		default:
			return nil, nil, false
		}
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		return ctx, func() { cancel(); <-slots }, true
	}
}

// JoinLooks returns the function by which a server looks at sites that ask to be
// listed, few at once, within the guard of imports. opt has the registry in
// whose name it looks. What the network said is only logged.
func JoinLooks(opt intake.Options, log *slog.Logger) func(ctx context.Context, host string) (exports.JoinFound, bool) {
	begin := limitLooks()
	opt.Timeout = lookTime / 2
	return func(ctx context.Context, host string) (found exports.JoinFound, ok bool) {
		ctx, end, ok := begin(ctx)
		if !ok {
			return found, false
		}
		defer end()
		p, err := intake.NewProver(opt)
		if err != nil {
			return found, false
		}
		defer p.Close()
		found, system := LookToJoin(ctx, p, opt, host, exports.Instant(time.Now()))
		for _, line := range system {
			log.Warn("a site that asked to be listed", "host", host, "error", line)
		}
		return found, true
	}
}

// UnregisteredLooks returns the function by which the check page looks at
// unregistered sites, few at once, within the guard of imports. It reports
// whether anything of a site answered.
func UnregisteredLooks(opt intake.Options) func(ctx context.Context, url string) ([]origin.Evidence, bool) {
	begin := limitLooks()
	opt.Timeout, opt.Retries = lookTime/2, -1
	return func(ctx context.Context, url string) ([]origin.Evidence, bool) {
		ctx, end, ok := begin(ctx)
		if !ok {
			return nil, false
		}
		defer end()
		found, err := ReadUnregistered(ctx, opt, url)
		return found, err == nil && Reached(found)
	}
}
