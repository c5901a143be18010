package registrydir

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"colophon/generator"
	"colophon/generator/target"
	"colophon/internal/originsql"
	"colophon/internal/pause"
)

const (
	followEvery      = 500 * time.Millisecond // between two looks at the change sequence
	followAtLeast    = time.Hour              // for what changes by time alone
	followRetryAfter = 10 * time.Second       // after a build that failed
)

// Follower publishes changes of the origin while a server runs.
type Follower struct {
	Dir   *Dir
	Store *originsql.Store
	Out   string // folder of the published files, "" for the setting
	Log   *slog.Logger
}

// Start publishes changes until the returned function is called, which
// waits for a build that is at work to end.
func (f Follower) Start(ctx context.Context) (stop func()) {
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

// publishChanges builds whenever the change sequence has moved. It then pauses
// for as long as the build took, so that an import does not keep it busy all
// the time; withdrawals do not wait for that.
func (f Follower) publishChanges(ctx context.Context) {
	published := int64(-1) // a server may start behind its origin
	var last time.Time     // when that was
	rest := time.Duration(0)
	seen := published
	for f.RestFor(ctx, rest, seen) {
		rest = followEvery
		sequence, err := f.Store.Sequence(ctx)
		if err != nil {
			continue // requests that need the store report what is wrong with it
		}
		if sequence == published && time.Since(last) < followAtLeast {
			continue
		}

		start := time.Now()
		seen = sequence
		err = f.buildChanges(ctx)
		rest = max(followEvery, time.Since(start))
		switch {
		case err == nil:
			published = sequence
			last = start
		case ctx.Err() != nil:
			return
		case errors.Is(err, target.ErrBusy), errors.Is(err, generator.ErrOtherBuild):
			f.Log.Info("another build is at work; changes are published after it")
		default:
			rest = max(followRetryAfter, rest)
			told := "changes are not published"
			if errors.Is(err, generator.ErrPublished) {
				told = "changes are published, but not all that follows was done"
			}
			f.Log.Error(told, "error", err.Error(), "again_in", rest.String())
		}
	}
}

// buildChanges makes one build with the settings and keys as they are now.
func (f Follower) buildChanges(ctx context.Context) error {
	s, opt, err := f.readOptions()
	if err != nil {
		return err
	}
	report, err := f.Dir.Build(ctx, f.Dir.OutFolder(s, f.Out), opt)
	if err != nil || report.Unchanged {
		return err
	}
	f.Log.Info("changes published", "release", report.Release, "files", report.Changed, "took", report.Duration.Round(time.Millisecond).String())
	return nil
}

// RestFor pauses for d, and reports whether ctx is still active. Meanwhile,
// whenever the change sequence moves on from seen, it lists what is no longer
// public, for at most a fifth of the time.
func (f Follower) RestFor(ctx context.Context, d time.Duration, seen int64) bool {
	end := time.Now().Add(d)
	every := followEvery
	for time.Until(end) > every {
		if pause.For(ctx, every) != nil {
			return false
		}
		sequence, err := f.Store.Sequence(ctx)
		if err != nil || sequence == seen {
			continue
		}
		start := time.Now()
		if f.listWithdrawn(ctx) == nil {
			seen = sequence
		}
		every = max(followEvery, 4*time.Since(start))
	}
	return pause.For(ctx, time.Until(end)) == nil
}

// listWithdrawn lists what is no longer public. An error is reported by the
// next build too.
func (f Follower) listWithdrawn(ctx context.Context) error {
	s, opt, err := f.readOptions()
	if err != nil {
		return err
	}
	_, err = f.Dir.ListWithdrawn(ctx, f.Dir.OutFolder(s, f.Out), opt)
	return err
}

// readOptions reads the settings and keys, and returns the options of a build
// whose withdrawals are logged.
func (f Follower) readOptions() (Settings, generator.Options, error) {
	s, err := f.Dir.ReadSettings()
	if err != nil {
		return s, generator.Options{}, err
	}
	opt, err := f.Dir.BuildOptions(s, nil)
	opt.Withdrawn = f.logWithdrawn
	return s, opt, err
}

// logWithdrawn logs what is no longer answered.
func (f Follower) logWithdrawn(w generator.Withdrawn) {
	f.Log.Info("withdrawals listed", "entries", w.Entries, "publishers", w.Publishers)
}
