package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"colophon/generator"
)

// takeOut publishes only what a build in segments publishes first. With --dry-run it
// only counts.
func (e *env) takeOut(ctx context.Context, s settings, dir string, accept []string) (generator.Report, error) {
	opt, err := e.buildOptions(s, accept)
	if err != nil {
		return generator.Report{}, err
	}
	store, done, err := e.openForBuild(ctx)
	if err != nil {
		return generator.Report{}, err
	}
	publish := generator.PublishWithdrawals
	if e.dryRun {
		publish = generator.CountWithdrawals
	}
	report, err := publish(ctx, store, dir, opt)
	return report, errors.Join(err, done())
}

// publishWithdrawals takes out what is not public any more, and tells of it. The
// changes stay due.
func (e *env) publishWithdrawals(ctx context.Context, s settings, dir string, flags buildFlags) error {
	report, err := e.takeOut(ctx, s, dir, flags.accept)
	if err != nil {
		return err
	}
	e.printNote("next: colophon publish --dir %s, colophon build --dir %s", e.dir, e.dir)
	row := map[string]any{"release": report.Release.Name, "withdrawn_first": withdrawnRow(report.Withdrawn), "seconds": report.Duration.Seconds()}
	return e.printResult(row, func(w io.Writer) {
		if !report.Withdrawn.Any() {
			fmt.Fprintln(w, "nothing is published that was taken out")
			return
		}
		fmt.Fprintf(w, "withdrawn: %s\n", describeWithdrawn(report.Withdrawn))
	})
}

// noteWithdrawn tells what a build took out first, or while it ran.
func (e *env) noteWithdrawn(w generator.Withdrawn) {
	when := "first"
	if w.Meanwhile {
		when = "meanwhile"
	}
	e.printNote("withdrawn %s: %s", when, describeWithdrawn(w))
}

// describeWithdrawn is such as "3 entries, 1.2 s" or "1 publisher with 30 entries, 1.2 s".
// A dry run has no time.
func describeWithdrawn(w generator.Withdrawn) string {
	text := countWords(w.Entries, "entry", "entries")
	if w.Publishers > 0 {
		text = fmt.Sprintf("%s, with those of %s", text, countWords(w.Publishers, "publisher", "publishers"))
	}
	if w.Duration == 0 {
		return text
	}
	return fmt.Sprintf("%s, %.1f s", text, w.Duration.Round(100*time.Millisecond).Seconds())
}

func countWords(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func withdrawnRow(w generator.Withdrawn) map[string]any {
	return map[string]any{"entries": w.Entries, "publishers": w.Publishers, "seconds": w.Duration.Seconds()}
}
