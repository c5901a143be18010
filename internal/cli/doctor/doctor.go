// Package doctor is the command that examines a registry and the service above it.
package doctor

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"colophon/exports"
	"colophon/internal/cli"
	"colophon/internal/doctor"
	"colophon/internal/origin"
	"colophon/internal/originsql"
	"colophon/internal/usage"
)

// Command examines a registry.
func Command(e *cli.Env) *cobra.Command {
	var offline, confirm bool
	var ready string
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check the settings, the store, the keys, the clock, the release and the address", Args: cli.ExactArgs(),
		Long: "Doctor checks everything that a service needs and names the next step for each problem. It changes nothing, and ends with 1 when something is wrong.\n\n" +
			"Reminders, expiry and erasure stop when the clock is more than a day ahead of the last time that they were kept: after a jump, but also after the server was off. " +
			"Look at the clock, then confirm it with --confirm-clock.\n\n" +
			"With --ready it asks the running server alone, as a container's health check does.",
		Example: "  colophon doctor --dir registry\n  colophon doctor --dir registry --offline --json\n  colophon doctor --dir registry --confirm-clock\n  colophon doctor --ready 127.0.0.1:9787",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if confirm {
				return confirmClock(cmd.Context(), e, time.Now())
			}
			if e.DryRun {
				return usage.Errorf("--dry-run goes with --confirm-clock")
			}
			if ready != "" {
				if err := doctor.AskReady(cmd.Context(), ready); err != nil {
					return err
				}
				return e.PrintResult(map[string]any{"ready": true}, func(w io.Writer) { fmt.Fprintln(w, "ready") })
			}
			return runDoctor(cmd.Context(), e, offline)
		},
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "do not look up or ask the base URL")
	cmd.Flags().BoolVar(&confirm, "confirm-clock", false, "accept the clock as it is, so that the deadlines are kept again")
	cmd.Flags().StringVar(&ready, "ready", "", "only ask the server with this --admin-addr whether it is ready")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "with --confirm-clock: only show both instants")
	return cmd
}

// runDoctor examines a registry and prints the findings; it returns an error if
// one of them failed.
func runDoctor(ctx context.Context, e *cli.Env, offline bool) error {
	if _, err := os.Stat(e.Path); err != nil {
		return fmt.Errorf("there is no registry in %q; name another folder with --dir, or make one with \"colophon init --dir %s\"", e.Path, e.Path)
	}
	findings := doctor.Examine(ctx, &e.Dir, time.Now(), offline)
	failed := 0
	for _, f := range findings {
		if f.Status == doctor.Failed {
			failed++
		}
	}
	err := e.PrintResult(map[string]any{"findings": findings, "failed": failed}, func(w io.Writer) {
		for _, f := range findings {
			fmt.Fprintf(w, "%-8s %-12s %s\n", f.Status, f.Check, f.Detail)
			if f.Next != "" {
				fmt.Fprintf(w, "%-8s %-12s next: %s\n", "", "", f.Next)
			}
		}
	})
	if err == nil && failed > 0 {
		return fmt.Errorf("%d of %d checks failed; the line \"next\" below each says what to do", failed, len(findings))
	}
	return err
}

// confirmClock resumes the processing of deadlines after a jump of the clock.
func confirmClock(ctx context.Context, e *cli.Env, now time.Time) error {
	act, err := e.NewAct("doctor --confirm-clock")
	if err != nil {
		return err
	}
	ctx = origin.WithAct(ctx, act)
	return e.WithStore(ctx, func(store *originsql.Store) error {
		seen, err := store.ClockSeen(ctx)
		if err != nil {
			return err
		}
		if !e.DryRun {
			if err := store.ConfirmClock(ctx, now.Unix()); err != nil {
				return err
			}
		}
		before := "never"
		if seen > 0 {
			before = exports.Instant(time.Unix(seen, 0))
		}
		data := map[string]any{"now": exports.Instant(now), "last_seen": before, "dry_run": e.DryRun}
		return e.PrintResult(data, func(w io.Writer) {
			verb := "confirmed"
			if e.DryRun {
				verb = "would confirm"
			}
			fmt.Fprintf(w, "%s %s; the deadlines were last kept %s\n", verb, exports.Instant(now), before)
		})
	})
}
