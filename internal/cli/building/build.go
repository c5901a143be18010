// Package building implements the command that publishes the origin as static
// files.
package building

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"colophon/generator"
	"colophon/internal/cli"
	"colophon/internal/prose"
	"colophon/internal/published"
	"colophon/internal/registrydir"
	"colophon/internal/usage"
)

// Command publishes the origin as static files.
func Command(e *cli.Env) *cobra.Command {
	var out, served, form string
	var accept []string
	var whole, withdrawals bool
	cmd := &cobra.Command{
		Use: "build", Short: "Publish the origin as static files", Args: cli.ExactArgs(),
		Long: "Build compares the origin with what is published, issues the provenance records that are due, renders the pages that changed and moves the files that differ into the folder, beginning with those that other files name. " +
			"If nothing changed, it ends at once. A build that is killed leaves the previous release in place, or one that the next run completes. With --whole everything is rendered and written again, and files that no build lists are removed.\n\n" +
			"Withdrawals come first: v1/_withdrawn.json lists withdrawn entries, and suspended and closed publishers with everything of theirs. Within seconds they are no longer answered, even while the build runs. Static lists name them until a build takes them out. " +
			"--withdrawals does only that, for registries in a bucket: publish its result, build, and publish again.",
		Example: "  colophon build --out dist",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return buildRelease(cmd.Context(), e, out, Options{Accept: accept, served: served, form: form, whole: whole, withdrawals: withdrawals})
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "output folder (default: the setting \"out\")")
	cmd.Flags().StringVar(&form, "form", "", "how entries are published: files or packs (default: the setting \"form\", else as the folder is published; the first time files, and packs above 20,000 entries)")
	cmd.Flags().StringSliceVar(&accept, "accept", nil, "findings that do not stop the build: vanished, rollback")
	cmd.Flags().BoolVar(&whole, "whole", false, "render and write everything again")
	cmd.Flags().BoolVar(&withdrawals, "withdrawals", false, "only list what is no longer public, so that it is no longer answered")
	cmd.Flags().StringVar(&served, "live", "", "address of the published service, whose ledger this one must continue")
	cmd.Flags().BoolVar(&e.DryRun, "dry-run", false, "only report what is due")
	return cmd
}

// Options are the options of a build beyond the settings.
type Options struct {
	Accept []string
	served string
	form   string
	whole  bool

	withdrawals bool // only list what is withdrawn
}

func buildRelease(ctx context.Context, e *cli.Env, out string, flags Options) error {
	if err := flags.validate(); err != nil {
		return err
	}
	s, err := e.ReadSettings()
	if err != nil {
		return err
	}
	if flags.form != "" {
		if err := cli.ValidateWord("form", flags.form, generator.Forms); err != nil {
			return err
		}
		s.Form = flags.form
	}
	if flags.withdrawals {
		return publishWithdrawals(ctx, e, s, e.OutFolder(s, out))
	}
	report, err := Build(ctx, e, s, e.OutFolder(s, out), flags)
	if err != nil {
		return err
	}
	e.PrintNext("colophon verify %s, colophon serve --dir %s", e.OutFolder(s, out), e.Path)
	return e.PrintResult(reportRow(report), func(w io.Writer) { PrintReport(w, report) })
}

// validate checks them against one another.
func (f *Options) validate() error {
	if f.withdrawals && (f.whole || f.served != "") {
		return usage.Errorf("--withdrawals is a call of its own, without --whole and --live")
	}
	for _, a := range f.Accept {
		if err := cli.ValidateWord("accept", a, []string{"vanished", "rollback"}); err != nil {
			return err
		}
	}
	return nil
}

// Build publishes the origin in the folder dir.
func Build(ctx context.Context, e *cli.Env, s registrydir.Settings, dir string, flags Options) (generator.Report, error) {
	opt, err := e.BuildOptions(s, flags.Accept)
	if err != nil {
		return generator.Report{}, err
	}
	opt.Whole = flags.whole
	if flags.served != "" && !e.DryRun {
		opt.Ledger.Served = func(ctx context.Context) ([]byte, error) { return published.ReadCheckpoint(ctx, flags.served) }
	}
	p := e.NewProgress()
	defer p.Clear()
	opt.Progress = p.Show
	opt.Withdrawn = func(w generator.Withdrawn) { p.TellBetween(func() { noteWithdrawn(e, w) }) }
	opt.Size = func(pages, publishers int64) {
		e.BoundMemory(memoryFor(pages, publishers))
		spareCollector(e)
	}
	report, err := e.Dir.Build(ctx, dir, opt)
	if e.DryRun && err == nil && report.Withdrawn.Any() {
		noteWithdrawn(e, report.Withdrawn)
	}
	if err == nil {
		noteForm(e, s, &report)
	}
	return report, err
}

// noteForm prints a note about the form of a build if no option asked for it
// and the other form may be meant.
func noteForm(e *cli.Env, s registrydir.Settings, r *generator.Report) {
	switch {
	case s.Form != "" || r.Unchanged:
	case r.FormChosen && r.Form == generator.FormPacks:
		e.PrintNote("%d entries are published in packs, for \"colophon serve\" and the worker; where a web server alone sends them, build with --form files", r.Pages)
	case r.OutgrewFiles():
		e.PrintNote("%d entries are published in files; with --form packs they are far fewer files, for \"colophon serve\" and the worker", r.Pages)
	}
}

// spareCollector makes the garbage collector of a build run less often: the
// heap may grow to four times what it holds, below the bound of
// cli.Env.BoundMemory. It does nothing if $GOGC or $GOMEMLIMIT is set.
func spareCollector(e *cli.Env) {
	if e.Getenv("GOGC") == "" && e.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(300)
	}
}

// memoryFor returns that bound for a build of some pages and publishers. A page
// takes about 500 bytes until the index is written, a publisher about 15 KiB;
// with less than half as much again the collector takes a third of the
// processor time. The first thousand publishers are already included.
func memoryFor(pages, publishers int64) int64 {
	return 256<<20 + 700*pages + 24<<10*max(publishers-1000, 0)
}

func reportRow(r generator.Report) map[string]any {
	return map[string]any{
		"release": r.Release.Name, "form": string(r.Form), "generated_at": r.Release.GeneratedAt, "root": r.Release.Root, "publishers": r.Publishers, "pages": r.Pages,
		"records_issued": r.Issued, "leaves_logged": r.Logged, "ledger_size": r.LedgerSize, "witnesses": r.Witnessed, "witnesses_asked": r.Witnesses, "files": r.Files, "service_files": r.Service, "bytes": r.Bytes, "files_changed": r.Changed, "pages_due": r.Due, "unchanged": r.Unchanged, "withdrawn": withdrawnRow(r.Withdrawn), "seconds": r.Duration.Seconds(),
	}
}

// PrintReport prints the report of a build for people.
func PrintReport(w io.Writer, r generator.Report) {
	if r.Unchanged {
		fmt.Fprintf(w, "%-15s %s: nothing changed, nothing was written\n", "release", r.Release.Name)
		return
	}
	rows := [][2]string{
		{"release", r.Release.Name}, {"form", string(r.Form)}, {"publishers", fmt.Sprint(r.Publishers)}, {"pages", fmt.Sprintf("%d (%d due)", r.Pages, r.Due)},
		{"records issued", fmt.Sprint(r.Issued)},
		{"ledger", fmt.Sprintf("%d leaves (%d new), cosigned by %d of %s", r.LedgerSize, r.Logged, r.Witnessed, prose.Counted(int64(r.Witnesses), "witness", "witnesses"))}, {"files", fmt.Sprintf("%d (%d changed), %d of the service itself", r.Files, r.Changed, r.Service)},
		{"bytes", fmt.Sprint(r.Bytes)}, {"time", r.Duration.Round(time.Millisecond).String()},
	}
	for _, row := range rows {
		fmt.Fprintf(w, "%-15s %s\n", row[0], row[1])
	}
	if r.Withdrawn.Any() {
		fmt.Fprintf(w, "%-15s %s\n", "withdrawn", describeWithdrawn(r.Withdrawn))
	}
}
