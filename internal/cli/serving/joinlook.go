package serving

import (
	"context"
	"log/slog"
	"time"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/enrol"
	"colophon/internal/intake"
	"colophon/internal/registrydir"
	"colophon/worker/joining"
)

// Limits of how a server looks at sites that ask to be listed.
const (
	joinLookTime = 10 * time.Second
	joinLooks    = 2 // at once; further requests wait for "join check"
)

// lookAt returns the function by which the server looks at sites that ask to be
// listed, within the guard of imports. What the network said is only logged.
func lookAt(s registrydir.Settings, log *slog.Logger) joining.LookAt {
	slots := make(chan struct{}, joinLooks)
	return func(ctx context.Context, host string) (found exports.JoinFound, ok bool) {
		select {
		case slots <- struct{}{}:
		default:
			return found, false
		}
		defer func() { <-slots }()
		ctx, cancel := context.WithTimeout(ctx, joinLookTime)
		defer cancel()
		opt := intake.Options{Contact: s.Contact, Registry: s.BaseURL, Timeout: joinLookTime / 2}
		p, err := intake.NewProver(opt)
		if err != nil {
			return found, false
		}
		defer p.Close()
		found, system := enrol.LookToJoin(ctx, p, opt, host, cli.Now())
		for _, line := range system {
			log.Warn("a site that asked to be listed", "host", host, "error", line)
		}
		return found, true
	}
}
