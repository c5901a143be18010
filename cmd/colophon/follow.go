package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"colophon/generator"
	"colophon/generator/target"
	"colophon/internal/originsql"
)

const (
	followEvery      = 500 * time.Millisecond // between two looks at the change sequence
	followAtLeast    = time.Hour              // for what changes by time alone
	followRetryAfter = 10 * time.Second       // after a build that failed
)

// follower publishes what is committed to the origin while a server runs.
type follower struct {
	env   *env
	store *originsql.Store
	out   string // folder of the published files, "" for the setting
	log   *slog.Logger
}

// followOrigin publishes changes until the returned function is called, which
// waits for a build that is at work to end.
func (f follower) followOrigin(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.publishChanges(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

// publishChanges builds whenever the change sequence moved. It rests as long as
// the last build took, so that an import does not keep it busy all the time.
func (f follower) publishChanges(ctx context.Context) {
	published := int64(-1) // a server may start behind its origin
	var last time.Time     // when that was
	rest := time.Duration(0)
	for wait(ctx, rest) {
		rest = followEvery
		sequence, err := f.store.Sequence(ctx)
		if err != nil {
			continue // the requests that need the store tell what is wrong with it
		}
		if sequence == published && time.Since(last) < followAtLeast {
			continue
		}

		start := time.Now()
		err = f.buildChanges(ctx)
		rest = max(followEvery, time.Since(start))
		switch {
		case err == nil:
			published = sequence
			last = start
		case ctx.Err() != nil:
			return
		case errors.Is(err, target.ErrBusy), errors.Is(err, generator.ErrOtherBuild):
			f.log.Info("another build is at work; changes are published after it")
		default:
			rest = max(followRetryAfter, rest)
			f.log.Error("changes are not published", "error", err.Error(), "again_in", rest.String())
		}
	}
}

// buildChanges makes one build with the settings and keys as they are now.
func (f follower) buildChanges(ctx context.Context) error {
	s, err := f.env.readSettings()
	if err != nil {
		return err
	}
	report, err := f.env.buildInto(ctx, s, f.env.outFolder(s, f.out), buildFlags{beside: true, withdrawn: f.logWithdrawn})
	if err != nil || report.Unchanged {
		return err
	}
	f.log.Info("changes published", "release", report.Release, "files", report.Changed, "took", report.Duration.Round(time.Millisecond).String())
	return nil
}

// logWithdrawn tells what is answered no more, while the rest of a build is made.
func (f follower) logWithdrawn(w generator.Withdrawn) {
	f.log.Info("withdrawals published", "entries", w.Entries, "publishers", w.Publishers, "took", w.Duration.Round(time.Millisecond).String())
}

// wait waits for d and reports whether ctx still runs.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
